"""What surrounds the network, in float64 NumPy.

Encoding, imputation, feature pipelines, ensemble members, target scaling and
the quantile distribution, as TabICLv2 defines them. It serves the exporter's
golden vectors and the scores, and is the independent check of other
implementations.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtri
from sklearn.preprocessing import PowerTransformer

from scripts.reference.posterior import LEVELS as SURFACE_LEVELS
from scripts.reference.posterior import POSTERIOR_LEVELS
from scripts.reference.trend import LAW_LEAVES, Reach, fit_trend, is_law

Array = np.ndarray
LEVEL_FLOOR = 1e-6
STANDARD_LIMIT = 100.0
TINY_COLUMN, NOISE_LEVEL = 1e-4, 1e-12
DOUBT_SHARE = 0.5  # of a kernel's doubt; the network's posterior has the rest
NOISE_BEYOND = 0.5  # by how much the variance of the noise may be another one beyond the context
LEAST_SPREAD = 1e-9
KERNEL_GAIN, NO_HOPE = 0.8, 0.95
MOST_SHARES = 10
TAIL_KNOTS = 20
BETA_LIMITS = (0.01, 100.0)


# --- columns ------------------------------------------------------------------


def encoded(
    x_train: Array, x_test: Array, categorical: list[bool] | None
) -> tuple[Array, Array, int]:
    """Both parts of a table with numbers in all cells; the first columns, so many, are codes.

    Categories come first, missing numbers become the mean, constants go. Categories arrive as
    ordinal codes with -1 for missing or unseen; missing numbers arrive as NaN.
    """
    categorical = categorical or [False] * x_train.shape[1]
    order = sorted(range(len(categorical)), key=lambda j: not categorical[j])
    train, test = x_train[:, order], x_test[:, order]
    present = ~np.isnan(train)
    fill = np.where(present, train, 0.0).sum(0) / np.maximum(present.sum(0), 1)
    train, test = (np.where(np.isnan(x), fill, x) for x in (train, test))
    keep = (train != train[0]).any(0) if len(train) > 1 else np.ones(train.shape[1], bool)
    return train[:, keep], test[:, keep], int(keep[: sum(categorical)].sum())


@dataclass
class Pipeline:
    """Standardise, optionally Yeo-Johnson, then the soft outlier clip.

    The 1e-6 that is added to deviations is relative to those below 1e-4, which it would erase.
    """

    norm: str
    threshold: float = 4.0

    def fit(self, x: Array) -> Pipeline:
        self.mean, spread = x.mean(0), x.std(0)
        tiny = (spread < TINY_COLUMN) & (spread > NOISE_LEVEL * np.abs(self.mean))
        self.spread = spread + 1e-6 * np.where(tiny, spread, 1.0)
        z = self.standard(x)
        if self.norm == "power":
            self.power = PowerTransformer(standardize=False).fit(z)
            t = self.power.transform(z)
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
        return np.clip((x - self.mean) / self.spread, -STANDARD_LIMIT, STANDARD_LIMIT)

    def transform(self, x: Array) -> Array:
        z = self.standard(x)
        if self.norm == "power":
            z = (self.power.transform(z) - self.centre) / self.scale
        z = np.maximum(z, self.low - np.log1p(np.abs(z)))
        return np.minimum(z, self.high + np.log1p(np.abs(z)))


# --- members ------------------------------------------------------------------


@dataclass(frozen=True)
class Member:
    norm: str
    permutation: tuple[int, ...]
    trend: str = "none"


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


@dataclass
class Ensemble:
    """How many members there are and how they differ.

    `shuffle` is "latin", every order of the features with all norms, or "latin_diagonal", the
    next order with the next norm. `trends`, if there are any, are those of the members in turn:
    "none", "linear" or "kernel". A member of a regression reads what its trend leaves of the
    target, and the narrower members weigh more; one of a classifier reads the trend's predictions
    of the shares of at most ten classes.
    """

    members: int = 4
    norms: tuple[str, ...] = ("none", "power")
    seed: int = 42
    threshold: float = 4.0
    shuffle: str = "latin"
    trends: tuple[str, ...] = ()

    @classmethod
    def of(cls, entry: dict) -> Ensemble:
        """That of a manifest."""
        rest = entry["seed"], entry["outlier_threshold"], entry["shuffle"]
        norms, trends = tuple(entry["norms"]), tuple(entry.get("trends", ()))
        return cls(entry["members"], norms, *rest, trends)

    def kinds(self, classes: int = 0) -> list[tuple[str, str]]:
        """Norms and trends, both in turn, until all pairs or the first one come again."""
        norms, trends = self.norms, self.trends or ("none",)
        if classes > MOST_SHARES:
            trends = ("none",)
        count = math.lcm(len(norms), len(trends))
        return [(norms[i % len(norms)], trends[i % len(trends)]) for i in range(count)]

    def composed(self, orders: list, kinds: list) -> list[tuple]:
        """Of at most so many members an order and a kind."""
        if self.shuffle == "latin":
            every = [(order, kind) for order in orders for kind in kinds]
        else:
            h, k = len(orders), len(kinds)
            again = math.lcm(h, k)  # from there on the next kind with every order
            every = [(orders[i % h], kinds[(i + i // again) % k]) for i in range(h * k)]
        return every[: self.members]

    def weights(self, label: Array) -> Array:
        """[B,M] weights of members that say quantiles [B,M,Q] of the label: equal or, with
        trends, the inverse squares of the spreads.
        """
        knots = np.sort(label.astype(np.float64), axis=-1)
        last = knots.shape[-1] - 1
        far = int(0.1 * last + 0.5)
        spread = knots[..., last - far] - knots[..., far]
        w = np.maximum(spread, LEAST_SPREAD) ** (-2.0 if self.trends else 0.0)
        return w / w.sum(0)


def ensemble_members(features: int, ensemble: Ensemble) -> list[Member]:
    if ensemble.members == 1:
        return [Member("none", tuple(range(features)))]
    permutations = latin_permutations(features, ensemble.seed)
    random.Random(ensemble.seed).shuffle(permutations)
    pairs = ensemble.composed(permutations, ensemble.kinds())
    return [Member(norm, tuple(p), trend) for p, (norm, trend) in pairs]


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
    def from_raw(cls, raw: Array) -> QuantileDistribution:
        """Sort raw network quantiles [M,Q] and fit the tails to the end knots."""
        knots = np.sort(raw.astype(np.float64), axis=-1)
        levels = knot_levels(knots.shape[-1])
        k = min(TAIL_KNOTS, knots.shape[-1] // 4)
        left = tail_slope(knots[:, :k], np.log(levels[:k]))
        right = tail_slope(knots[:, -k:], np.log(1 - levels[-k:]))
        return cls(knots, left, right)

    @classmethod
    def average(cls, parts: list, w: Array) -> QuantileDistribution:
        """Quantile averaging with weights [B,M]: the same family with averaged parameters."""
        knots = np.einsum("bm,bmq->mq", w, np.stack([p.knots for p in parts]))
        betas = [[p.beta_left for p in parts], [p.beta_right for p in parts]]
        return cls(knots, *((w * np.stack(beta)).sum(0) for beta in betas))

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

    def row_cdf(self, row: int, z: float) -> float:
        """P(Z <= z) of a row."""
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
class Prediction:
    """Distribution in standardised units with its scale, and the stages.

    `surface` [M,K+1,J] is the posterior of the conditional quantiles and the mean, if the network
    has it.
    """

    distribution: QuantileDistribution
    surface: Array | None
    mu: float
    sd: float
    members: list[Member]
    stages: dict[str, Array]

    def mean(self) -> Array:
        return self.distribution.mean() * self.sd + self.mu

    def quantiles(self, levels) -> Array:
        """[M, levels] in original units."""
        columns = [self.distribution.quantile(a) for a in levels]
        return np.stack(columns, axis=1) * self.sd + self.mu


# x_train [B,N,H], y [N], x_test [B,M,H] -> raw quantiles [B,M,Q] of the target, and the surface
# [B,M,K+1,J], or None
Network = Callable[[Array, Array, Array], tuple[Array, Array | None]]


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
    train, test, words = encoded(x_train, x_test, categorical)
    members = ensemble_members(train.shape[1], ensemble)
    context, queries = stacked(members, ensemble.threshold, train, test)
    y, mu, sd = scale_target(y_train)
    members, targets, trends, stages = targets_of(members, ensemble, train, test, y_train, words)
    raw, posterior = network(context, targets, queries)
    stages |= {"x_train": context, "y_train": y, "x_test": queries, "quantiles": raw}
    label = trended(raw, members, trends)
    w = ensemble.weights(label)
    spread, surface = spread_of(members, w, stages), None
    if posterior is not None:
        stages["surface"] = posterior
        surface = averaged_surface(trended(posterior, members, trends), w, spread)
    return Prediction(averaged(label, w, spread), surface, mu, sd, members, stages)


@dataclass
class Spread:
    """What widens the rows of a table, [M] each: the doubt about a kernel's trend, the variance of
    what a function may do beyond the context, and the share that a row is beyond.
    """

    doubt: Array
    variance: Array
    share: Array
    kernel: bool  # whether a member has a kernel's trend


def spread_of(members: list[Member], w: Array, stages: dict) -> Spread:
    none = np.zeros(w.shape[1])
    by_kernel = [m.trend == "kernel" for m in members]
    doubt = w[by_kernel].sum(0) * stages["doubt"] if any(by_kernel) else none
    beyond = stages.get("beyond", {"variance": none, "share": none})
    return Spread(doubt, beyond["variance"], beyond["share"], any(by_kernel))


def targets_of(
    members: list[Member],
    ensemble: Ensemble,
    train: Array,
    test: Array,
    y_train: Array,
    words: int = 0,
) -> tuple[list[Member], Array, dict[str, tuple], dict]:
    """The members, what they read of the target, [N] or [B,N]; trends [M] and scales; stages.

    The first columns, so many, are codes of categories.

    A kernel's trend that leaves nearly as much as the linear one is left out. Outliers of the
    features of trends are clipped, unless a line that reads them leaves nearly nothing.
    """
    y, mu, sd = scale_target(y_train)
    kinds = sorted({m.trend for m in members} - {"none"})
    if not kinds:
        return members, y, {}, {}
    scores = (y_train.astype(np.float32).astype(np.float64) - mu) / sd
    whole = Pipeline("none", STANDARD_LIMIT).fit(train)
    law = "linear" in kinds and is_law(whole.transform(train), scores)
    plain = whole if law else Pipeline("none", ensemble.threshold).fit(train)
    context, queries = plain.transform(train), plain.transform(test)
    fits = {kind: fit_trend(kind, context, scores, words) for kind in kinds}
    reach = reach_of(context, fits)
    held, stages = queries, {}
    if reach is not None:
        held, variance, share = reach.hold(queries)
        stages = {"beyond": {"variance": variance, "share": share}}
    if not kernel_gains(fits):
        del fits["kernel"]
        members = [replace(m, trend="none") if m.trend == "kernel" else m for m in members]
    trends = {kind: (trend.at(held), trend.scale) for kind, (trend, _) in fits.items()}
    targets = np.stack([y if m.trend == "none" else fits[m.trend][1] for m in members])
    stages |= {
        "y_trend": {kind: left for kind, (_, left) in fits.items()},
        "trend": {kind: at for kind, (at, _) in trends.items()},
        "trend_scale": {kind: scale for kind, (_, scale) in trends.items()},
    }
    if "kernel" in fits:
        doubt = fits["kernel"][0].doubt
        stages["doubt"] = np.zeros(len(queries)) if doubt is None else doubt.at(queries)
    return members, targets, trends, stages


def reach_of(context: Array, fits: dict[str, tuple]) -> Reach | None:
    """Where the features [N,H] of trends end, unless a law is followed or there is no kernel."""
    line = fits["linear"][0] if "linear" in fits else None
    if "kernel" not in fits or line is not None and line.straight < LAW_LEAVES:
        return None
    return Reach.of(context, fits["kernel"][0], line)


def kernel_gains(fits: dict[str, tuple]) -> bool:
    """Whether a kernel's trend, if there is one, leaves much less than the line without levels."""
    if "linear" not in fits or "kernel" not in fits:
        return True
    kernel, straight = fits["kernel"][0], fits["linear"][0].straight
    return kernel.first < NO_HOPE * straight and kernel.scale < KERNEL_GAIN * straight


