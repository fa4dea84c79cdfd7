"""A linear trend of the target, and what it leaves for the network to learn.

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


def fit_trend(x: Array, y: Array) -> tuple[Trend, Array]:
    """From features [N,H] and a standardised target: the trend, and what members read."""
    centre = x.mean(0)
    u, s, vt = np.linalg.svd(x - centre, full_matrices=False)
    along = u.T @ y
    shrink = best_shrinkage(u, s, along, y)
    slope, left = np.zeros(x.shape[1]), y
    if shrink is not None:
        slope = vt.T @ (shrink / np.maximum(s, 1e-12) * along)
        leverage = 1 / len(y) + u**2 @ shrink
        left = (y - u @ (shrink * along)) / np.maximum(1 - leverage, LEAST_LEFT)
    trend = Trend(centre, slope, left.mean(), max(left.std(), MIN_RESIDUAL))
    return trend, ((left - trend.shift) / trend.scale).astype(np.float32)
