"""Find and run the program pfnamp."""

import functools
import importlib.util
import json
import os
import shutil
import subprocess
from importlib import metadata
from pathlib import Path

# Exit statuses that mean wrong input: see `pfnamp predict --help`.
USAGE, INPUT, LIMIT = 2, 3, 7
# Environment variables by which a user may name the library.
LIBRARY = ("PFNAMP_ORT_LIB", "ONNXRUNTIME_SHARED_LIBRARY_PATH")


class InputError(ValueError):
    """A table or a parameter is not valid; the message says which one, where, and the remedy."""


class ProgramError(RuntimeError):
    """The program failed for another reason: a missing model or library, a full disk."""


class PfnampWarning(UserWarning):
    """A note of the program about a table or a parameter that does not stop it."""


@functools.cache
def program() -> str:
    """The path of the program.

    The environment variable PFNAMP_PROGRAM comes first, then the program of this package, then
    PATH. Raises ProgramError if there is none.
    """
    if named := os.environ.get("PFNAMP_PROGRAM"):
        return named
    name = "pfnamp.exe" if os.name == "nt" else "pfnamp"
    try:
        files = metadata.files("pfnamp") or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        path = Path(file.locate()).resolve()
        if file.name == name and path.is_file():
            return str(path)
    if found := shutil.which("pfnamp"):
        return found
    raise ProgramError("the program pfnamp is not installed: pip install pfnamp")


@functools.cache
def version() -> str:
    """The version of this package; where it is not installed, that of the program."""
    try:
        return metadata.version("pfnamp")
    except metadata.PackageNotFoundError:
        words = subprocess.run([program(), "--version"], capture_output=True, text=True, check=True)
        return words.stdout.split(",")[0].split()[-1]


@functools.cache
def library() -> str | None:
    """The folder with the library of the package onnxruntime that this Python would import.

    The program finds the library of its own environment by itself. This library may be elsewhere,
    for example in the packages of the system.
    """
    spec = importlib.util.find_spec("onnxruntime")
    for folder in (spec and spec.submodule_search_locations) or []:
        capi = Path(folder) / "capi"
        if any(capi.glob("*onnxruntime.*")):
            return str(capi)
    return None


def environment() -> dict[str, str]:
    """The environment of the program."""
    variables = dict(os.environ)
    if not any(variables.get(name) for name in LIBRARY) and (folder := library()):
        variables["PFNAMP_ORT_LIB"] = folder
    return variables


def as_flags(**options: object) -> list[str]:
    """Flags of the program with underscores.

    A list is joined by commas, True is a flag without a value, None and False are skipped.
    """
    found: list[str] = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        found.append("--" + name.replace("_", "-"))
        if isinstance(value, (list, tuple)):
            value = ",".join(map(str, value))
        if value is not True:
            found.append(str(value))
    return found


def run(arguments: list[str], data: bytes | None = None) -> tuple[bytes, list[str]]:
    """Run the program with data on its standard input.

    Returns its standard output and its notes. Raises InputError if its input is not valid, and
    ProgramError if it fails for another reason.
    """
    command = [program(), *arguments, "--json"]
    done = subprocess.run(command, input=data, capture_output=True, env=environment(), check=False)
    if done.returncode == 0:
        return done.stdout, (report(done.stderr) or report(done.stdout)).get("notes", [])
    raise failure(done.returncode, done.stderr)


def failure(status: int, words: bytes) -> InputError | ProgramError:
    """The error of a run with an exit status and these bytes on its standard error."""
    told = report(words)
    text = words.decode(errors="replace").strip()
    message = told.get("error") or f"pfnamp failed with exit status {status}: {text}"
    if hint := told.get("hint"):
        message += f"\n{hint}"
    return (InputError if status in (USAGE, INPUT, LIMIT) else ProgramError)(message)


def report(stream: bytes) -> dict:
    """The JSON object at the end of a stream, or an empty one."""
    line = stream.rstrip().rpartition(b"\n")[2]
    try:
        return json.loads(line) if line.startswith(b"{") else {}
    except ValueError:
        return {}
