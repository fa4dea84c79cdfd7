"""Files of scores: CSV, one row per table and method."""

from __future__ import annotations

import csv
from pathlib import Path


def read_scores(path: Path) -> list[dict]:
    """The rows of a file, none if it does not exist."""
    if not path.exists():
        return []
    with open(path, newline="") as f:
        return list(csv.DictReader(f))


def write_scores(path: Path, fields: list[str], rows: list[dict], mode: str = "w") -> None:
    """Write a file anew, or append rows to it (mode "a")."""
    with open(path, mode, newline="") as f:
        writer = csv.DictWriter(f, fields)
        if mode == "w":
            writer.writeheader()
        writer.writerows(rows)