def trended(raw: Array, members: list[Member], trends: dict[str, tuple]) -> Array:
    """What the network says [B,M,...] in standardised units of the target."""
    parts = []
    for said, m in zip(raw, members):
        if m.trend in trends:
            at, scale = trends[m.trend]
            said = at.reshape(-1, *(1,) * (raw.ndim - 2)) + scale * said.astype(np.float64)
        parts.append(said.astype(np.float64))
    return np.stack(parts)


def averaged(raw: Array, w: Array, spread: Spread) -> QuantileDistribution:
    """Quantiles [B,M,Q] of the members -> their average, wider beyond the context: stretched about
    its median between the levels 0.05 and 0.95, and further out moved with them as far as a normal
    distribution is.
    """
    parts = [QuantileDistribution.from_raw(r) for r in raw]
    mean = QuantileDistribution.average(parts, w)
    lo, middle, hi = (mean.quantile(level)[:, None] for level in (0.05, 0.5, 0.95))
    within = (hi - lo) / (2 * ndtri(0.95))
    between = (w * (np.stack([p.quantile(0.5) for p in parts]) - middle[:, 0]) ** 2).sum(0)
    added = spread.variance + spread.share * (between + DOUBT_SHARE * spread.doubt)
    added, noise = added[:, None], 1 + NOISE_BEYOND * spread.share[:, None]
    by = np.sqrt(noise + added / np.maximum(within, LEAST_SPREAD) ** 2)
    z, inner = ndtri(mean.levels), np.clip(mean.knots, lo, hi)

    def far(q: Array, z: Array) -> Array:
        return np.copysign(np.sqrt(noise * (q - middle) ** 2 + added * z**2), z)

    rest = far(mean.knots, z) - far(inner, np.copysign(ndtri(0.95), z))
    knots = middle + by * (inner - middle) + np.where(inner == mean.knots, 0, rest)
    wide = QuantileDistribution.from_raw(knots)
    wider = (spread.share > 0) & (within[:, 0] > LEAST_SPREAD)
    return QuantileDistribution(
        np.where(wider[:, None], wide.knots, mean.knots),
        np.where(wider, wide.beta_left, mean.beta_left),
        np.where(wider, wide.beta_right, mean.beta_right),
    )


