"""Refresh tables, files and pictures of a documentation page from runs of the program `studies`.

A page PAGE.md holds links and blocks such as

    [all cells](PAGE/benchmark-coverage-and-width-q0.5.csv)
    <!-- average benchmark-coverage-and-width-q0.5.csv; *=* -->
    | ... |
    <!-- end -->

The file is written from the table under the heading "Coverage and width, q0.5" of
RUNS/benchmark/tables.md. The block becomes the means of the file's cells of coverage and width
over the rows, or the columns, of the file: of those whose name matches one of the patterns after
the semicolon (all without one). `<!-- lead RUN -->` takes the line that says how the run was
made. Files and lines whose run is not there stay as they are. `![...](pictures/RUN-NAME.png)` is
copied from RUNS/RUN/NAME.png.

    python -m scripts.evaluation.fill_tables docs/evidence/results.md --runs runs
"""

from __future__ import annotations

import argparse
import csv
import fnmatch
import re
import shutil
from pathlib import Path

BLOCK = re.compile(r"(<!-- (average|lead) ([^\n]*?) -->\n).*?(<!-- end -->\n)", re.DOTALL)
PICTURE = re.compile(r"\]\(pictures/([a-z]+)-([^)]+\.png)\)")
AGAINST = ("paper", "N = 50")  # widths stand beside those of the first of these methods

Rows = list[list[str]]
Cells = dict[str, list[tuple[float, float]]]  # coverage and width in every cell of every method


def slug(title: str) -> str:
    """A heading as part of the name of a file."""
    return re.sub(r"[^a-z0-9.]+", "-", title.lower())


def table(text: str, name: str) -> Rows:
    """The table under the heading with this slug."""
    for title, lines in re.findall(r"^## (.*)\n\n((?:\|.*\n)+)", text, re.MULTILINE):
        if slug(title) == name:
            rows = [[c.strip() for c in line.strip("|\n").split("|")] for line in lines.split("\n")]
            return [rows[0], *rows[2:-1]]
    raise SystemExit(f"no table {name!r}")


def write(path: Path, rows: Rows) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def cells(path: Path, patterns: list[str]) -> Cells:
    """Coverage and width of a file, in cells such as "0.91 / 1.70" or in rows of their own."""
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)

    def chosen(name: str) -> bool:
        return not patterns or any(fnmatch.fnmatch(name, p) for p in patterns)

    if head[1] != "metric":
        kept = [row for row in rows if chosen(row[0])]
        pairs = [[cell.split("/") for cell in row] for row in kept]
        return {
            m: [(float(row[k][0]), float(row[k][1])) for row in pairs]
            for k, m in enumerate(head)
            if k > 0  # the first column names the row
        }
    named = [(row[0], row[1], [float(cell.split("±")[0]) for cell in row[2:]]) for row in rows]
    found = {(m, metric): values for m, metric, values in named}
    keep = [k for k, name in enumerate(head[2:]) if chosen(name)]
    return {
        m: [(found[m, "coverage"][k], found[m, "width"][k]) for k in keep]
        for m in dict.fromkeys(m for m, _, _ in named)
    }


def average(of: Cells) -> str:
    """Mean and lowest coverage of every method, and its width beside that of one."""
    against = next(method for method in AGAINST if method in of)
    base = [width for _, width in of[against]]
    lines = [["", *of], ["---"] + ["---:"] * len(of)]
    lines.append(["coverage", *(f"{sum(c for c, _ in v) / len(v):.2f}" for v in of.values())])
    lines.append(["lowest of a cell", *(f"{min(c for c, _ in v):.2f}" for v in of.values())])
    shares = {m: [w / b for (_, w), b in zip(v, base)] for m, v in of.items()}
    width = [f"{sum(s) / len(s):.2f}" for s in shares.values()]
    lines.append([f"width / that of `{against}`", *width])
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def files(page: str, beside: Path, runs: Path) -> None:
    """Write every file that the page links to, whose run exists."""
    for run, name in re.findall(rf"\]\({beside.name}/([a-z]+)-([^)]+)\.csv\)", page):
        source = runs / run / "tables.md"
        if not source.exists():
            print(f"{run}: no {source}, left as it is")
            continue
        write(beside / f"{run}-{name}.csv", table(source.read_text(encoding="utf-8"), name))


def fill(page: str, beside: Path, runs: Path) -> str:
    """The page with every block refreshed: averages of files, and leads whose run exists."""

    def block(match: re.Match[str]) -> str:
        begin, kind, arguments, end = match.groups()
        name, *rest = [part.strip() for part in arguments.split(";")]
        if kind == "average":
            patterns = [p.strip() for p in rest[0].split(",")] if rest else []
            return begin + average(cells(beside / name, patterns)) + end
        file = runs / name / "tables.md"
        if not file.exists():
            return match.group(0)
        return begin + file.read_text(encoding="utf-8").split("\n")[2] + "\n" + end

    return BLOCK.sub(block, page)


def main() -> None:
    parser = argparse.ArgumentParser(description="refresh the tables of a documentation page")
    parser.add_argument("page", type=Path)
    parser.add_argument("--runs", type=Path, required=True, help="folder with a folder per run")
    args = parser.parse_args()
    page, beside = args.page.read_text(encoding="utf-8"), args.page.with_suffix("")
    files(page, beside, args.runs)
    args.page.write_text(fill(page, beside, args.runs), encoding="utf-8")
    for run, name in PICTURE.findall(page):
        source = args.runs / run / name
        if source.exists():
            target = args.page.parent / "pictures" / f"{run}-{name}"
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(source, target)


if __name__ == "__main__":
    main()
