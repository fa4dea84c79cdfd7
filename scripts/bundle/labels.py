"""Tables of labels on which classifiers are compared with a package, and what is compared."""

from __future__ import annotations

import numpy as np
import pandas as pd

from scripts.bundle.tables import Array

TEXTS = ("low", "Middle", "high", "Århus", "zero", "none at all", "A", "b", "10", "9")
CLOSE = 8e-6  # two classes are equally probable to the rounding of float32


def cut(y: Array, classes: int) -> Array:
    """Numbers as classes 0, 1, ... of nearly equal size, by rank."""
    rank = np.argsort(np.argsort(y, kind="stable"), kind="stable")
    return rank * classes // len(y)


def labels(y: Array, names: list) -> Array:
    """Numbers as so many classes with these labels, of nearly equal size."""
    return np.array([names[k] for k in cut(y, len(names))])


def as_text(classes: int) -> list[str]:
    return list(TEXTS[:classes])


def name_of(label) -> str:
    """A label as the program names it."""
    return str(label).lower() if isinstance(label, (bool, np.bool_)) else str(label)


def other_classes(got: pd.Series, want: Array, mass: Array) -> int:
    """Rows with another class, unless two are equally probable to the rounding of float32."""
    top = np.sort(mass, axis=1)
    clear = top[:, -1] - top[:, -2] > CLOSE
    return int(sum(g != name_of(w) for g, w, c in zip(got, want, clear) if c))
