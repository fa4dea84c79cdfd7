"""A linear trend of the target, and what it leaves for the network to learn.

Of classes: linear predictions of their shares, which members read beside the features.

A member with a trend reads (r_i - shift) / scale, where r_i = y_i - f_{-i}(x_i) with the trend
f_{-i} learned without row i, and what the network says of it at a row x is brought back by
scale q + shift + f(x). f is a ridge regression whose penalty has the least generalised
cross-validation score (Golub, Heath & Wahba 1979) on a grid. It is learned on the features of
the pipeline "none" and the standardised target.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Array = np.ndarray
PENALTIES = np.exp(np.log(1e-6) + np.arange(33) * (np.log(1e2 / 1e-6) / 32))  # times the rows
MOST_FREEDOM = 0.9
LEAST_LEFT = 0.1
MIN_RESIDUAL = 1e-6


@dataclass
class Trend:
    """f(x) + shift = (x - centre) slope + shift, and the scale of what it leaves."""

    centre: Array
    slope: Array
    shift: float
    scale: float

    def at(self, x: Array) -> Array:
        return (x - self.centre) @ self.slope + self.shift


def best_shrinkage(u: Array, s: Array, along: Array, y: Array) -> Array | None:
    """s²/(s² + penalty) of the best penalty that leaves enough degrees of freedom."""
    n, best = len(y), None
    for penalty in n * PENALTIES:
        shrink = s**2 / (s**2 + penalty)
        freedom = 1 + shrink.sum()
        if freedom < MOST_FREEDOM * n:
            rest = y - u @ (shrink * along)
            score = n * (rest @ rest) / (n - freedom) ** 2
            if best is None or score < best[0]:
                best = score, shrink
    return best and best[1]


@dataclass
class Ridge:
    """Centred features, decomposed for regressions of several targets on them."""

    centre: Array
    u: Array
    s: Array
    vt: Array

    @classmethod
    def of(cls, x: Array) -> "Ridge":
        centre = x.mean(0)
        return cls(centre, *np.linalg.svd(x - centre, full_matrices=False))

    def fit(self, y: Array, leverage: float) -> tuple[Array, Array]:
        """Slopes for a target of mean zero, and the residuals of leaving one row out.

        The leverage of a row begins at the given number: 1/N if its mean is left out as well.
        """
        along = self.u.T @ y
        shrink = best_shrinkage(self.u, self.s, along, y)
        if shrink is None:
            return np.zeros(len(self.centre)), y
        slope = self.vt.T @ (shrink / np.maximum(self.s, 1e-12) * along)
        left = y - self.u @ (shrink * along)
        return slope, left / np.maximum(1 - leverage - self.u**2 @ shrink, LEAST_LEFT)


def fit_trend(x: Array, y: Array) -> tuple[Trend, Array]:
    """From features [N,H] and a standardised target: the trend, and what members read."""
    ridge = Ridge.of(x)
    slope, left = ridge.fit(y, 1 / len(y))
    trend = Trend(ridge.centre, slope, left.mean(), max(left.std(), MIN_RESIDUAL))
    return trend, ((left - trend.shift) / trend.scale).astype(np.float32)


def share_columns(x: Array, y: Array, queries: Array) -> tuple[Array, Array]:
    """Linear predictions of the classes' shares, for context rows [N,K] and queries [M,K].

    Of two classes there is that of the second alone. A context row's has slopes learned without
    the row, and the mean of all rows: one without the row would tell the row's class.
    """
    count = int(y.max()) + 1
    ridge, columns = Ridge.of(x), []
    for k in range(count)[1 if count == 2 else 0 :]:
        mean = (y == k).mean()
        centred = (y == k) - mean
        slope, left = ridge.fit(centred, 0.0)
        columns.append((mean + centred - left, mean + (queries - ridge.centre) @ slope))
    return tuple(np.stack(part, axis=1) for part in zip(*columns))
