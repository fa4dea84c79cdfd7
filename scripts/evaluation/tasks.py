"""Tasks to score models on: a training and a test part of one table each.

Files (last column the target, 20 % or 80 % of the rows for training), the
functions of Friedman, data that scikit-learn ships, and fresh tables of the
synthetic prior. A task is fixed by its name and its seed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import (
    load_breast_cancer,
    load_iris,
    load_wine,
    make_friedman1,
    make_friedman2,
    make_friedman3,
)

from scripts.training.prior.draw import Draw
from scripts.training.prior.tables import sample_tables, sample_width

Array = np.ndarray
PRIOR_SEED = 950_000_000  # far from the seeds of training and validation


@dataclass
class Task:
    """One table in two parts, and the scale that its scores are divided by."""

    suite: str
    name: str
    seed: int
    x_train: Array
    y_train: Array
    x_test: Array
    y_test: Array
    categorical: list[bool]
    scale: float


def split(suite: str, name: str, seed: int, table: tuple, rows: int) -> Task:
    """A random split with so many training rows."""
    x, y, words = table
    order = np.random.default_rng(seed).permutation(len(y))
    a, b = order[:rows], order[rows:]
    return Task(suite, name, seed, x[a], y[a], x[b], y[b], words, float(y.std()))


def read_csv(path: Path) -> tuple:
    """Features, target, and which features are words."""
    frame = pd.read_csv(path, float_precision="round_trip")
    words = [not pd.api.types.is_numeric_dtype(kind) for kind in frame.dtypes]
    for name in frame.columns[words]:
        frame[name] = pd.Categorical(frame[name]).codes
    table = frame.to_numpy(float)
    return table[:, :-1], table[:, -1], words[:-1]


def file_tasks(folder: Path, share: float, seeds: int) -> Iterator[Task]:
    """Every CSV file of a folder with `share` of its rows for training."""
    for path in sorted(folder.glob("*.csv")):
        table = read_csv(path)
        for seed in range(seeds):
            rows = int(round(share * len(table[1])))
            yield split(f"files {share:.0%}", path.stem, seed, table, rows)


def friedman_tasks(seeds: int, rows: int = 200) -> Iterator[Task]:
    """Friedman #1 to #3 with 200 training rows and 1,000 test rows."""
    makers = {
        "friedman1": (make_friedman1, 1.0),
        "friedman2": (make_friedman2, 125.0),
        "friedman3": (make_friedman3, 0.1),
    }
    for name, (make, noise) in makers.items():
        for seed in range(seeds):
            x, y = make(rows + 1000, noise=noise, random_state=seed)
            yield split("friedman", name, seed, (x, y, [False] * x.shape[1]), rows)


def shipped_tasks(seeds: int, rows: int = 100) -> Iterator[Task]:
    """Predict one measurement of the tables that scikit-learn ships from the others."""
    iris, wine, cancer = (
        load(return_X_y=True)[0] for load in (load_iris, load_wine, load_breast_cancer)
    )
    columns = {
        "iris petal width": (iris, 3),
        "wine alcohol": (wine, 0),
        "wine proline": (wine, 12),
        "wine hue": (wine, 10),
        "cancer texture": (cancer[:, :10], 1),
        "cancer smoothness": (cancer[:, :10], 4),
        "cancer concavity": (cancer[:, :10], 6),
        "cancer fractal": (cancer[:, 10:20], 9),
    }
    for name, (table, j) in columns.items():
        x, y = np.delete(table, j, axis=1), table[:, j]
        for seed in range(seeds):
            yield split("shipped", name, seed, (x, y, [False] * x.shape[1]), rows)


def prior_task(seed: int) -> Task:
    """A fresh table of the prior with 20 to 1,000 training rows and 500 test rows."""
    d = Draw(PRIOR_SEED + 10 * seed)
    width = sample_width(d)
    rows = int(d.log_uniform(1, low=20.0, high=1000.0))
    tables = sample_tables(PRIOR_SEED + 10 * seed + 1, 1, 2500, width)
    x, y = (v[0].double().numpy() for v in (tables.x, tables.y))
    a, b = slice(0, rows), slice(2000, None)
    scale = float(y[b].std()) + 1e-3
    return Task("prior", "prior", seed, x[a], y[a], x[b], y[b], [False] * width, scale)
