"""What surrounds the network, in float64 NumPy.

Encoding, imputation, feature pipelines, ensemble members, target scaling and
the quantile distribution, as TabICLv2 defines them. It serves the exporter's
golden vectors and the scores, and is the independent check of other
implementations.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Callable

import numpy as np
from sklearn.preprocessing import PowerTransformer

Array = np.ndarray
LEVEL_FLOOR = 1e-6
TAIL_KNOTS = 20
BETA_LIMITS = (0.01, 100.0)


# --- columns ------------------------------------------------------------------


@dataclass
class Encoder:
    """Categorical columns first, missing numbers to the mean, constants out.

    Categories arrive as ordinal codes with -1 for missing or unseen; missing
    numbers arrive as NaN.
    """

    order: list[int] = field(default_factory=list)
    fill: Array | None = None
    keep: Array | None = None

    def fit(self, x: Array, categorical: list[bool]) -> "Encoder":
        self.order = [j for j, c in enumerate(categorical) if c]
        self.order += [j for j, c in enumerate(categorical) if not c]
        x = x[:, self.order]
        present = ~np.isnan(x)
        total = np.where(present, x, 0.0).sum(0)
        self.fill = total / np.maximum(present.sum(0), 1)
        x = np.where(present, x, self.fill)
        self.keep = (x != x[0]).any(0) if len(x) > 1 else np.ones(x.shape[1], bool)
        return self

    def transform(self, x: Array) -> Array:
        x = x[:, self.order]
        return np.where(np.isnan(x), self.fill, x)[:, self.keep]


def yeo_johnson(z: Array, power: float) -> Array:
    """Yeo-Johnson transform of one column."""
    out = np.empty_like(z)
    up = z >= 0
    eps = np.finfo(float).eps
    if abs(power) < eps:
        out[up] = np.log1p(z[up])
    else:
        out[up] = ((z[up] + 1) ** power - 1) / power
    if abs(power - 2) > eps:
        out[~up] = -((1 - z[~up]) ** (2 - power) - 1) / (2 - power)
    else:
        out[~up] = -np.log1p(-z[~up])
    return out


@dataclass
class Pipeline:
    """Standardise, optionally Yeo-Johnson, then the soft outlier clip."""

    norm: str
    threshold: float = 4.0

    def fit(self, x: Array) -> "Pipeline":
        self.mean, self.spread = x.mean(0), x.std(0) + 1e-6
        z = self.standard(x)
        if self.norm == "power":
            self.powers = PowerTransformer(standardize=False).fit(z).lambdas_
            t = self.powered(z)
            deviation = t.std(0)
            constant = deviation < 10 * np.finfo(float).eps
            self.centre, self.scale = t.mean(0), np.where(constant, 1.0, deviation)
            z = (t - self.centre) / self.scale
        self.fit_limits(z)
        return self

    def fit_limits(self, z: Array) -> None:
        centre, spread = z.mean(0), np.maximum(z.std(0, ddof=1), 1e-6)
        inside = np.abs(z - centre) <= self.threshold * spread
        kept = np.where(inside, z, np.nan)
        centre = np.nanmean(kept, 0)
        spread = np.maximum(np.nanstd(kept, 0, ddof=1), 1e-6)
        self.low, self.high = centre - self.threshold * spread, centre + self.threshold * spread

    def standard(self, x: Array) -> Array:
        return np.clip((x - self.mean) / self.spread, -100, 100)

    def powered(self, z: Array) -> Array:
        columns = [yeo_johnson(z[:, j], p) for j, p in enumerate(self.powers)]
        return np.stack(columns, axis=1)

    def transform(self, x: Array) -> Array:
        z = self.standard(x)
        if self.norm == "power":
            z = (self.powered(z) - self.centre) / self.scale
        z = np.maximum(z, self.low - np.log1p(np.abs(z)))
        return np.minimum(z, self.high + np.log1p(np.abs(z)))


# --- members ------------------------------------------------------------------


@dataclass(frozen=True)
class Member:
    norm: str
    permutation: tuple[int, ...]


def latin_permutations(count: int, seed: int) -> list[list[int]]:
    """The rows of a random Latin square of `count` symbols."""
    rng = random.Random(seed)
    symbols, removed = list(range(count)), []
    while len(symbols) > 1:
        removed.append(symbols.pop(rng.randrange(len(symbols))))
    square = [symbols]
    for symbol in reversed(removed):
        square.append(list(square[0]))
        for i, row in enumerate(square):
            row.insert(i, symbol)
    rng.shuffle(square)
    square = [list(column) for column in zip(*square)]
    rng.shuffle(square)
    return square


def ensemble_members(features: int, count: int, norms: list[str], seed: int) -> list[Member]:
    """At most `count` members; the norm varies fastest."""
    if count == 1:
        return [Member("none", tuple(range(features)))]
    permutations = latin_permutations(features, seed)
    random.Random(seed).shuffle(permutations)
    members = [Member(norm, tuple(p)) for p in permutations for norm in norms]
    return members[:count]


# --- the quantile distribution ------------------------------------------------


@dataclass
class QuantileDistribution:
    """Linear between knots at the levels i/(Q+1), exponential beyond them.

    knots [M,Q] ascending; beta_left, beta_right [M]; standardised units.
    """

    knots: Array
    beta_left: Array
    beta_right: Array

    @classmethod
    def from_raw(cls, raw: Array) -> "QuantileDistribution":
        """Sort raw network quantiles [M,Q] and fit the tails to the end knots."""
        knots = np.sort(raw.astype(np.float64), axis=-1)
        levels = knot_levels(knots.shape[-1])
        k = min(TAIL_KNOTS, knots.shape[-1] // 4)
        left = tail_slope(knots[:, :k], np.log(levels[:k]))
        right = tail_slope(knots[:, -k:], np.log(1 - levels[-k:]))
        return cls(knots, left, right)

    @classmethod
    def average(cls, parts: list["QuantileDistribution"]) -> "QuantileDistribution":
        """Quantile averaging: the same family with averaged parameters."""
        stacked = [(p.knots, p.beta_left, p.beta_right) for p in parts]
        return cls(*(np.mean(column, axis=0) for column in zip(*stacked)))

    @property
    def levels(self) -> Array:
        return knot_levels(self.knots.shape[1])

    def mean(self) -> Array:
        a, q = self.levels, self.knots
        inner = (np.diff(a) * (q[:, :-1] + q[:, 1:]) / 2).sum(1)
        tails = a[0] * (q[:, 0] - self.beta_left) + (1 - a[-1]) * (q[:, -1] + self.beta_right)
        return inner + tails

    def quantile(self, level: float) -> Array:
        a, q = self.levels, self.knots
        if level < a[0]:
            below = np.log(max(level, LEVEL_FLOOR)) - np.log(a[0])
            return q[:, 0] + self.beta_left * below
        if level > a[-1]:
            above = np.log(max(1 - level, LEVEL_FLOOR)) - np.log(1 - a[-1])
            return q[:, -1] - self.beta_right * above
        i = min(max(np.searchsorted(a, level, side="right") - 1, 0), len(a) - 2)
        share = (level - a[i]) / (a[i + 1] - a[i])
        return q[:, i] + share * (q[:, i + 1] - q[:, i])

    def cdf(self, z: Array) -> Array:
        """P(Z <= z), one z per row."""
        return np.array([self.row_cdf(i, v) for i, v in enumerate(z)])

    def row_cdf(self, row: int, z: float) -> float:
        a, q = self.levels, self.knots[row]
        if z < q[0]:
            return min(np.exp((z - q[0]) / self.beta_left[row]) * a[0], a[0])
        if z > q[-1]:
            return max(1 - (1 - a[-1]) * np.exp(-(z - q[-1]) / self.beta_right[row]), a[-1])
        i = np.searchsorted(q, z, side="right") - 1
        if i >= len(q) - 1:
            return a[-1]
        return a[i] + (a[i + 1] - a[i]) * (z - q[i]) / (q[i + 1] - q[i])


def knot_levels(count: int) -> Array:
    return np.arange(1, count + 1) / (count + 1)


def tail_slope(knots: Array, logs: Array) -> Array:
    """|cov(knots, log level) / var(log level)|, limited."""
    centred = logs - logs.mean()
    covariance = ((knots - knots.mean(1, keepdims=True)) * centred).mean(1)
    return np.clip(np.abs(covariance / (centred**2).mean()), *BETA_LIMITS)


# --- everything together ------------------------------------------------------


def scale_target(y: Array) -> tuple[Array, float, float]:
    """Standardised float32 target, its mean and population deviation."""
    y = y.astype(np.float32).astype(np.float64)
    mu, variance = y.mean(), y.var()
    eps = np.finfo(float).eps
    constant = variance <= len(y) * eps * variance + (len(y) * mu * eps) ** 2
    sd = 1.0 if constant else float(np.sqrt(variance))
    return ((y - mu) / sd).astype(np.float32), float(mu), sd


@dataclass
class Ensemble:
    """How many members there are and how they differ."""

    members: int = 4
    norms: tuple[str, ...] = ("none", "power")
    seed: int = 42
    threshold: float = 4.0


@dataclass
class Prediction:
    """Distribution in standardised units with its scale, and the stages.

    `median` is the posterior of the noise-free conditional median, if the network has it,
    and `surface` [M,K+1,J] that of the conditional quantiles and the mean.
    """

    distribution: QuantileDistribution
    median: QuantileDistribution | None
    surface: Array | None
    mu: float
    sd: float
    members: list[Member]
    stages: dict[str, Array]

    def mean(self) -> Array:
        return self.distribution.mean() * self.sd + self.mu

    def quantiles(self, levels) -> Array:
        """[M, levels] in original units."""
        return self.rescaled(self.distribution, levels)

    def median_quantiles(self, levels) -> Array:
        """[M, levels] of the conditional median's posterior in original units."""
        return self.rescaled(self.median, levels)

    def rescaled(self, distribution: QuantileDistribution, levels) -> Array:
        columns = [distribution.quantile(a) for a in levels]
        return np.stack(columns, axis=1) * self.sd + self.mu

    def cdf(self, y: Array) -> Array:
        return self.distribution.cdf((y - self.mu) / self.sd)


