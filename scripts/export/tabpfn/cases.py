"""Tables on which the program is compared with the package."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.datasets import make_friedman1

from scripts.export.bundle.parity import Case, real_tables
from scripts.export.bundle.tables import Array, normal, short, skewed
from scripts.export.tabpfn.stages import Table

MOST_LABELS = 30  # of a category
MEANT = "a constant column with gaps follows the rounding of its variance in the package"


def case(name: str, x: Array | pd.DataFrame, y: Array, queries: int, differs: str = "") -> Case:
    """The last rows of a table are its queries; text columns are declared to be categorical.

    Those of more labels than a category has are not: package 9.2.0 takes what is declared at its
    word, and the program reads columns as the package does without a declaration.
    """
    y = np.array([short(v) for v in y])
    texts: list[int] = []
    if isinstance(x, pd.DataFrame):
        words = [j for j, c in enumerate(x.columns) if x[c].dtype == object]
        texts = [j for j in words if x.iloc[:, j].nunique() <= MOST_LABELS]
        if not words:
            x = x.to_numpy(float)
    if isinstance(x, np.ndarray):
        x = np.vectorize(short)(x)
        return Case(Table(name, x[:-queries], y[:-queries], x[-queries:]), differs)
    train = x.iloc[:-queries].reset_index(drop=True)
    test = x.iloc[-queries:].reset_index(drop=True)
    return Case(Table(name, train, y[:-queries], test, texts), differs)


def missing() -> Case:
    """Missing cells, a constant column and one without any value."""
    x, y = normal(2, 60, 6)
    gaps = np.random.default_rng(2).random(x.shape) < 0.2
    x[:, 1], x[:, 2] = 3.25, np.nan
    x[gaps & np.isin(np.arange(6), (0, 4, 5))] = np.nan
    x[-1, 1] = 4
    return case("missing, constant, all missing", x, -4 + 2 * y, 6)


def gaps() -> Case:
    x, y = normal(12, 40, 3)
    x[:, 1] = 5.3
    x[::5, 1] = np.nan
    return case("a constant column with gaps", x, y, 4, MEANT)


def texts() -> Case:
    """Text columns with missing and unseen labels between columns of numbers."""
    x, y = normal(3, 165, 3)
    rng = np.random.default_rng(3)
    table = pd.DataFrame(x, columns=["a", "b", "c"]).map(short)
    colour = rng.choice(np.array(["red", "green", "Blue", "grey"], dtype=object), len(x))
    town = rng.choice(np.array(["Oslo", "Tromso", "Bergen"], dtype=object), len(x))
    colour[rng.random(len(x)) < 0.1] = np.nan
    town[-2] = np.nan
    table.insert(1, "colour", colour)
    table["town"] = town
    return case("text", table, y + (colour == "red"), 5)


def ties() -> Case:
    """A target of few values, skewed features and an outlier."""
    x, y = skewed(6, 80)
    return case("ties, skewed features, outliers", x, np.maximum(y, 0), 5)


def made() -> list[Case]:
    plain = [(1, 40), (2, 40), (5, 60), (50, 150), (100, 150)]
    found = [case(f"{c} features", *normal(10 + c, rows, c), 6) for c, rows in plain]
    x, y = make_friedman1(200, 20, noise=1.0, random_state=0)
    found.append(case("Friedman #1", x, y, 80))
    x, y = normal(8, 40, 3)
    found.append(case("target with a large offset", x, 1e4 + np.round(y, 2), 4))
    x, y = normal(9, 8, 2)
    found.append(case("5 rows", x, y, 3))
    return [*found, missing(), gaps(), texts(), ties()]


def wide() -> list[Case]:
    """Tables of which members read a part, and texts of more labels than a category has."""
    x, y = normal(13, 46, 600)
    labels = np.array([f"label {i:02}" for i in range(45)], dtype=object)
    numbers, target = normal(14, 150, 2)
    table = pd.DataFrame(numbers, columns=["a", "b"]).map(short)
    table["label"] = labels[np.random.default_rng(14).integers(0, 45, 150)]
    return [case("600 features", x, y, 6), case("many labels", table, target, 6)]


def real(folder: str, rows: int, queries: int) -> list[Case]:
    return [case(*table) for table in real_tables(folder, rows, queries)]
