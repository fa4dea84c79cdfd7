"""Tables of labels on which the program is compared with the package's classifier."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scripts.export.bundle.labels import as_text, labels
from scripts.export.bundle.tables import normal
from scripts.export.tabpfn.cases import Case, case, made, real, wide

# By the beginning of a table's name, the labels of its target cut into classes; else 3 texts.
CUTS = {
    "1 features": as_text(2),
    "5 features": as_text(10),
    "100 features": as_text(10),
    "Friedman": [3, 11, 2, 100, 5],
    "600 features": as_text(2),
    "text": as_text(4),
}


def classified(found: Case, names: list | None = None) -> Case:
    """A table whose numeric target is cut into classes."""
    task = found.task
    for start, cut in CUTS.items():
        if task.name.startswith(start):
            names = names or cut
    names = names or as_text(3)
    task = replace(task, name=f"{task.name}, {len(names)} classes", y=labels(task.y, names))
    return Case(task, found.differs)


def unequal() -> Case:
    """Classes of very different size, the smallest of one row; labels are numbers."""
    x, y = normal(21, 60, 3)
    found = case("unequal classes", x, y, 4)
    y = np.select([found.task.y < 2.0, found.task.y < 5.5], [7, -3], 100)
    y[0] = 12
    found.task.y = y
    return found


def truths() -> Case:
    found = case("true and false", *normal(24, 40, 4), 4)
    found.task.y = found.task.y > np.median(found.task.y)
    return found


def two_rows() -> Case:
    found = case("2 rows, 2 classes", *normal(22, 4, 2), 2)
    found.task.y = np.array(["no", "yes"])
    return found


def outliers() -> Case:
    """Values far beyond 12 deviations, among labelled rows and among query rows."""
    x, y = normal(25, 210, 4)
    x[7, 0], x[90, 1], x[-1, 2], x[-2, 0] = 4e3, -90, -7e4, 300
    return classified(case("outliers", x, y, 6))


def made_cases() -> list[Case]:
    own = [unequal(), truths(), two_rows(), outliers()]
    return [classified(c) for c in made()] + own


def wide_cases() -> list[Case]:
    return [classified(c) for c in wide()]


def real_cases(folder: str, rows: int, queries: int) -> list[Case]:
    """The diabetes set cut into 2, 3 and 10 classes, and the other sets into 3."""
    diabetes, *others = real(folder, rows, queries)
    cuts = [classified(diabetes, as_text(k)) for k in (2, 3, 10)]
    return cuts + [classified(c) for c in others]
