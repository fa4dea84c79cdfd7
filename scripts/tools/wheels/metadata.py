"""What a wheel says of itself: name, version, dependencies, platforms."""

import functools
import re
import subprocess
from pathlib import Path

# The oldest systems for which the package onnxruntime has wheels; the program asks for less.
TAGS = {
    "linux-amd64": "manylinux_2_27_x86_64",
    "linux-arm64": "manylinux_2_27_aarch64",
    "darwin-arm64": "macosx_14_0_arm64",
    "windows-amd64": "win_amd64",
}
# Least versions: NeededVersion of pfn/internal/ort; `validate_data` of scikit-learn; PyArrow with
# the C stream interface.
ONNXRUNTIME = "onnxruntime>=1.25,<2"
EXTRAS = {
    "sklearn": ("scikit-learn>=1.6", "pyarrow>=15"),
    "spark": ("pyspark>=4.0", "pyarrow>=15", "pandas>=2.2"),
    "ray": ("ray[data]>=2.40", "pyarrow>=15"),
}
HEADER = f"""Metadata-Version: 2.4
Name: pfnamp
Version: {{version}}
Summary: Credible and predictive intervals for tables, by prior-data fitted networks
License-Expression: Apache-2.0
{{licences}}
Requires-Python: >=3.11
Requires-Dist: {ONNXRUNTIME}
Provides-Extra: sklearn
{{extra}}
Description-Content-Type: text/markdown

"""


def git(*arguments: str) -> str:
    """The output of git, without the line's end; "" where it fails."""
    result = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    return result.stdout.strip() if result.returncode == 0 else ""


@functools.cache
def version() -> str:
    """The version of the revision that is checked out, in the words of Python.

    1.2.3 at the tag v1.2.3; after it, or without a tag, a development version with the number of
    commits and the hash of the last one.
    """
    change = git("status", "--porcelain") and ".dirty"
    tag = git("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*")
    if tag and not change and git("rev-list", "-n1", tag) == git("rev-parse", "HEAD"):
        return tag.removeprefix("v")
    count = git("rev-list", "--count", f"{tag}..HEAD" if tag else "HEAD")
    commit = git("rev-parse", "--short=12", "HEAD")
    base = f"{tag.removeprefix('v')}.post0" if tag else "0"
    return f"{base}.dev{count}+g{commit}{change}"


def description(root: Path) -> str:
    """The page of the package, whose links to other pages of the repository become their names."""
    page = (root / "docs" / "guide" / "python.md").read_text(encoding="utf-8")
    return re.sub(r"\[([^]]+)\]\((?!https?:)[^)]*\)", r"\1", page)


def metadata(root: Path, licences: list[str]) -> bytes:
    """The file METADATA."""
    head = HEADER.format(
        version=version(),
        licences="\n".join(f"License-File: {name}" for name in licences),
        extra="\n".join(
            line
            for extra, needs in EXTRAS.items()
            for line in [
                f"Provides-Extra: {extra}",
                *(f'Requires-Dist: {need}; extra == "{extra}"' for need in needs),
            ]
        ),
    )
    return (head + description(root)).encode()


def wheel(platform: str) -> bytes:
    """The file WHEEL."""
    lines = ["Wheel-Version: 1.0", "Generator: pfnamp", "Root-Is-Purelib: false"]
    return "\n".join([*lines, f"Tag: py3-none-{TAGS[platform]}", ""]).encode()
