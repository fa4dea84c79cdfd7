"""Runs a notebook and compares the text that its cells print with what the file holds.

    python -m scripts.tools.notebook.run examples/intervals.ipynb            fails where they differ
    python -m scripts.tools.notebook.run examples/intervals.ipynb --write    writes them into it

A number may differ by one in its last digit, because processors round differently. Pictures are
made and not compared: their bytes depend on fonts.
"""

import argparse
import difflib
import re
import sys
from decimal import Decimal
from pathlib import Path

import nbformat
from jupyter_client import AsyncKernelManager
from nbclient import NotebookClient


def texts(cell: nbformat.NotebookNode) -> list[str]:
    """The lines that a cell prints and shows."""
    lines: list[str] = []
    for output in cell.get("outputs", []):
        if output.output_type == "stream":
            lines += output.text.splitlines()
        elif "text/plain" in output.get("data", {}) and "image/png" not in output.data:
            lines += output.data["text/plain"].splitlines()
    return lines


NUMBER = re.compile(r"-?\d+\.\d+")


def same(before: str, now: str) -> bool:
    """Whether two lines differ by no more than one in the last digit of their numbers."""
    if NUMBER.sub("", before).split() != NUMBER.sub("", now).split():
        return False
    a, b = ([Decimal(n) for n in NUMBER.findall(line)] for line in (before, now))
    digits = [n.as_tuple().exponent for n in a]
    if digits != [n.as_tuple().exponent for n in b]:
        return False
    return all(abs(x - y) <= Decimal(10) ** d for x, y, d in zip(a, b, digits))


def difference(before: list[str], now: list[str]) -> list[str]:
    """The lines of a unified diff; none if all lines are the same."""
    if len(before) == len(now) and all(map(same, before, now)):
        return []
    return list(difflib.unified_diff(before, now, "file", "run", lineterm=""))


def tidy(notebook: nbformat.NotebookNode) -> None:
    """Leave out what differs from run to run, and tables as HTML, which text repeats."""
    notebook.metadata = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}
    }
    for cell in notebook.cells:
        cell.metadata = {}
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("text/html", None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("notebook", type=Path)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    held = nbformat.read(args.notebook, as_version=4)
    made = nbformat.read(args.notebook, as_version=4)
    for cell in made.cells:
        cell.pop("outputs", None)
        if cell.cell_type == "code":
            cell.outputs = []
    kernel = AsyncKernelManager(kernel_name="python3", transport="ipc")  # no port is opened
    NotebookClient(made, km=kernel, timeout=600).execute()
    tidy(made)
    if args.write:
        nbformat.write(made, args.notebook)
        return 0
    failed = 0
    for number, (before, now) in enumerate(zip(held.cells, made.cells, strict=True), start=1):
        lines = difference(texts(before), texts(now))
        if lines:
            failed += 1
            print(f"cell {number} of {args.notebook} prints something else:", *lines, sep="\n")
    print(f"{args.notebook}: {len(made.cells)} cells run, {failed} differ")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
