"""Numbers of the tables on which the program is compared with a package."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


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
