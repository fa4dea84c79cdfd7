"""Results of long studies, kept in a file so that a run goes on where the last one ended."""

import argparse
import csv
import time
from collections.abc import Callable
from pathlib import Path


def read_scores(path: Path) -> list[dict]:
    """The rows of a CSV file of scores, none if it does not exist."""
    if not path.exists():
        return []
    with open(path, newline="") as f:
        return list(csv.DictReader(f))


def write_scores(path: Path, fields: list[str], rows: list[dict], mode: str = "w") -> None:
    """Write a CSV file anew, or append rows to it (mode "a")."""
    with open(path, mode, newline="") as f:
        writer = csv.DictWriter(f, fields)
        if mode == "w":
            writer.writeheader()
        writer.writerows(rows)


class Scores:
    """A CSV file with a row for every task and method.

    Rows that it has already are kept, but for those of methods that are to be made again.
    """

    def __init__(self, path: str, fields: list[str], keys: tuple[str, ...], again: list[str] = ()):
        self.path, self.fields, self.keys = Path(path), fields, keys
        self.rows = [r for r in read_scores(self.path) if r[keys[-1]] not in again]
        write_scores(self.path, fields, self.rows)
        self.done = {tuple(str(r[k]) for k in keys) for r in self.rows}

    def add(self, row: dict, measure: Callable[[], dict]) -> None:
        """Measure a task by a method, which `row` names, unless the file has it."""
        if tuple(str(row[k]) for k in self.keys) in self.done:
            return
        start = time.perf_counter()
        found = measure()
        if found:
            found["seconds"] = time.perf_counter() - start
        row |= {k: f"{v:.4g}" if isinstance(v, float) else v for k, v in found.items()}
        write_scores(self.path, self.fields, [row], "a")
        print(*(row.get(k, "-") for k in self.fields[:12]), flush=True)


def options(doc: str) -> argparse.ArgumentParser:
    """What every program of scores may be told."""
    p = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--scores", required=True, help="CSV file of scores to add to")
    p.add_argument("--again", nargs="*", default=[], help="methods whose scores are made anew")
    return p
