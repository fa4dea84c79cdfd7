"""Tables of ten families of functions with known truth, none of them in the prior.

y = f(x) + s(x) e with a known law of e. Columns are uniform or normal; f has the standard
deviation one over the table and s is a random share of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import stats
from scipy.interpolate import BSpline

Array = np.ndarray
Rng = np.random.Generator

FEATURES, ROWS = (2, 5, 10, 20), (50, 200, 800)
QUERIES = 100


def linear(x: Array, rng: Rng) -> Array:
    return x @ rng.normal(size=x.shape[1])


def nothing(x: Array, rng: Rng) -> Array:
    return np.zeros(len(x))


def quadratic(x: Array, rng: Rng) -> Array:
    """A random quadratic form of all columns."""
    a = rng.normal(size=(x.shape[1], x.shape[1]))
    return ((x @ a) * x).sum(1)


def wave(x: Array, rng: Rng) -> Array:
    """A sine of one direction."""
    w = rng.normal(size=x.shape[1])
    return np.sin(2.5 * x @ w / np.linalg.norm(w) + rng.uniform(0, 6))


def friedman(x: Array, rng: Rng) -> Array:
    """Friedman's first function, as far as there are columns."""
    u = stats.norm.cdf(x)
    parts = [10 * np.sin(np.pi * u[:, 0] * u[:, 1])]
    parts += [20 * (c - 0.5) ** 2 for c in u.T[2:3]] + [10 * c for c in u.T[3:4]]
    return sum(parts + [5 * c for c in u.T[4:5]])


def tiles(x: Array, rng: Rng) -> Array:
    """A random height on every tile of a 3 x 3 board of two columns, plus a step."""
    board = rng.normal(size=(3, 3))
    i, j = (np.digitize(c, (-0.4, 0.5)) for c in x.T[:2])
    return board[i, j] + 0.7 * (x[:, -1] > 0.3)


def splines(x: Array, rng: Rng) -> Array:
    """A sum of random cubic B-splines, 10 functions for each of up to three columns."""
    knots = np.concatenate(([0] * 3, np.linspace(0, 1, 8), [1] * 3))
    total = np.zeros(len(x))
    for column in stats.norm.cdf(x.T[:3]):
        design = BSpline.design_matrix(column.clip(0, 1 - 1e-9), knots, 3).toarray()
        total += design @ rng.normal(size=design.shape[1])
    return total


def bumps(x: Array, rng: Rng) -> Array:
    """Five radial bumps in up to three columns."""
    z = x[:, :3]
    centres, heights = rng.normal(size=(5, z.shape[1])), rng.normal(size=5)
    gaps = ((z[:, None] - centres) ** 2).sum(-1)
    return np.exp(-gaps) @ heights


def growth(x: Array, rng: Rng) -> Array:
    """A logistic curve of one column whose height is another one."""
    return np.exp(0.5 * x[:, 1]) / (1 + np.exp(-3 * x[:, 0])) + 0.2 * x[:, -1]


def hinges(x: Array, rng: Rng) -> Array:
    """A sum of products of hinges of pairs of columns."""
    total = np.zeros(len(x))
    for _ in range(4):
        i, j = rng.integers(x.shape[1], size=2)
        a, b = rng.normal(scale=0.7, size=2)
        total += rng.normal() * np.maximum(0, x[:, i] - a) * np.maximum(0, b + x[:, j])
    return total


LAWS = {
    "normal": stats.norm(),
    "t5": stats.t(5),
    "gamma": stats.gamma(2.0),
    "logistic": stats.logistic(),
}
FAMILIES = {
    linear: "normal",
    nothing: "normal",
    quadratic: "logistic",
    wave: "t5",
    friedman: "normal",
    tiles: "normal",
    splines: "normal",
    bumps: "logistic",
    growth: "gamma",
    hinges: "t5",
}


@dataclass
class Simulated:
    """One table in two parts; f and s [M] of the query rows, the law of e, sd(y)."""

    family: str
    features: int
    rows: int
    seed: int
    x_train: Array
    y_train: Array
    x_test: Array
    f: Array
    s: Array
    law: object
    scale: float

    def quantile(self, u: float) -> Array:
        return self.f + self.s * self.law.ppf(u)

    def mean(self) -> Array:
        return self.f + self.s * self.law.mean()

    def exceeds(self, t: float) -> Array:
        return self.law.sf((t - self.f) / self.s)

    @property
    def threshold(self) -> float:
        """The 0.7-quantile of the training target."""
        return float(np.quantile(self.y_train, 0.7))


def drawn(family, size: tuple[int, int], rng: Rng) -> tuple[Array, Array, Array, object, Array]:
    """x [N,H] of a size, f and s [N], the law of e, y [N]."""
    x = rng.normal(size=size) if rng.random() < 0.5 else rng.uniform(-1.7, 1.7, size=size)
    f, law = family(x, rng), LAWS[FAMILIES[family]]
    f = (f - f.mean()) / f.std() if f.std() > 0 else f
    s = np.full(len(x), np.exp(rng.uniform(np.log(0.1), np.log(1.2))))
    if family in (growth, nothing):
        s = s * np.exp(0.5 * x[:, 0])
    s = s / law.std()
    return x, f, s, law, f + s * law.ppf(rng.random(len(x)))


def simulated(family, features: int, rows: int, seed: int) -> Simulated:
    number = list(FAMILIES).index(family)
    rng = np.random.default_rng([seed, number, features, rows])
    x, f, s, law, y = drawn(family, (rows + QUERIES, features), rng)
    a, b = slice(0, rows), slice(rows, None)
    parts = x[a], y[a], x[b], f[b], s[b]
    return Simulated(family.__name__, features, rows, seed, *parts, law, float(y.std()))


def all_simulated() -> Iterator[Simulated]:
    """Every family with every number of features and rows."""
    for rows in ROWS:
        for features in FEATURES:
            for family in FAMILIES:
                yield simulated(family, features, rows, 0)
