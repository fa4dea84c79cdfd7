"""Functionals of the posterior surface in float64 NumPy: see docs/design/posterior.md.

A posterior surface holds the posterior quantiles of Q(u_k) and of the mean of every query
row. The distribution function follows from {F(t) >= u} = {Q(u) <= t}.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import ndtr, ndtri

Array = np.ndarray
LEVELS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
LOWER = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.125)
LOWER += (0.15, 0.175, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45)
POSTERIOR_LEVELS = LOWER + (0.5,) + tuple(round(1 - a, 4) for a in reversed(LOWER))


class Label(Protocol):
    """The label's own distribution P_0 of M rows."""

    def quantiles(self, levels) -> Array: ...  # [M, levels]

    def cdf(self, y: Array) -> Array: ...  # [M] of y [M]


def tails(tau: float) -> tuple[float, float]:
    """The lengths of a curve beyond the first and the last level u, as shares of the label's tails.

    The one towards the middle is shorter: a label's tail is also as long as it is because the
    place of the distribution is unknown.
    """
    return min(1.0, 2 * (1 - tau)), min(1.0, 2 * tau)


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
    posterior level tau is read at Phi(scale Phi^-1(tau)). Beyond the levels u curves go on as
    the label's quantile function does, `tails` times as far.
    """

    values: Array
    levels: Array
    posterior_levels: Array
    label: Label
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
        inside = np.array([np.interp(ndtri(u), grid, row) for row in rows])
        first, at, last = self.label.quantiles([self.levels[0], u, self.levels[-1]]).T
        left, right = tails(tau)
        return inside + left * np.minimum(at - first, 0) + right * np.maximum(at - last, 0)

    def cdf(self, t: float, tau: float) -> Array:
        """[M] posterior quantile of F(t) = P(y <= t).

        It is the u with Q(u) at t for the posterior level 1 - tau.
        """
        rows, grid = self.read(1 - tau)[:, :-1], ndtri(self.levels)
        found = ndtr([crossing(t, row, grid) for row in rows])
        low, high = self.levels[0], self.levels[-1]
        first, last = self.label.quantiles([low, high]).T
        left, right = tails(1 - tau)
        below = np.minimum(self.label.cdf(first + (t - rows[:, 0]) / left), low)
        above = np.maximum(self.label.cdf(last + (t - rows[:, -1]) / right), high)
        return np.where(t < rows[:, 0], below, np.where(t > rows[:, -1], above, found))

    def exceeds(self, t: float, tau: float) -> Array:
        """[M] posterior quantile of P(y > t)."""
        return 1 - self.cdf(t, 1 - tau)

    def rank(self, row: int, truth: Array) -> Array:
        """[M] normal score of the posterior level at which the truth stands in a row."""
        grid = ndtri(self.posterior_levels)
        pairs = zip(truth, self.values[:, row])
        return np.array([crossing(t, q, grid) for t, q in pairs])
