"""Files of differences between the program and a package, and their summary on a page.

    python -m scripts.export.bundle.agreement docs/evidence/parity.md

The comparisons of `make parity` write a CSV file each into docs/evidence/parity: a row for every
network and table, a column for every stage, and the gates in the first row. A run replaces the
rows of its networks. The summary has one line for every network: the largest differences over
the tables on which both mean the same. It skips tables whose target lies far from zero. It stands
on the page between `<!-- agreement -->` and `<!-- end -->`.
"""

import csv
import re
import sys
from collections.abc import Iterable
from pathlib import Path

FIRST = ("network", "table", "context", "classes", "differs")
GATE = "gate"  # the network of the row of gates
FAR = "target with a large offset"  # tables that are limited by the package's float32
# Columns of the summary, each with the stages that it stands for, whichever a file has.
SUMMARY = (("golden vectors", ("golden",)), ("end to end", ("inside", "mean64", "csv")))
BLOCK = re.compile(r"(<!-- agreement -->\n).*?(<!-- end -->\n)", re.DOTALL)

Row = dict[str, str]


def cell(value: float) -> str:
    """A difference with two digits, as in the tables of the comparison."""
    return "0" if value == 0 else re.sub(r"e-0?", "e-", f"{value:.1e}")


def read(path: Path) -> list[Row]:
    """All rows of a file; none where it does not exist."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def record(path: Path, network: str, gates: Row, rows: Iterable[Row]) -> None:
    """Replace the rows of one network in a file."""
    kept = [row for row in read(path) if row["network"] not in (network, GATE)]
    kept = [{"network": GATE} | gates, *kept, *({"network": network} | row for row in rows)]
    names = [*FIRST, *dict.fromkeys(name for row in kept for name in row if name not in FIRST)]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(kept)


def version(family: str, network: str) -> str:
    """The version of a family from a network's name: "full-2.5-classes" is v2.5."""
    found = re.search(r"-(\d[\d.]*)", network)
    if family in ("tabicl", "nori"):
        return {"tabicl": "TabICLv2", "nori": "Nori"}[family]
    return f"TabPFN v{found.group(1) if found else '2'}"


def lines(path: Path) -> list[str]:
    """The summary of a file, a line for every network."""
    rows, found = read(path), []
    family, _, task = path.stem.partition("-")
    for network in dict.fromkeys(row["network"] for row in rows if row["network"] != GATE):
        of = [row for row in rows if row["network"] == network]
        same = [row for row in of if not row["differs"] and not row["table"].startswith(FAR)]
        cells = [f"{version(family, network)}, {task or 'numbers'}", f"`{network}`"]
        cells += [f"{len(same)} of {len(of)}"]
        for _, stages in SUMMARY:
            stage = next((name for name in stages if name in rows[0]), "")
            told = [float(row[stage]) for row in same if row.get(stage)]
            cells.append(cell(max(told)) if told else "")
        found.append("| " + " | ".join(cells) + " |\n")
    return found


def summary(folder: Path) -> str:
    """The table of all files of a folder."""
    head = ["network of", "name", "tables", *(name for name, _ in SUMMARY)]
    table = ["| " + " | ".join(head) + " |\n", "|---|---|---:|" + "---:|" * len(SUMMARY) + "\n"]
    for path in sorted(folder.glob("*.csv"), key=lambda path: ("-" in path.stem, path.stem)):
        table += lines(path)
    return "".join(table)


def fill(page: str, folder: Path) -> str:
    """The page with a new summary."""
    new, count = BLOCK.subn(lambda m: m.group(1) + summary(folder) + m.group(2), page)
    if count != 1:
        raise SystemExit("the page has no block <!-- agreement --> ... <!-- end -->")
    return new


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    path = Path(sys.argv[1])
    text = fill(path.read_text(encoding="utf-8"), path.with_suffix(""))
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
