"""Tables on which the program is compared with a package: numbers, or labels cut from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes, make_friedman1

from scripts.export.bundle.tables import Array, normal, short, skewed

MOST_LABELS = 30  # of a category that is declared
TEXTS = ("low", "Middle", "high", "Århus", "zero", "none at all", "A", "b", "10", "9")
ROUNDED = "a constant column with gaps follows a rounding error in the package"


@dataclass
class Table:
    """A labelled context and the rows to predict.

    x and queries are arrays, or data frames where columns hold texts; `declared` are columns given
    as categorical. `members` is the number of members asked for. `differs` says why the program
    means to differ.
    """

    name: str
    x: Array | pd.DataFrame
    y: Array
    queries: Array | pd.DataFrame
    declared: list[int] = field(default_factory=list)
    members: int = 8
    differs: str = ""

    @property
    def size(self) -> str:
        return f"{len(self.x)}x{self.x.shape[1]}"

    @property
    def train(self) -> pd.DataFrame:
        return frame(self.x)

    @property
    def test(self) -> pd.DataFrame:
        return frame(self.queries)

    def head(self, rows: int) -> Table:
        """The table with a few of its queries, spread evenly."""
        return replace(self, queries=rows_of(self.queries, self.spread(rows)))

    def spread(self, rows: int) -> Array:
        """The places of these queries."""
        places = np.linspace(0, len(self.queries) - 1, min(rows, len(self.queries)))
        return np.unique(places.astype(int))


def frame(x: Array | pd.DataFrame) -> pd.DataFrame:
    """A data frame whose columns have names."""
    if isinstance(x, pd.DataFrame):
        return x
    return pd.DataFrame(x, columns=[f"x{j}" for j in range(x.shape[1])])


def rows_of(x: Array | pd.DataFrame, rows: Array) -> Array | pd.DataFrame:
    """Some rows of a table, or all in another order."""
    return x.iloc[rows].reset_index(drop=True) if isinstance(x, pd.DataFrame) else x[rows]


def split(name: str, x: Array | pd.DataFrame, y: Array, queries: int, **more) -> Table:
    """The last rows of a table are its queries. Numbers are rounded as a file holds them.

    Texts of more labels than a category has are not declared to be categorical: tabpfn 9.2.0 takes
    what is declared at its word.
    """
    y = np.array([short(v) for v in y])
    if isinstance(x, pd.DataFrame):
        texts = [j for j, c in enumerate(x.columns) if not pd.api.types.is_numeric_dtype(x[c])]
        x = x.apply(lambda c: c.map(short) if pd.api.types.is_float_dtype(c) else c)
        more["declared"] = [j for j in texts if x.iloc[:, j].nunique() <= MOST_LABELS]
        x = x if texts else x.to_numpy(float)
    else:
        x = np.vectorize(short)(x)
    first, last = np.arange(len(y) - queries), np.arange(len(y) - queries, len(y))
    return Table(name, rows_of(x, first), y[:-queries], rows_of(x, last), **more)


# --- tables made by a generator -------------------------------------------------


def wide(columns: int, rows: int, queries: int = 6) -> Table:
    return split(f"{columns} features", *normal(10 + columns, rows + queries, columns), queries)


def numbers() -> Table:
    x, y = normal(1, 40, 5)
    return split("numbers", x * (10, 0.5, 4, 13, 1) + (48, 1.5, 26, 95, 0), 150 + 75 * y, 4)


def missing() -> Table:
    """Missing cells, a constant column and one without any value."""
    x, y = normal(2, 60, 6)
    gaps = np.random.default_rng(2).random(x.shape) < 0.2
    x[:, 1], x[:, 2] = 3.25, np.nan
    x[gaps & np.isin(np.arange(6), (0, 4, 5))] = np.nan
    x[-1, 1] = 4
    return split("missing, constant, all missing", x, -4 + 2 * y, 6)


def gaps() -> Table:
    x, y = normal(12, 40, 3)
    x[:, 1] = 5.3
    x[::5, 1] = np.nan
    return split("a constant column with gaps", x, y, 4, differs=ROUNDED)


def texts() -> Table:
    """Text columns with missing and unseen labels between columns of numbers."""
    x, y = normal(3, 165, 3)
    rng = np.random.default_rng(3)
    table = frame(x)
    colour = rng.choice(np.array(["red", "green", "Blue", "grey"], dtype=object), len(x))
    town = rng.choice(np.array(["Oslo", "Århus", "Bergen"], dtype=object), len(x))
    colour[rng.random(len(x)) < 0.1] = np.nan
    town[-2] = "Ystad"
    table.insert(1, "colour", colour)
    table["town"] = town
    return split("text", table, y + (colour == "red"), 5)


def many_labels() -> Table:
    """Texts of more labels than a category has."""
    labels = np.array([f"label {i:02}" for i in range(45)], dtype=object)
    x, y = normal(14, 150, 2)
    table = frame(x).assign(label=labels[np.random.default_rng(14).integers(0, 45, 150)])
    return split("many labels", table, y, 6)


def ties() -> Table:
    """A target of few values, skewed features and an outlier."""
    x, y = skewed(6, 80)
    return split("ties, skewed features, outliers", x, np.maximum(y, 0), 5)


def outliers() -> Table:
    """Values far beyond 12 deviations, among labelled rows and among query rows."""
    x, y = normal(25, 210, 4)
    x[7, 0], x[90, 1], x[-1, 2], x[-2, 0] = 4e3, -90, -7e4, 300
    return split("outliers", x, y, 6)


def offset() -> Table:
    """A target far from zero, which the packages round to float32."""
    x, y = normal(8, 40, 3)
    return split("target with a large offset", x, 1e4 + np.round(y, 2), 4)


def friedman() -> Table:
    return split("Friedman #1", *make_friedman1(200, 20, noise=1.0, random_state=0), 80)


def few(rows: int) -> Table:
    return split(f"{rows} rows", *normal(9, rows + 3, 2), 3)


def with_members(count: int) -> Table:
    return split(f"{count} members asked for", *normal(11, 40, 3), 3, members=count)


def made() -> list[Table]:
    """Tables for every family."""
    sizes = [(1, 300), (2, 40), (5, 60), (50, 150), (100, 150)]
    found = [wide(*size) for size in sizes] + [friedman(), offset(), few(5), missing(), texts()]
    return [*found, ties(), gaps()]


# --- real tables ----------------------------------------------------------------


def real(folder: str, rows: int, queries: int) -> Iterator[Table]:
    """The diabetes set and every CSV file of a folder, whose last column is the target.

    Of at most `rows` context rows.
    """
    x, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    tables = {"diabetes": x.assign(target=y)}
    for path in sorted(Path(folder).glob("*.csv")) if folder else []:
        tables.setdefault(path.stem, pd.read_csv(path))
    for name, table in tables.items():
        order = np.random.default_rng(0).permutation(len(table))[: rows + queries]
        table = table.iloc[order].reset_index(drop=True)
        y = table.iloc[:, -1].to_numpy(float)
        yield split(name, table.iloc[:, :-1], y, min(queries, len(y) // 4))


# --- classes --------------------------------------------------------------------

# By the beginning of a table's name, the labels of its target cut into classes; else 3 texts.
CUTS = {
    "1 features": 2,
    "5 features": 10,
    "100 features": 10,
    "Friedman": [3, 11, 2, 100, 5],
    "600 features": 2,
    "text": 4,
}


def cut(y: Array, classes: int) -> Array:
    """Numbers as classes 0, 1, ... of nearly equal size, by rank."""
    rank = np.argsort(np.argsort(y, kind="stable"), kind="stable")
    return rank * classes // len(y)


def labels(y: Array, names: list | int) -> Array:
    """Numbers as so many classes with these labels, of nearly equal size; a count is of TEXTS."""
    names = list(TEXTS[:names]) if isinstance(names, int) else names
    return np.array([names[k] for k in cut(y, len(names))])


def classified(table: Table, names: list | int | None = None) -> Table:
    """A table whose numeric target is cut into classes."""
    names = names or next((n for start, n in CUTS.items() if table.name.startswith(start)), 3)
    y = labels(table.y, names)
    return replace(table, name=f"{table.name}, {len(np.unique(y))} classes", y=y)


def unequal() -> Table:
    """Classes of very different size, the smallest of one row; labels are numbers."""
    table = split("unequal classes", *normal(21, 60, 3), 4)
    y = np.select([table.y < 2.0, table.y < 5.5], [7, -3], 100)
    y[0] = 12
    return replace(table, y=y)


def truths() -> Table:
    table = split("true and false", *normal(24, 40, 4), 4)
    return replace(table, y=table.y > np.median(table.y))


def two_rows() -> Table:
    table = split("2 rows, 2 classes", *normal(22, 4, 2), 2)
    return replace(table, y=np.array(["no", "yes"]))


def many(classes: int, rows: int, features: int = 3, queries: int = 3) -> Table:
    """More classes than a network has outputs, with ever fewer rows; labels are numbers.

    There must be twice as many rows as classes.
    """
    table = split(f"{classes} classes", *normal(25 + classes, rows + queries, features), queries)
    share = np.argsort(np.argsort(table.y)) / rows
    found = np.floor(classes * share**1.5).astype(int) * 3 - 7
    assert len(np.unique(found)) == classes
    return replace(table, y=found)


def made_classes(tables: list[Table]) -> list[Table]:
    """These tables with their targets cut into classes, and more."""
    return [*map(classified, [*tables, outliers()]), unequal(), truths(), two_rows()]


def real_classes(folder: str, rows: int, queries: int) -> list[Table]:
    """The diabetes set cut into 2, 3 and 10 classes, and the other sets into 3."""
    diabetes, *others = real(folder, rows, queries)
    return [classified(diabetes, k) for k in (2, 3, 10)] + [classified(t) for t in others]
