"""Trends of the target, linear and by a kernel, and what they leave for the network to learn.

Of classes: predictions of their shares, which members read beside the features.

A member with a trend reads (r_i - shift) / scale, where r_i = y_i - f_{-i}(x_i) with the trend
f_{-i} learned without row i, and what the network says of it at a row x is brought back by
scale q + shift + f(x). f is a ridge regression whose penalty has the least generalised
cross-validation score (Golub, Heath & Wahba 1979) on a grid. It is learned on the features of
the pipeline "none" and the standardised target; that of a kernel on features whose inner
products are

    k(x, z) = x·z / H + exp(4 (mean_j m(|x_j - z_j|) - 1)),  m(r) = (1 + √3 r/3) exp(-√3 r/3),

for at most 256 rows of the context exactly, and otherwise the kernel's projection on 256 of them
(Williams & Seeger 2001). The exponential of a sum of kernels of single columns has parts of
every order of interaction, the lower the larger.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cholesky, solve_triangular

Array = np.ndarray
PENALTIES = np.exp(np.log(1e-6) + np.arange(33) * (np.log(1e2 / 1e-6) / 32))  # times the rows
KERNEL_PENALTIES = PENALTIES[::4]
MOST_FREEDOM = 0.9
LEAST_LEFT = 0.01
MIN_RESIDUAL = 1e-6
TIE = 1e-9
CENTRES, JITTER = 256, 1e-6
LENGTH, INTERACTION = 3.0, 4.0


def kernel(a: Array, b: Array) -> Array:
    """Its values [M,N] at rows a [M,H] and b [N,H]."""
    total = np.zeros((len(a), len(b)))
    for u, v in zip(a.T, b.T):
        r = np.abs(u[:, None] - v) * (3**0.5 / LENGTH)
        total += (1 + r) * np.exp(-r)
    h = a.shape[1]
    return a @ b.T / h + np.exp(INTERACTION * (total / h - 1))


def best_shrinkage(u: Array, s: Array, along: Array, y: Array, penalties: Array) -> Array | None:
    """s²/(s² + penalty) of the best penalty that leaves enough degrees of freedom.

    Of equally good ones, as of two rows all are, it is the largest.
    """
    n, best = len(y), None
    for penalty in n * penalties[::-1]:
        shrink = s**2 / (s**2 + penalty)
        freedom = 1 + shrink.sum()
        if freedom < MOST_FREEDOM * n:
            rest = y - u @ (shrink * along)
            score = n * (rest @ rest) / (n - freedom) ** 2
            if best is None or score < (1 - TIE) * best[0]:
                best = score, shrink
    return best and best[1]


@dataclass
class Ridge:
    """Centred features, decomposed for regressions of several targets on them."""

    centre: Array
    u: Array
    s: Array
    vt: Array
    penalties: Array

    @classmethod
    def of(cls, x: Array, penalties: Array) -> "Ridge":
        centre = x.mean(0)
        return cls(centre, *np.linalg.svd(x - centre, full_matrices=False), penalties)

    def fit(self, y: Array, leverage: float) -> tuple[Array, Array]:
        """Slopes for a target of mean zero, and the residuals of leaving one row out.

        The leverage of a row begins at the given number: 1/N if its mean is left out as well.
        """
        along = self.u.T @ y
        shrink = best_shrinkage(self.u, self.s, along, y, self.penalties)
        if shrink is None:
            return np.zeros(len(self.centre)), y
        slope = self.vt.T @ (shrink / np.maximum(self.s, 1e-12) * along)
        left = y - self.u @ (shrink * along)
        return slope, left / np.maximum(1 - leverage - self.u**2 @ shrink, LEAST_LEFT)


class Basis:
    """Features [N,M] of a trend, `linear` or `kernel`, of the features x [N,H] of the context."""

    def __init__(self, kind: str, x: Array):
        self.kind = kind
        if kind == "kernel":
            m = min(len(x), CENTRES)
            self.rows = x[np.arange(m) * len(x) // m]
            self.root = cholesky(kernel(self.rows, self.rows) + JITTER * np.eye(m), lower=True)

    def __call__(self, x: Array) -> Array:
        if self.kind == "linear":
            return x
        return solve_triangular(self.root, kernel(self.rows, x), lower=True).T

    def ridge(self, x: Array) -> Ridge:
        return Ridge.of(self(x), PENALTIES if self.kind == "linear" else KERNEL_PENALTIES)


@dataclass
class Trend:
    """f(x) + shift = (basis(x) - centre) slope + shift, and the scale of what it leaves."""

    basis: Basis
    centre: Array
    slope: Array
    shift: float
    scale: float

    def at(self, x: Array) -> Array:
        return (self.basis(x) - self.centre) @ self.slope + self.shift


def fit_trend(kind: str, x: Array, y: Array) -> tuple[Trend, Array]:
    """From features [N,H] and a standardised target: the trend, and what members read."""
    basis = Basis(kind, x)
    ridge = basis.ridge(x)
    slope, left = ridge.fit(y, 1 / len(y))
    scale = max(left.std(), MIN_RESIDUAL)
    trend = Trend(basis, ridge.centre, slope, left.mean(), scale)
    return trend, ((left - trend.shift) / trend.scale).astype(np.float32)


def share_columns(kind: str, x: Array, y: Array, queries: Array) -> tuple[Array, Array]:
    """Predictions of the classes' shares, for context rows [N,K] and queries [M,K].

    Of two classes there is that of the second alone. A context row's has slopes learned without
    the row, and the mean of all rows: one without the row would tell the row's class.
    """
    count, basis = int(y.max()) + 1, Basis(kind, x)
    ridge, columns, at = basis.ridge(x), [], basis(queries)
    for k in range(count)[1 if count == 2 else 0 :]:
        mean = (y == k).mean()
        centred = (y == k) - mean
        slope, left = ridge.fit(centred, 0.0)
        columns.append((mean + centred - left, mean + (at - ridge.centre) @ slope))
    return tuple(np.stack(part, axis=1) for part in zip(*columns))
