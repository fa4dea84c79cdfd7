"""Numbers of the tables on which the program is compared with a package."""

import numpy as np

Array = np.ndarray
KINDS = ("plain", "missing", "constant", "constant when labelled", "outliers")


def short(value: float) -> float:
    """A number as a file holds it."""
    return float(f"{value:.7g}")


def normal(seed: int, rows: int, columns: int) -> tuple[Array, Array]:
    """Normal features, and a smooth noisy target of the first and the last of them."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((rows, columns))
    return x, 3 + 2 * np.sin(x[:, 0]) + x[:, -1] + 0.3 * rng.standard_normal(rows)


def skewed(seed: int, rows: int) -> tuple[Array, Array]:
    """A target of few values, skewed features and outliers among labelled and query rows."""
    x, y = normal(seed, rows, 3)
    x = np.exp(1.5 * x)
    x[5, 0] *= 400
    x[-1, 1] *= 1e5
    return x, np.round(y)


def check_table(rng: np.random.Generator, shape: tuple, kind: str, classes: int = 0) -> tuple:
    """A random table: plain, with missing cells, columns that are constant, or outliers.

    classes: how many a classifier knows; the table has as many of them as it has rows for.
    """
    b, n, m, c = shape
    x = rng.standard_normal((b, n + m, c)).astype(np.float32) * 3 + 1
    if kind == "missing":
        x[rng.random(x.shape) < 0.2] = np.nan
        x[:, 0, -1] = x[:, 1, -1] = 0.5
        x[:, -1, 0] = np.nan
    if kind == "constant":
        x[:, :, 0] = 2.0
        x[:, :, c // 2] = 0.0
    if kind == "constant when labelled":
        x[:, :n, c - 1] = 4.0
    if kind == "outliers":
        x[:, 0, 0] = 4e3
        x[:, -1, c - 1] = -5e4
    y = rng.standard_normal((b, n)).astype(np.float32)
    if classes:
        y = np.stack([rng.permutation(n) % min(n, classes) for _ in range(b)]).astype(np.float32)
    return x[:, :n], y, x[:, n:]


def largest(got: Array, want: Array) -> float:
    """The largest difference, relative to max(1, |want|)."""
    return float((np.abs(got - want) / np.maximum(1, np.abs(want))).max())
