"""Tables on which the program is compared with the package."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes, make_friedman1

from scripts.export.bundle.tables import Array, normal, short, skewed


@dataclass
class Table:
    """A labelled context and the rows to predict.

    Text columns of `train` and `test` are categorical. `members` is the number
    of ensemble members asked for. `differs` says why the program means to differ.
    """

    name: str
    train: pd.DataFrame
    y: Array
    test: pd.DataFrame
    members: int = 8
    differs: str = ""

    @property
    def size(self) -> str:
        return f"{len(self.train)}x{self.train.shape[1]}"

    def labelled(self) -> pd.DataFrame:
        return self.train.assign(target=self.y)


def split(name: str, x: pd.DataFrame, y: Array, queries: int, **more) -> Table:
    """The last rows of a table are its queries. Numbers are rounded as a file holds them."""
    x = x.apply(lambda c: c.map(short) if pd.api.types.is_float_dtype(c) else c)
    y = np.array([short(v) for v in y])
    n = len(x) - queries
    train, test = x.iloc[:n].reset_index(drop=True), x.iloc[n:].reset_index(drop=True)
    return Table(name, train, y[:n], test, **more)


def frame(x: Array) -> pd.DataFrame:
    return pd.DataFrame(x, columns=[f"x{j}" for j in range(x.shape[1])])


# --- tables made by a generator -------------------------------------------------


def numbers(rows: int = 40, queries: int = 4) -> Table:
    x, y = normal(1, rows, 5)
    x = x * [10.0, 0.5, 4.0, 13.0, 1.0] + [48.0, 1.5, 26.0, 95.0, 0.0]
    return split("numbers", frame(x), 150 + 75 * y, queries)


def missing(rows: int = 40, queries: int = 4) -> Table:
    """Missing cells, a constant column, a constant with gaps and one without any value."""
    x, y = normal(2, rows, 6)
    rng = np.random.default_rng(2)
    x[:, 1] = 3.25
    x[:, 2] = np.nan
    x[:, 4] = 0.1
    for j in (0, 4, 5):
        x[rng.random(rows) < 0.25, j] = np.nan
    x[-1, 5] = np.nan
    return split("missing, constant, all missing", frame(x), -4 + 2 * y, queries)


def texts(rows: int = 45, queries: int = 5) -> Table:
    """Text columns with missing and unseen labels between columns of numbers."""
    x, y = normal(3, rows, 3)
    rng = np.random.default_rng(3)
    colours = rng.choice(np.array(["red", "green", "Blue", "grey"], dtype=object), rows)
    towns = rng.choice(np.array(["Oslo", "Århus", "Bergen", "oslo"], dtype=object), rows)
    colours[rng.random(rows) < 0.15] = np.nan
    colours[-1], towns[-2] = "violet", "Ystad"
    table = frame(x)
    table.insert(1, "colour", colours)
    table["town"] = towns
    table["one"] = "same"
    return split("text", table, y + (colours == "red"), queries)


def single(rows: int = 300, queries: int = 3) -> Table:
    """More context rows than fit one block of attention."""
    x, y = normal(4, rows, 1)
    return split("1 feature", frame(x), y, queries)


def pair(rows: int = 30, queries: int = 3) -> Table:
    x, y = normal(5, rows, 2)
    return split("2 features", frame(x), y, queries)


def ties(rows: int = 60, queries: int = 4) -> Table:
    """A target of few values and skewed features with an outlier."""
    x, y = skewed(6, rows)
    return split("ties, skewed features, outliers", frame(x), np.maximum(y, 0), queries)


def two_rows() -> Table:
    x, y = normal(7, 4, 2)
    return split("2 rows", frame(x), y, 2)


def offset(rows: int = 30, queries: int = 3) -> Table:
    """A target far from zero, which the package rounds to float32 first."""
    x, y = normal(8, rows, 3)
    return split(
        "target with a large offset",
        frame(x),
        1e6 + np.round(y, 1),
        queries,
        differs="the package rounds the target to float32, by up to 0.03 here",
    )


def small_units(rows: int = 40, queries: int = 4) -> Table:
    """A column with a deviation near the 1e-6 that the package adds to deviations."""
    x, y = normal(9, rows, 3)
    x[:, 1] *= 2e-6
    return split(
        "column in small units",
        frame(x),
        y,
        queries,
        differs="the package shrinks columns with deviations near 1e-6",
    )


def wide(columns: int, rows: int, queries: int = 6) -> Table:
    x, y = normal(10, rows, columns)
    return split(f"{columns} features", frame(x), y, queries)


def friedman(rows: int = 120, queries: int = 80) -> Table:
    x, y = make_friedman1(rows + queries, 20, noise=1.0, random_state=0)
    return split("Friedman #1", frame(x), y, queries)


def with_members(count: int) -> Table:
    x, y = normal(11, 40, 3)
    return split(f"3 features, {count} members asked for", frame(x), y, 3, members=count)


# --- real tables ----------------------------------------------------------------


def diabetes(queries: int) -> Table:
    x, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    order = np.random.default_rng(0).permutation(len(x))
    return split("diabetes", x.iloc[order], y.to_numpy()[order], queries)


def from_file(path: Path, queries: int, most: int) -> Table:
    """A CSV file whose last column is the target; at most so many context rows."""
    with open(path, newline="") as file:
        columns = next(csv.reader(file))
    table = pd.read_csv(path)
    order = np.random.default_rng(0).permutation(len(table))[: most + queries]
    table = table.iloc[order]
    return split(path.stem, table[columns[:-1]], table[columns[-1]].to_numpy(float), queries)


def golden_tables() -> list[Table]:
    """Small tables for the golden vectors of a bundle."""
    return [numbers(), missing(), texts(), single(), ties(), two_rows()]


def made_tables() -> list[Table]:
    counts = [with_members(n) for n in (1, 2, 5, 64)]
    more = [pair(), wide(100, 150), wide(300, 40), friedman(), offset(), small_units()]
    return golden_tables() + more + counts


def data_tables(folder: str, queries: int, most: int) -> list[Table]:
    """The diabetes set and every CSV file of a folder, with at most so many context rows."""
    files = sorted(Path(folder).glob("*.csv")) if folder else []
    others = [from_file(f, queries, most) for f in files if f.stem != "diabetes"]
    return [diabetes(queries), *others]
