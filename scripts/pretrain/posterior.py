"""Functionals of the posterior surface in float64 NumPy: see docs/surface.md.

A posterior surface holds the posterior quantiles of Q(u_k) and of the mean of every query
row. The distribution function follows from {F(t) >= u} = {Q(u) <= t}.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

Array = np.ndarray
LEVELS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
LOWER = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.125)
LOWER += (0.15, 0.175, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45)
POSTERIOR_LEVELS = LOWER + (0.5,) + tuple(round(1 - a, 4) for a in reversed(LOWER))


def crossing(x: float, knots: Array, values: Array) -> float:
    """The value at x of the line through ascending knots; beyond them -inf or inf."""
    if x < knots[0]:
        return -np.inf
    if x > knots[-1]:
        return np.inf
    return float(np.interp(x, knots, values))


@dataclass
class PosteriorSurface:
    """values [M,K+1,J] ascending along the last axis and along the first K rows.

    `levels` u [K], `posterior_levels` tau [J]. The limit of an interval with the nominal
    posterior level tau is read at Phi(scale Phi^-1(tau)).
    """

    values: Array
    levels: Array
    posterior_levels: Array
    scale: float = 1.0

    def read(self, tau: float) -> Array:
        """[M,K+1] posterior quantiles at the nominal level tau, in the normal score of tau."""
        score, grid = self.scale * ndtri(tau), ndtri(self.posterior_levels)
        score = np.clip(score, grid[0], grid[-1])
        j = min(np.searchsorted(grid, score, side="right") - 1, len(grid) - 2)
        share = (score - grid[j]) / (grid[j + 1] - grid[j])
        return self.values[..., j] * (1 - share) + self.values[..., j + 1] * share

    def mean(self, tau: float) -> Array:
        """[M] posterior quantile of the conditional mean."""
        return self.read(tau)[:, -1]

    def quantile(self, u: float, tau: float) -> Array:
        """[M] posterior quantile of Q(u), interpolated in the normal score of u."""
        rows, grid = self.read(tau)[:, :-1], ndtri(self.levels)
        return np.array([np.interp(ndtri(u), grid, row) for row in rows])

    def cdf(self, t: float, tau: float) -> Array:
        """[M] posterior quantile of F(t) = P(y <= t).

        It is the u with Q(u) at t for the posterior level 1 - tau. Below the first and
        above the last level u nothing is resolved: there it is the outer end for a limit
        of an interval, and the middle for a point.
        """
        rows, grid = self.read(1 - tau)[:, :-1], ndtri(self.levels)
        found = ndtr([crossing(t, row, grid) for row in rows])
        low, high = self.levels[0], self.levels[-1]
        ends = {-1: (0.0, high), 0: (low / 2, (1 + high) / 2), 1: (low, 1.0)}
        below, above = ends[int(np.sign(np.round(tau - 0.5, 12)))]
        return np.where(found < low, below, np.where(found > high, above, found))

    def exceeds(self, t: float, tau: float) -> Array:
        """[M] posterior quantile of P(y > t)."""
        return 1 - self.cdf(t, 1 - tau)

    def rank(self, row: int, truth: Array) -> Array:
        """[M] normal score of the posterior level at which the truth stands in a row."""
        grid = ndtri(self.posterior_levels)
        pairs = zip(truth, self.values[:, row])
        return np.array([crossing(t, q, grid) for t, q in pairs])