def averaged_surface(raw: Array, w: Array, spread: Spread) -> Array:
    """Surfaces [B,M,K+1,J] of the members -> their average, increasing along both axes.

    Rows that a kernel's member reads and rows beyond the context have posteriors that are stretched
    about their medians: to the variance come that of the members' medians, half of the doubt, what
    the function may do beyond the context and, as the noise may be another one there, a share of
    the squared distance from the median of the label.
    """
    members = in_order(raw.astype(np.float64))
    mean = (w[..., None, None] * members).sum(0)
    wider = spread.kernel | (spread.share > 0)
    if not wider.any():
        return mean
    lo, mid, hi = (POSTERIOR_LEVELS.index(tau) for tau in (0.05, 0.5, 0.95))
    between = (w[..., None] * (members[..., mid] - mean[..., mid]) ** 2).sum(0)
    between += (DOUBT_SHARE * spread.doubt + spread.variance)[:, None]
    middle = mean[..., :-1, mid][..., SURFACE_LEVELS.index(0.5)]
    noise = (mean[..., :-1, mid] - middle[:, None]) ** 2
    between[:, :-1] += NOISE_BEYOND * spread.share[:, None] * noise
    within = (mean[..., hi] - mean[..., lo]) / (ndtri(0.95) - ndtri(0.05))
    by = np.sqrt(1 + between / np.maximum(within, LEAST_SPREAD) ** 2)[..., None]
    centre = mean[..., mid : mid + 1]
    stretch = (within[..., None] > LEAST_SPREAD) & wider[:, None, None]
    return in_order(np.where(stretch, centre + by * (mean - centre), mean))


def in_order(surfaces: Array) -> Array:
    """Sorted along the posterior levels, then, the mean's row aside, along those of the target.

    The second sort keeps the first order.
    """
    surfaces = np.sort(surfaces, axis=-1)
    surfaces[..., :-1, :] = np.sort(surfaces[..., :-1, :], axis=-2)
    return surfaces
