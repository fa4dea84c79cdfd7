"""Refresh the tables and pictures of a documentation page from runs of `pfnamp evaluate`.

A page holds blocks such as

    <!-- table benchmark; Coverage and width, q0.5; *=* -->
    | ... |
    <!-- end -->

The block is replaced by the table under that heading of RUNS/benchmark/tables.md, restricted to
the rows whose first cell matches one of the patterns after the second semicolon (all without one).
`<!-- lead RUN -->` takes the line that says how the run was made. Blocks whose run is not there
stay as they are. `![...](pictures/RUN-NAME.png)` is copied from RUNS/RUN/NAME.png.

    python -m scripts.evaluation.fill_tables docs/evidence/results.md --runs runs
"""

from __future__ import annotations

import argparse
import fnmatch
import re
import shutil
from pathlib import Path

BLOCK = re.compile(r"(<!-- (table|lead) ([^\n]*?) -->\n).*?(<!-- end -->\n)", re.DOTALL)
PICTURE = re.compile(r"\]\(pictures/([a-z]+)-([^)]+\.png)\)")


def table(text: str, title: str, patterns: list[str]) -> str:
    """The table under a heading, with the rows whose first cell matches a pattern."""
    found = re.search(rf"^## {re.escape(title)}\n\n((?:\|.*\n)+)", text, re.MULTILINE)
    if not found:
        raise SystemExit(f"no table {title!r}")
    head, rule, *rows = found.group(1).splitlines(keepends=True)
    first = [row.split("|")[1].strip() for row in rows]
    keep = [
        row
        for row, cell in zip(rows, first)
        if not patterns or any(fnmatch.fnmatch(cell, p) for p in patterns)
    ]
    return head + rule + "".join(keep)


def fill(page: str, runs: Path) -> str:
    """The page with every block refreshed whose run exists."""

    def block(match: re.Match[str]) -> str:
        begin, kind, arguments, end = match.groups()
        run, *rest = [part.strip() for part in arguments.split(";")]
        file = runs / run / "tables.md"
        if not file.exists():
            print(f"{run}: no {file}, left as it is")
            return match.group(0)
        text = file.read_text(encoding="utf-8")
        if kind == "lead":
            return begin + text.split("\n")[2] + "\n" + end
        patterns = [p.strip() for p in rest[1].split(",")] if len(rest) > 1 else []
        return begin + table(text, rest[0], patterns) + end

    return BLOCK.sub(block, page)


def main() -> None:
    parser = argparse.ArgumentParser(description="refresh the tables of a documentation page")
    parser.add_argument("page", type=Path)
    parser.add_argument("--runs", type=Path, required=True, help="folder with a folder per run")
    args = parser.parse_args()
    page = fill(args.page.read_text(encoding="utf-8"), args.runs)
    args.page.write_text(page, encoding="utf-8")
    for run, name in PICTURE.findall(page):
        source = args.runs / run / name
        if source.exists():
            target = args.page.parent / "pictures" / f"{run}-{name}"
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(source, target)


if __name__ == "__main__":
    main()
