"""Tables of labels on which classifiers are compared with a package, and what is compared."""

from __future__ import annotations

import numpy as np
import pandas as pd

from scripts.export.bundle.tables import Array

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


def compared(out: pd.DataFrame, classes: Array, want: Array, table: str) -> dict[str, float]:
    """What the program has written beside the probabilities [M, K] of a package, of its classes.

    csv: the largest difference; class: rows whose most probable class is another one.
    """
    names = [name_of(label) for label in classes]
    order = [c.removeprefix("p=") for c in out.columns if f"{c}_lo" in out.columns]
    if order != names:
        raise SystemExit(f"{table}: the classes are {order}, of the package {names}")
    got = out[[f"p={name}" for name in names]].to_numpy(float)
    best = classes[want.argmax(axis=1)]  # as the package's predict
    return {
        "csv": float(abs(got - want).max()),
        "class": float(other_classes(out["class"], best, want)),
    }


def other_classes(got: pd.Series, want: Array, mass: Array) -> int:
    """Rows with another class, unless two are equally probable to the rounding of float32."""
    top = np.sort(mass, axis=1)
    clear = top[:, -1] - top[:, -2] > CLOSE
    return int(sum(g != name_of(w) for g, w, c in zip(got, want, clear) if c))
