"""Trends of the target, linear and by a kernel, and what they leave for the network to learn.

Of classes: predictions of their shares, which members read beside the features.

A member with a trend reads (r_i - shift) / scale, where r_i = y_i - f_{-i}(x_i) with the trend
f_{-i} learned without row i, and what the network says of it at a row x is brought back by
scale q + shift + f(x). f is a ridge regression whose penalty has the least generalised
cross-validation score (Golub, Heath & Wahba 1979) on a grid. It is learned on the features of
the pipeline "none" and the standardised target; that of a kernel on features whose inner
products are

    k(x, z) = Σ_j w_j x_j z_j + exp(4 (Σ_j w_j m(|x_j - z_j|) - 1)),  m(r) = (1 + √3 r/3) exp(-√3 r/3),

for at most 256 rows of the context exactly, and otherwise the kernel's projection on 256 of them
(Williams & Seeger 2001). The exponential of a sum of kernels of single columns has parts of
every order of interaction, the lower the larger. The weights w of the columns have the sum one.
They are all the same in a first fit, on 128 rows, and then in proportion to the mean squares of
its slopes, those of all targets together, of which the largest and .05 of it are added.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cholesky, solve_triangular

Array = np.ndarray
Basis = Callable[[Array], Array]  # features [N,H] -> [N,M]
PENALTIES = np.exp(np.log(1e-6) + np.arange(33) * (np.log(1e2 / 1e-6) / 32))  # times the rows
KERNEL_PENALTIES = PENALTIES[::4]
FIRST_PENALTIES = PENALTIES[::8]
MOST_FREEDOM = 0.9
LEAST_LEFT = 0.01
MIN_RESIDUAL = 1e-6
TIE = 1e-9
TINY = 1e-300
CENTRES, FIRST_CENTRES, JITTER = 256, 128, 1e-6
INTERACTION, RATE = 4.0, 3**0.5 / 3
LEAST_WEIGHT = 0.05


def kernel(a: Array, b: Array, w: Array) -> Array:
    """Its values [M,N] at rows a [M,H] and b [N,H] with weights [H]."""
    return (a * w) @ b.T + curved(a, b, w)


def curved(a: Array, b: Array, w: Array) -> Array:
    """The part of the kernel that is not linear."""
    total = np.zeros((len(a), len(b)))
    for weight, u, v in zip(w, a.T, b.T):
        r = np.abs(u[:, None] - v) * RATE
        total += weight * (1 + r) * np.exp(-r)
    return np.exp(INTERACTION * (total - 1))


def squared_slopes(x: Array, rows: Array, alpha: Array, w: Array) -> Array:
    """[H] mean squares over x [N,H] of the slopes of f(x) = Σ_m alpha_m k(x, rows_m)."""
    pull, out = curved(x, rows, w) * alpha, np.empty(len(w))
    for j, (u, v) in enumerate(zip(x.T, rows.T)):
        d = u[:, None] - v
        bend = d * np.exp(-RATE * np.abs(d))
        slope = w[j] * (v @ alpha - INTERACTION * RATE**2 * (pull * bend).sum(1))
        out[j] = (slope**2).mean()
    return out


def spaced(x: Array, most: int) -> Array:
    """At most so many rows, evenly spaced."""
    m = min(len(x), most)
    return x[np.arange(m) * len(x) // m]


def column_weights(x: Array, targets: list[Array]) -> Array:
    """[H] weights of the columns of x [N,H] in the kernel, from targets of mean zero."""
    w = np.full(x.shape[1], 1 / x.shape[1])
    basis = Kernel(spaced(x, FIRST_CENTRES), w)
    ridge, slopes = Ridge.of(basis(x), FIRST_PENALTIES), 0.0
    for y in targets:
        slope, _ = ridge.fit(y, 0.0)
        alpha = solve_triangular(basis.root, slope, lower=True, trans="T")
        slopes = slopes + squared_slopes(spaced(x, CENTRES), basis.rows, alpha, w)
    w = slopes + LEAST_WEIGHT * slopes.max() + TINY
    return w / w.sum()


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


class Kernel:
    """Features [N,M] whose inner products are the kernel with weights w, as rows [M,H] show it."""

    def __init__(self, rows: Array, w: Array):
        self.rows, self.w = rows, w
        self.root = cholesky(kernel(rows, rows, w) + JITTER * np.eye(len(rows)), lower=True)

    def __call__(self, x: Array) -> Array:
        return solve_triangular(self.root, kernel(self.rows, x, self.w), lower=True).T


def learned(kind: str, x: Array, targets: list[Array]) -> tuple[Basis, Ridge]:
    """The features of a trend, `linear` or `kernel`, of x [N,H], and the regression on them."""
    if kind == "linear":
        return (lambda z: z), Ridge.of(x, PENALTIES)
    basis = Kernel(spaced(x, CENTRES), column_weights(x, targets))
    return basis, Ridge.of(basis(x), KERNEL_PENALTIES)


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
    basis, ridge = learned(kind, x, [y])
    slope, left = ridge.fit(y, 1 / len(y))
    scale = max(left.std(), MIN_RESIDUAL)
    trend = Trend(basis, ridge.centre, slope, left.mean(), scale)
    return trend, ((left - trend.shift) / trend.scale).astype(np.float32)


def share_columns(kind: str, x: Array, y: Array, queries: Array) -> tuple[Array, Array]:
    """Predictions of the classes' shares, for context rows [N,K] and queries [M,K].

    Of two classes there is that of the second alone. A context row's has slopes learned without
    the row, and the mean of all rows: one without the row would tell the row's class.
    """
    count, columns = int(y.max()) + 1, []
    means = [(y == k).mean() for k in range(count)[1 if count == 2 else 0 :]]
    targets = [(y == k + (count == 2)) - mean for k, mean in enumerate(means)]
    basis, ridge = learned(kind, x, targets)
    at = basis(queries)
    for mean, centred in zip(means, targets):
        slope, left = ridge.fit(centred, 0.0)
        columns.append((mean + centred - left, mean + (at - ridge.centre) @ slope))
    return tuple(np.stack(part, axis=1) for part in zip(*columns))
