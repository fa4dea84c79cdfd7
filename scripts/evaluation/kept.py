"""Scores of long runs, kept in a file so that a run goes on where the last one ended."""

import argparse
import csv
import time
from collections.abc import Callable
from pathlib import Path


class Scores:
    """A CSV file with a row for every task and method.

    Rows that it has already are kept, but for those of methods that are to be made again.
    """

    def __init__(self, path: str, fields: list[str], keys: tuple[str, ...], again: list[str]):
        self.path, self.fields, self.keys = Path(path), fields, keys
        rows = []
        if self.path.exists():
            with open(path, newline="") as file:
                rows = [r for r in csv.DictReader(file) if r[keys[-1]] not in again]
        with open(path, "w", newline="") as file:
            csv.writer(file).writerow(fields)
        self.write(rows)
        self.done = {tuple(str(r[k]) for k in keys) for r in rows}

    def write(self, rows: list[dict]) -> None:
        """Append rows to the file."""
        with open(self.path, "a", newline="") as file:
            csv.DictWriter(file, self.fields).writerows(rows)

    def add(self, row: dict, measure: Callable[[], dict]) -> None:
        """Measure a task by a method, which `row` names, unless the file has it."""
        if tuple(str(row[k]) for k in self.keys) in self.done:
            return
        start = time.perf_counter()
        found = measure()
        if found:
            found["seconds"] = time.perf_counter() - start
        row |= {k: f"{v:.4g}" if isinstance(v, float) else v for k, v in found.items()}
        self.write([row])
        print(*(row.get(k, "-") for k in self.fields[:12]), flush=True)


def options(doc: str) -> argparse.ArgumentParser:
    """What every program of scores may be told."""
    p = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--scores", required=True, help="CSV file of scores to add to")
    p.add_argument("--again", nargs="*", default=[], help="methods whose scores are made anew")
    return p
