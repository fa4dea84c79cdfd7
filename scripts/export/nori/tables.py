"""Tables to compare the program with the package."""

import numpy as np

from scripts.export.bundle.cases import Table, split
from scripts.export.bundle.tables import normal


def numbers() -> Table:
    x, y = normal(21, 40, 3)
    return split("numbers", x * (10, 0.5, 4) + (40, 2, 0), 20 + 3 * y, 4)


def missing() -> Table:
    """Missing cells, a constant column, and one without any value."""
    rng = np.random.default_rng(22)
    x, y = normal(22, 36, 5)
    x[rng.random(x.shape) < 0.15] = np.nan
    x[:, 1], x[:, 3] = 7, np.nan
    x[-1, :4] = np.nan, 8, 4, 1
    return split("missing, constant and empty", x, np.exp(1 + 0.5 * y), 4)


def categories() -> Table:
    """Columns of few values in a table of more than 100 rows, common, rare and missing ones."""
    rng = np.random.default_rng(23)
    x, y = normal(23, 125, 4)
    x[:, 1] = rng.choice((1.0, 4.0, 9.0), 125)
    x[:, 2] = rng.choice((0.0, 1.0), 125)
    x[:, 3] = np.where(np.arange(125) % 40 == 7, 2.0, np.where(rng.random(125) < 0.2, np.nan, 6.0))
    x[-3:, 1:] = ((5, 0, 7), (np.nan, 1, np.nan), (9, 2, 2))
    return split("categories", x, y + x[:, 2], 3)


def shapes() -> Table:
    """A column for every transform that the adaptive pipeline chooses among."""
    rng = np.random.default_rng(24)
    n = 75
    scale = rng.normal(size=n)
    x = np.column_stack(
        [
            scale,
            rng.integers(0, 6, n),
            np.exp(3.2 * scale),
            np.where(np.arange(n) % 4 == 0, 0.9 + 0.1 * rng.random(n), 0.02 * rng.random(n)),
            np.where(np.arange(n) % 4 == 0, 8 + rng.random(n), 1e-3 * rng.random(n)),
            np.where(np.arange(n) % 4 == 0, 8 + rng.random(n), -0.01 * rng.random(n)),
            np.where(np.arange(n) % 2 == 0, 5 + scale / 3, -5 - scale / 3),
        ]
    )
    x[3, 2:] = np.nan
    x[-2, 2:6] = -1.0, 3.0, -2.0, 40.0
    x[-1] = np.nan
    return split("shapes", x, scale + 0.1 * rng.normal(size=n), 5)


def single() -> Table:
    x, y = normal(25, 26, 1)
    return split("one column", x, y**3, 3)


def extremes() -> Table:
    rng = np.random.default_rng(26)
    x = rng.normal(size=(14, 2))
    x[5, 0], x[-1, 1] = 1e6, -1e5
    return split("extremes", x, 100 * rng.pareto(1.1, 14), 3)


def gaps() -> Table:
    """Missing cells in a column that no transform standardises, and a constant one."""
    rng = np.random.default_rng(22)
    x, y = normal(27, 36, 5)
    x[rng.random(36) < 0.2, 4] = np.nan
    x[-1, 4] = np.nan
    x[:, 0] = 7
    return split("gaps", x, y, 4)


def golden_tables() -> list[Table]:
    """Small tables for which the package's answer does not follow rounding errors.

    The pipelines standardise a column, and the network does so again. A missing cell then is a
    number near 0. The network reads its leading digit, which is a rounding error.
    """
    return [numbers(), gaps(), categories(), single(), extremes()]


def small_tables() -> list[Table]:
    """Small tables of all kinds of columns."""
    return [numbers(), missing(), categories(), shapes(), single(), extremes()]
