"""Small tables, of which bundles have what the package computes."""

from dataclasses import replace

import numpy as np

from scripts.export.bundle.cases import Table, labels


def split(name: str, x: np.ndarray, y: np.ndarray, queries: int, **more) -> Table:
    return Table(name, x[:-queries], y[:-queries], x[-queries:], **more)


def tables() -> list[Table]:
    """Small tables: ordinary, missing, categories, few columns, extremes."""
    rng = np.random.default_rng(5)
    made = []
    x = np.round(rng.normal(size=(36, 4)) * (10, 0.5, 4, 1) + (40, 2, 0, 0), 4)
    y = np.round(20 + 3 * x[:, 1] + rng.normal(size=36), 3)
    made.append(split("numbers", x, y, 4))
    x = np.round(np.exp(rng.normal(size=(34, 5))), 3)
    x[rng.random(x.shape) < 0.15] = np.nan
    x[:, 1], x[:, 3] = 7, np.round(x[:, 3])
    x[-2:, 0] = np.nan, 500.0
    x[-1, 1] = 8
    y = np.round(np.exp(1 + 0.5 * rng.normal(size=34)), 4)
    made.append(split("missing, constant and skewed", x, y, 4))
    x = np.round(rng.normal(size=(115, 4)), 2)
    x[:, 1] = rng.choice((1.0, 4.0, 9.0), 115)
    x[:, 2] = rng.choice((0.0, 1.0), 115)
    x[:, 3] = rng.integers(0, 5, 115)
    x[rng.random(115) < 0.12, 1] = np.nan
    x[-3:, 1:] = ((5, 0, 7), (np.nan, 1, 3), (9, 2, 1))
    y = np.round(x[:, 0] + x[:, 2] + rng.normal(size=115), 2)
    made.append(split("categories", x, y, 3, declared=[0, 3]))
    x = np.round(rng.normal(size=(28, 1)), 3)
    made.append(split("one column", x, np.round(x[:, 0] ** 3, 3), 3))
    x = np.round(rng.normal(size=(12, 2)), 3)
    x[:, 1] = np.nan
    x[5, 0] = 1e6
    y = np.round(rng.pareto(1.1, 12), 3) * 100
    made.append(split("extremes and an empty column", x, y, 3))
    return made


def class_tables() -> list[Table]:
    """The same with labels: 2, 3, 4 and 10 classes, and those of very different size."""
    named = ([False, True], 3, [7, -3, 100, 12], list(range(10)), 2)
    made = [replace(t, y=labels(t.y, names)) for t, names in zip(tables(), named)]
    made[2].y[:] = np.where(np.arange(len(made[2].y)) % 9 < 7, 7, made[2].y)
    return made