# x_train [B,N,H], y [N], x_test [B,M,H] -> raw quantiles [B,M,Q] of the target, and those of
# its conditional median, or the surface [B,M,K+1,J], or None
Network = Callable[[Array, Array, Array], tuple[Array, Array | None]]


def encoded(x_train: Array, x_test: Array, categorical: list[bool] | None) -> tuple[Array, Array]:
    """Both parts of a table with numbers in all cells."""
    encoder = Encoder().fit(x_train, categorical or [False] * x_train.shape[1])
    return encoder.transform(x_train), encoder.transform(x_test)


def stacked(members: list, threshold: float, train: Array, test: Array) -> list[Array]:
    """The rows of both parts as every member reads them, [B,N,H] and [B,M,H]."""
    ready = {}
    for norm in dict.fromkeys(m.norm for m in members):
        pipeline = Pipeline(norm, threshold).fit(train)
        ready[norm] = pipeline.transform(train), pipeline.transform(test)
    return [
        np.stack([ready[m.norm][part][:, m.permutation] for m in members]).astype(np.float32)
        for part in (0, 1)
    ]


def predict(
    network: Network,
    ensemble: Ensemble,
    x_train: Array,
    y_train: Array,
    x_test: Array,
    categorical: list[bool] | None = None,
) -> Prediction:
    """Everything from the raw table to the averaged distributions of its query rows."""
    train, test = encoded(x_train, x_test, categorical)
    members = ensemble_members(
        train.shape[1], ensemble.members, list(ensemble.norms), ensemble.seed
    )
    context, queries = stacked(members, ensemble.threshold, train, test)
    y, mu, sd = scale_target(y_train)
    raw, posterior = network(context, y, queries)
    stages = {"x_train": context, "y_train": y, "x_test": queries, "quantiles": raw}
    median = surface = None
    if posterior is not None and posterior.ndim == 4:
        stages["surface"], surface = posterior, averaged_surface(posterior)
    elif posterior is not None:
        stages["median_quantiles"], median = posterior, averaged(posterior)
    return Prediction(averaged(raw), median, surface, mu, sd, members, stages)


def averaged(raw: Array) -> QuantileDistribution:
    """Raw quantiles [B,M,Q] of the members -> their average."""
    return QuantileDistribution.average([QuantileDistribution.from_raw(r) for r in raw])


def averaged_surface(raw: Array) -> Array:
    """Raw surfaces [B,M,K+1,J] of the members -> their average, increasing along both axes.

    Every member is sorted along the posterior levels, then, the mean's row aside, along
    the levels of the target, which keeps the first order.
    """
    members = np.sort(raw.astype(np.float64), axis=-1)
    members[..., :-1, :] = np.sort(members[..., :-1, :], axis=-2)
    return members.mean(0)
