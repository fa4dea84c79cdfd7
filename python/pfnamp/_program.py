"""Find the program pfnamp and run it."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import shutil
import subprocess
from importlib import metadata
from pathlib import Path

# Exit statuses of the program that tell a fault of what it was given: see `pfnamp predict --help`.
USAGE, INPUT, LIMIT = 2, 3, 7
# What a user of the program may have set to name the library.
LIBRARY = ("PFNAMP_ORT_LIB", "ONNXRUNTIME_SHARED_LIBRARY_PATH")


class InputError(ValueError):
    """A table or a parameter was refused; the message says which, where, and the remedy."""


class ProgramError(RuntimeError):
    """The program could not do its work: a missing model, a missing library, a full disk."""


class PfnampWarning(UserWarning):
    """A note of the program: something about a table or a parameter that did not stop it."""


@functools.cache
def program() -> str:
    """The path of the program that was installed with this package.

    Without one it is that of the environment variable PATH. PFNAMP_PROGRAM overrules both. Raises
    ProgramError where there is none.
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
def library() -> str | None:
    """The folder with the library of the package onnxruntime that this Python would import.

    The program finds that of its own environment itself; this one may be elsewhere, such as below
    an environment that sees the packages of the system.
    """
    spec = importlib.util.find_spec("onnxruntime")
    for folder in (spec and spec.submodule_search_locations) or []:
        capi = Path(folder) / "capi"
        if any(capi.glob("*onnxruntime.*")):
            return str(capi)
    return None


def environment() -> dict[str, str]:
    """The environment that the program is run in."""
    variables = dict(os.environ)
    if not any(variables.get(name) for name in LIBRARY) and (folder := library()):
        variables["PFNAMP_ORT_LIB"] = folder
    return variables


def run(arguments: list[str], data: bytes | None = None) -> tuple[bytes, list[str]]:
    """Run the program with data on its standard input.

    Returns its standard output and its notes. Raises InputError where the program refuses what it
    was given, and ProgramError where it fails in another way.
    """
    command = [program(), *arguments, "--json"]
    done = subprocess.run(command, input=data, capture_output=True, env=environment(), check=False)
    if done.returncode == 0:
        return done.stdout, (report(done.stderr) or report(done.stdout)).get("notes", [])
    raise failure(done.returncode, done.stderr)


def failure(status: int, words: bytes) -> InputError | ProgramError:
    """The error of a run that ended with a status and these words on its standard error."""
    told = report(words)
    text = words.decode(errors="replace").strip()
    message = told.get("error") or f"pfnamp ended with status {status}: {text}"
    if hint := told.get("hint"):
        message += f"\n{hint}"
    return (InputError if status in (USAGE, INPUT, LIMIT) else ProgramError)(message)


def report(stream: bytes) -> dict:
    """The JSON object that a stream ends with, or an empty one."""
    line = stream.rstrip().rpartition(b"\n")[2]
    try:
        return json.loads(line) if line.startswith(b"{") else {}
    except ValueError:
        return {}
