"""Tables of labels on which the program is compared with the package's classifier."""

from __future__ import annotations

import numpy as np

from scripts.export.bundle.labels import as_text, labels
from scripts.export.bundle.tables import normal
from scripts.export.tabicl.tables import (
    Table,
    data_tables,
    frame,
    friedman,
    missing,
    numbers,
    single,
    texts,
    ties,
    wide,
)


def labelled(table: Table, name: str, names: list, **more) -> Table:
    """A table whose numeric target is cut into classes with these labels."""
    y = labels(table.y, names)
    return Table(f"{table.name}, {name}", table.train, y, table.test, **more)


def unequal(rows: int = 60, queries: int = 4) -> Table:
    """Classes of very different size, the smallest of one row; labels are numbers."""
    x, y = normal(21, rows, 3)
    y = np.select([y < 2.0, y < 5.5], [7, -3], 100)
    y[0] = 12
    n = rows - queries
    return Table("unequal classes", frame(x[:n]).round(6), y[:n], frame(x[n:]).round(6))


def two_rows() -> Table:
    x = frame(normal(22, 4, 2)[0]).round(6)
    return Table("2 rows, 2 classes", x[:2], np.array(["no", "yes"]), x[2:].reset_index(drop=True))


def truths(rows: int = 40, queries: int = 4) -> Table:
    table = numbers(rows, queries)
    return Table("true and false", table.train, table.y > np.median(table.y), table.test)


def with_members(count: int) -> Table:
    x, y = normal(23, 40, 3)
    y = labels(y[:37], as_text(3))
    x = frame(x).round(6)
    name = f"3 features, 3 classes, {count} members asked for"
    return Table(name, x[:37], y, x[37:].reset_index(drop=True), members=count)


def many(classes: int, rows: int, features: int = 3, queries: int = 3) -> Table:
    """More classes than a network has outputs, with ever fewer rows; labels are numbers.

    There must be twice as many rows as classes.
    """
    x, y = normal(25 + classes, rows + queries, features)
    share = np.argsort(np.argsort(y[:rows])) / rows
    labels = np.floor(classes * share**1.5).astype(int) * 3 - 7
    assert len(np.unique(labels)) == classes
    x = frame(x).round(6)
    return Table(f"{classes} classes", x[:rows], labels, x[rows:].reset_index(drop=True))


def golden_tables() -> list[Table]:
    """Small tables for the golden vectors of a bundle."""
    return [
        labelled(numbers(), "2 classes", [0, 1]),
        labelled(missing(), "3 classes", as_text(3)),
        labelled(texts(), "4 classes", as_text(4)),
        labelled(single(), "10 classes", list(range(10))),
        unequal(),
        two_rows(),
        many(11, 44),
        many(101, 210, features=2, queries=2),
    ]


def made_tables() -> list[Table]:
    return golden_tables() + [
        truths(),
        labelled(ties(), "3 classes", as_text(3)),
        labelled(wide(2, 40), "2 classes", as_text(2)),
        labelled(wide(100, 150), "10 classes", as_text(10)),
        labelled(friedman(), "5 classes", [3, 11, 2, 100, 5]),
        *(with_members(n) for n in (1, 2, 5, 64)),
        many(26, 78, features=5),
        many(100, 220),
    ]


def real_tables(folder: str, queries: int, most: int) -> list[Table]:
    """The diabetes set cut into 2, 3, 10 and 26 classes, and the other sets into 3."""
    diabetes, *others = data_tables(folder, queries, most)
    return [
        *(labelled(diabetes, f"{k} classes", as_text(k)) for k in (2, 3, 10)),
        labelled(diabetes, "26 classes", list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
        *(labelled(t, "3 classes", as_text(3)) for t in others),
    ]
