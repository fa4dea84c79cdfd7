"""Synthetic regression tables: the prior the network is trained on.

`sample_tables` draws a batch of tables that share their shape [B,T,H]. A batch
is put together from small groups; within a group the structural choices (family,
activation, depth) are shared and every number differs from table to table.
Everything is drawn from one `torch.Generator`, so a seed fixes the tables of a
device. Cells may be missing (NaN).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

TARGET_LIMIT = 20.0


@dataclass
class Tables:
    """x [B,T,H], y [B,T] and the noise-free truth: the conditional median and mean of y.

    The truth is NaN where it is unknown: for tables whose features may be effects
    of the target, for rows with missing cells, and for the mean of warped targets.
    """

    x: Tensor
    y: Tensor
    median: Tensor
    mean: Tensor
    family: list[str]


class Draw:
    """Random numbers from one generator."""

    def __init__(self, seed: int, device: str = "cpu"):
        self.device = device
        self.generator = torch.Generator(device).manual_seed(seed)

    def normal(self, *shape: int) -> Tensor:
        return torch.randn(shape, generator=self.generator, device=self.device)

    def uniform(self, *shape: int, low: float = 0.0, high: float = 1.0) -> Tensor:
        unit = torch.rand(shape, generator=self.generator, device=self.device)
        return low + (high - low) * unit

    def log_uniform(self, *shape: int, low: float, high: float) -> Tensor:
        return torch.exp(self.uniform(*shape, low=math.log(low), high=math.log(high)))

    def integers(self, low: int, high: int, *shape: int) -> Tensor:
        """Integers in [low, high]."""
        return torch.randint(
            low, high + 1, shape, generator=self.generator, device=self.device
        )

    def integer(self, low: int, high: int) -> int:
        return int(self.integers(low, high, 1))

    def chance(self, p: float) -> bool:
        return float(self.uniform(1)) < p

    def mask(self, p: float, *shape: int) -> Tensor:
        return self.uniform(*shape) < p

    def pick(self, options: dict):
        """One key, with the values as unnormalised probabilities."""
        keys = list(options)
        return keys[int(self.indices(list(options.values()), 1))]

    def indices(self, weights: list[float], count: int) -> Tensor:
        """[count] independent indices with unnormalised probabilities."""
        w = torch.tensor(weights, dtype=torch.float, device=self.device)
        return torch.multinomial(w, count, replacement=True, generator=self.generator)

    def columns(self, weights: Tensor, count: int) -> Tensor:
        """[b,H] non-negative weights -> [b,count] column indices."""
        return torch.multinomial(weights + 1e-6, count, replacement=True, generator=self.generator)


def standardise(v: Tensor, dim: int = 1) -> Tensor:
    centred = v - v.mean(dim, keepdim=True)
    return centred / (centred.square().mean(dim, keepdim=True).sqrt() + 1e-6)


# --- features -----------------------------------------------------------------


def base_noise(d: Draw, b: int, t: int, k: int) -> Tensor:
    """[b,t,k] independent columns from one of several shapes."""
    kind = d.pick({"normal": 5, "uniform": 3, "laplace": 1, "student": 1, "clusters": 2})
    z = d.normal(b, t, k)
    if kind == "uniform":
        return d.uniform(b, t, k, low=-1.7, high=1.7)
    if kind == "laplace":
        return z * torch.sqrt(-torch.log(d.uniform(b, t, 1).clamp_min(1e-6)))
    if kind == "student":
        return z / (d.normal(b, t, 4).square().mean(-1, keepdim=True) + 0.05).sqrt()
    if kind == "clusters":
        centres = 2 * d.normal(b, 6, k)
        member = d.integers(0, d.integer(1, 5), b, t)
        chosen = torch.gather(centres, 1, member.unsqueeze(-1).expand(-1, -1, k))
        return chosen + z * d.log_uniform(b, 1, 1, low=0.1, high=1.0)
    return z


def activation(d: Draw):
    kinds = {
        "tanh": torch.tanh,
        "relu": torch.relu,
        "silu": torch.nn.functional.silu,
        "sin": torch.sin,
        "abs": torch.abs,
        "bump": lambda v: torch.exp(-v * v),
        "square": lambda v: v * v.clamp(-3, 3),
        "step": lambda v: torch.where(v > 0, 1.0, -1.0) + 0.2 * v,
        "identity": lambda v: v,
    }
    weights = {k: 1.0 for k in kinds} | {"tanh": 3.0, "relu": 2.0, "silu": 2.0, "step": 0.5}
    return kinds[d.pick(weights)]


def mixed(d: Draw, b: int, t: int, h: int) -> Tensor:
    """Correlated columns: low-rank factors plus idiosyncratic parts."""
    rank = d.integer(1, max(1, h // 2 + 1))
    loads = d.normal(b, rank, h) / math.sqrt(rank)
    own = d.log_uniform(b, 1, h, low=0.05, high=2.0)
    return base_noise(d, b, t, rank) @ loads + own * base_noise(d, b, t, h)


def chained(d: Draw, b: int, t: int, h: int) -> Tensor:
    """Columns that derive from earlier columns through random functions."""
    columns = [base_noise(d, b, t, 1)]
    for _ in range(h - 1):
        own = base_noise(d, b, t, 1)
        if d.chance(0.35):
            columns.append(own)
            continue
        parents = torch.cat(columns[-4:], dim=-1)
        loads = d.normal(b, parents.shape[-1], 1)
        derived = activation(d)(standardise(parents @ loads) * d.log_uniform(1, low=0.5, high=2.0))
        columns.append(standardise(derived) + own * d.log_uniform(b, 1, 1, low=0.02, high=1.0))
    return torch.cat(columns, dim=-1)


def gridded(d: Draw, u: Tensor) -> Tensor:
    """Rows share a few settings of some columns, as designed experiments do."""
    b, t, h = u.shape
    settings = d.integer(3, max(4, t // 6))
    rows = d.integers(0, settings - 1, b, t).unsqueeze(-1).expand(-1, -1, h)
    shared = torch.gather(u, 1, rows.clamp_max(t - 1))
    return torch.where(d.mask(0.6, b, 1, h), shared, u)


def quantised(d: Draw, u: Tensor) -> Tensor:
    """Round every column to its own number of levels (2..20)."""
    b, _, h = u.shape
    levels = d.log_uniform(b, 1, h, low=2, high=20).round()
    low, high = u.amin(1, keepdim=True), u.amax(1, keepdim=True)
    unit = (u - low) / (high - low + 1e-6)
    equal_mass = torch.special.ndtr(standardise(u))
    unit = torch.where(d.mask(0.7, b, 1, h), equal_mass, unit)
    return (unit * levels).floor().clamp_max(levels - 1)


def coded(d: Draw, codes: Tensor) -> Tensor:
    """Replace integer codes by arbitrary numbers: categories without an order."""
    b, _, h = codes.shape
    table = d.normal(b, 21, h)
    return torch.gather(table, 1, codes.long().clamp(0, 20))


def reshaped(d: Draw, u: Tensor) -> tuple[Tensor, Tensor]:
    """Monotone changes of each column's marginal distribution; which columns lose by it."""
    b, _, h = u.shape
    v = standardise(u).clamp(-6, 6)
    sign = torch.where(d.mask(0.75, b, 1, h), 1.0, -1.0)
    rate = d.uniform(b, 1, h, low=0.3, high=1.5)
    choices = torch.stack(
        (
            v,
            sign * torch.exp(rate * sign * v),
            torch.sign(v) * v.abs() ** (1 + rate),
            torch.special.ndtr(v * (1 + rate)),
            torch.relu(v - 0.3 * sign * rate),
        )
    )
    index = d.indices([0.5, 0.2, 0.1, 0.12, 0.08], b * h).view(1, b, 1, h)
    shown = torch.gather(choices, 0, index.expand(1, -1, v.shape[1], -1))[0]
    return shown, index[0] == 4


def features(d: Draw, b: int, t: int, h: int) -> tuple[Tensor, Tensor]:
    """Observed columns and the latent columns that the target depends on."""
    maker = d.pick({base_noise: 4, mixed: 4, chained: 3})
    u = maker(d, b, t, h)
    if d.chance(0.2):
        u = gridded(d, u)
    shown = u
    if d.chance(0.65):
        shown, lossy = reshaped(d, u)
        u = torch.where(lossy, shown, u)
    share = d.pick({0.0: 5, 0.25: 3, 0.6: 2, 1.0: 1.5})
    if share:
        codes = quantised(d, u)
        discrete, nominal = d.mask(share, b, 1, h), d.mask(0.25, b, 1, h)
        shown = torch.where(discrete, codes, shown)
        u = torch.where(discrete, torch.where(nominal, coded(d, codes), codes), u)
    latent = shown if d.chance(0.5) else u
    if share and latent is shown:
        latent = torch.where(discrete & nominal, u, shown)
    return shown, standardise(latent).clamp(-8, 8)


def relevance(d: Draw, b: int, h: int) -> Tensor:
    """[b,h] weights of the columns; some are exactly zero."""
    spread = d.pick({0.0: 1, 0.5: 2, 1.0: 2, 1.5: 1})
    weights = torch.exp(spread * d.normal(b, h))
    if d.chance(0.6):
        weights = weights * d.mask(d.pick({0.3: 1, 0.6: 1, 0.85: 1}), b, h)
    first = torch.zeros_like(weights).scatter_(1, d.integers(0, h - 1, b, 1), 1.0)
    weights = torch.where(weights.sum(1, keepdim=True) > 0, weights, first)
    return weights / weights.square().sum(1, keepdim=True).sqrt()


# --- functions ----------------------------------------------------------------


def univariate(d: Draw, u: Tensor) -> Tensor:
    """A random function of each column, standardised."""
    b, _, h = u.shape
    knot, rate = 0.8 * d.normal(b, 1, h), d.log_uniform(b, 1, h, low=0.5, high=4.0)
    v = u - knot
    shapes = torch.stack(
        (
            u,
            v * v.clamp(-4, 4),
            torch.relu(v),
            (v > 0).float(),
            torch.sin(rate * v),
            torch.tanh(rate * v),
            v.abs(),
            torch.exp(-(rate * v).square()),
        )
    )
    main = d.integers(0, len(shapes) - 1, b, 1, h)
    chosen = torch.nn.functional.one_hot(main, len(shapes)).permute(3, 0, 1, 2).float()
    mix = chosen + d.uniform(1, high=0.5) * d.normal(len(shapes), b, 1, h)
    return standardise((shapes * mix).sum(0)) * torch.where(d.mask(0.5, b, 1, h), 1.0, -1.0)


def wiggles(d: Draw, u: Tensor) -> Tensor:
    """A random rough function of each column through 4 to 24 random points, standardised."""
    b, _, h = u.shape
    count = d.integer(4, 24)
    low, high = u.amin(1, keepdim=True), u.amax(1, keepdim=True)
    at = (u - low) / (high - low + 1e-6) * (count - 1)
    left = at.floor().clamp_max(count - 2).long()
    share = at - left
    if d.chance(0.7):
        share = share.square() * (3 - 2 * share)
    values = d.normal(b, count, h)
    one, two = torch.gather(values, 1, left), torch.gather(values, 1, left + 1)
    return standardise(one + share * (two - one))


def linear(d: Draw, u: Tensor, w: Tensor) -> Tensor:
    return (u * (w * d.normal(*w.shape)).unsqueeze(1)).sum(-1)


def additive(d: Draw, u: Tensor, w: Tensor) -> Tensor:
    parts = wiggles(d, u) if d.chance(0.3) else univariate(d, u)
    return (parts * w.unsqueeze(1)).sum(-1)


def perceptron(d: Draw, u: Tensor, w: Tensor) -> Tensor:
    """A random network of one to three hidden layers."""
    act, b = activation(d), u.shape[0]
    width, gain = d.integer(4, 32), float(d.log_uniform(1, low=0.7, high=3.0))
    hidden = u * w.unsqueeze(1)
    for layer in range(d.pick({1: 3, 2: 3, 3: 1})):
        fan_in = hidden.shape[-1]
        scale = gain if layer == 0 else 1.3 / math.sqrt(fan_in)
        hidden = hidden @ (scale * d.normal(b, fan_in, width)) + d.normal(b, 1, width)
        hidden = act(hidden)
    return (hidden @ d.normal(b, width, 1)).squeeze(-1)


def fourier(d: Draw, u: Tensor, w: Tensor) -> Tensor:
    """A Gaussian process by random Fourier features, one length per column."""
    b, _, h = u.shape
    count, scale = 96, d.log_uniform(b, 1, 1, low=0.3, high=2.5)
    frequency = d.normal(b, h, count) * w.unsqueeze(-1) * scale
    if d.chance(0.5):
        frequency = frequency / d.normal(b, 3, count).square().mean(1, keepdim=True).sqrt()
    phase = d.uniform(b, 1, count, high=2 * math.pi)
    return (torch.cos(u @ frequency + phase) @ d.normal(b, count, 1)).squeeze(-1)


def forest(d: Draw, u: Tensor, w: Tensor) -> Tensor:
    """A sum of oblivious trees with thresholds at observed values."""
    b, t, _ = u.shape
    count, depth = d.pick({1: 2, 2: 1, 4: 1, 8: 1, 16: 1, 32: 1}), d.integer(1, 5)
    columns = d.columns(w, count * depth)
    values = torch.gather(u, 2, columns.unsqueeze(1).expand(-1, t, -1))
    rows = d.integers(0, t - 1, b, 1, count * depth)
    bits = (values > torch.gather(values, 1, rows)).view(b, t, count, depth)
    code = (bits * (2 ** torch.arange(depth, device=u.device))).sum(-1).transpose(1, 2)
    leaves = d.normal(b, count, 2**depth) * d.log_uniform(b, count, 1, low=0.3, high=2.0)
    return torch.gather(leaves, 2, code).sum(1)


def products(d: Draw, u: Tensor, w: Tensor) -> Tensor:
    """A sum of a few products of two or three univariate functions."""
    b, t, _ = u.shape
    terms, order = d.integer(1, 4), d.pick({2: 3, 3: 1})
    shaped = u if d.chance(0.4) else univariate(d, u)
    columns = d.columns(w, terms * order).unsqueeze(1).expand(-1, t, -1)
    factors = torch.gather(shaped, 2, columns).view(b, t, terms, order) + d.normal(
        b, 1, terms, order
    )
    sums = (factors.prod(-1) * d.normal(b, 1, terms)).sum(-1)
    return standardise(sums) + d.uniform(b, 1, high=1.5) * standardise(linear(d, u, w))


def power_law(d: Draw, u: Tensor, w: Tensor) -> Tensor:
    """exp of a linear function: a product of powers of positive columns."""
    score = standardise(linear(d, u, w) if d.chance(0.6) else additive(d, u, w))
    return torch.exp((score * d.uniform(u.shape[0], 1, low=0.3, high=1.6)).clamp(-6, 6))


SIMPLE = {
    linear: 1.5,
    additive: 2.5,
    perceptron: 3.0,
    fourier: 2.0,
    forest: 2.5,
    products: 1.5,
    power_law: 1.0,
}


def combined(d: Draw, u: Tensor, w: Tensor) -> Tensor:
    """Two functions added, multiplied, or switched by a threshold."""
    one = standardise(d.pick(SIMPLE)(d, u, w))
    two = standardise(d.pick(SIMPLE)(d, u, relevance(d, *w.shape)))
    how = d.pick({"sum": 3, "switch": 2, "max": 1, "scale": 1})
    if how == "sum":
        return one + d.log_uniform(u.shape[0], 1, low=0.2, high=1.0) * two
    if how == "max":
        return torch.maximum(one, two)
    if how == "scale":
        return one * torch.exp(0.5 * two)
    column = d.columns(w, 1).unsqueeze(1).expand(-1, u.shape[1], -1)
    gate = torch.gather(u, 2, column).squeeze(-1) > 0.5 * d.normal(u.shape[0], 1)
    return torch.where(gate, one, two)


FAMILIES = SIMPLE | {combined: 4.0}


# --- targets ------------------------------------------------------------------


def noise(d: Draw, u: Tensor, f: Tensor, w: Tensor) -> tuple[Tensor, Tensor]:
    """[b,t] noise with conditional median zero, scaled to a random SNR, and its mean."""
    b, t = f.shape
    kind = d.pick({"normal": 5, "student": 2, "skewed": 2, "laplace": 1, "mixture": 0.7})
    e, mean = d.normal(b, t), torch.zeros_like(f)
    if kind == "student":
        e = e / (d.normal(b, t, 3).square().mean(-1) + 0.02).sqrt()
    elif kind == "skewed":
        rate = d.uniform(b, 1, low=0.3, high=1.0) * torch.where(d.mask(0.5, b, 1), 1.0, -1.0)
        e, mean = torch.expm1(rate * e) / rate, mean + torch.expm1(rate.square() / 2) / rate
    elif kind == "laplace":
        e = e * torch.sqrt(-torch.log(d.uniform(b, t).clamp_min(1e-6)))
    elif kind == "mixture":
        e = torch.where(d.mask(0.1, b, t), 5.0, 0.7) * e
    scale = noise_scale(d, u, f, w)
    return e * scale, mean * scale


def noise_scale(d: Draw, u: Tensor, f: Tensor, w: Tensor) -> Tensor:
    """[b,t] standard deviation of the noise: near zero to dominant, maybe heteroscedastic."""
    b, t = f.shape
    weak, strong, dominant = (
        d.log_uniform(b, 1, low=low, high=high)
        for low, high in ((0.003, 0.08), (0.05, 2.5), (2.0, 8.0))
    )
    scale = torch.where(d.mask(0.3, b, 1), weak, strong)
    scale = torch.where(d.mask(0.05, b, 1), dominant, scale).expand(b, t)
    if d.chance(0.4):
        spread = standardise(
            f if d.chance(0.4) else d.pick({linear: 1, additive: 1, fourier: 1})(d, u, w)
        )
        scale = scale * torch.exp((d.uniform(b, 1, low=0.2, high=1.2) * spread).clamp(-3, 3))
    return scale


@dataclass
class Target:
    """[b,t] target, its conditional median and mean (NaN where unknown)."""

    y: Tensor
    median: Tensor
    mean: Tensor

    def monotone(self, change) -> "Target":
        """A monotone change: the median follows, the mean does not."""
        return Target(change(self.y), change(self.median), torch.full_like(self.mean, math.nan))

    def affine(self, centre: Tensor, scale: Tensor) -> "Target":
        return Target(*((v - centre) / scale for v in (self.y, self.median, self.mean)))


def warps(d: Draw, target: Target) -> Target:
    """A monotone map, a floor (many equal values) and rounding, each at random."""
    y = target.y
    target = target.affine(y.mean(1, keepdim=True), y.std(1, keepdim=True) + 1e-6)
    b = y.shape[0]
    sign = torch.where(d.mask(0.7, b, 1), 1.0, -1.0)
    rate = d.uniform(b, 1, low=0.2, high=1.0) * sign
    kind = d.pick({"none": 6, "exp": 2, "heavy": 0.5, "power": 1, "squash": 1})
    maps = {
        "exp": lambda v: torch.expm1((rate * v).clamp(-8, 6)) / rate,
        "heavy": lambda v: torch.expm1(((0.8 + rate.abs()) * v).clamp(-8, 6)),
        "power": lambda v: torch.sign(v) * v.abs() ** (1 + rate.abs()),
        "squash": lambda v: torch.tanh(v * (0.3 + rate.abs())),
    }
    if kind != "none":
        target = target.monotone(maps[kind])
    if d.chance(0.3 if kind == "heavy" else 0.08):
        level = float(d.uniform(1, low=0.05, high=0.6))
        floor = torch.quantile(target.y, level, dim=1, keepdim=True)
        target = target.monotone(lambda v: torch.maximum(v, floor))
    if d.chance(0.15):
        step = (target.y.std(1, keepdim=True) + 1e-6) / d.log_uniform(b, 1, low=1.0, high=20.0)
        target = target.monotone(lambda v: torch.round(v / step) * step)
    return target


def functional_tables(d: Draw, b: int, t: int, h: int) -> tuple[Tensor, Target, str]:
    """y = warp(f(x) + noise) with one of the function families."""
    x, u = features(d, b, t, h)
    w = relevance(d, b, h)
    family = d.pick(FAMILIES)
    f = standardise(family(d, u, w)).clamp(-8, 8)
    e, shift = noise(d, u, f, w)
    return x, warps(d, Target(f + e, f, f + shift)), family.__name__


def causal_tables(d: Draw, b: int, t: int, h: int) -> tuple[Tensor, Target, str]:
    """Features and target are nodes of one random noisy network.

    Features may be causes, effects or siblings of the target, so its
    conditional median is unknown.
    """
    act, layers = activation(d), d.integer(2, 4)
    width = d.integer(max(3, h // 2), max(4, h + 2))
    hidden = base_noise(d, b, t, d.integer(1, width))
    nodes = []
    for _ in range(layers):
        fan_in = hidden.shape[-1]
        weight = (
            d.normal(b, fan_in, width) * d.mask(0.6, b, fan_in, width) / math.sqrt(0.6 * fan_in)
        )
        hidden = standardise(act(hidden @ weight * 1.5 + 0.5 * d.normal(b, 1, width)))
        hidden = hidden + d.log_uniform(b, 1, width, low=0.01, high=0.6) * d.normal(b, t, width)
        nodes.append(hidden)
    every = torch.cat(nodes, dim=-1)
    while every.shape[-1] < h + 1:
        every = torch.cat((every, base_noise(d, b, t, h)), dim=-1)
    order = d.uniform(b, every.shape[-1]).argsort(1)[:, : h + 1]
    chosen = torch.gather(every, 2, order.unsqueeze(1).expand(-1, t, -1))
    x, y = chosen[..., 1:], chosen[..., 0]
    if d.chance(0.5):
        x, _ = reshaped(d, x)
    if d.chance(0.3):
        x = torch.where(d.mask(0.4, b, 1, h), quantised(d, x), x)
    unknown = torch.full_like(y, math.nan)
    return x, warps(d, Target(y, unknown, unknown)), "causal"


def missing(d: Draw, x: Tensor) -> Tensor:
    """[b,t,h] cells that are missing: at random, or more often for high values."""
    b, _, h = x.shape
    column = d.mask(d.pick({0.2: 1, 0.6: 1, 1.0: 0.5}), b, 1, h)
    rate = d.log_uniform(b, 1, h, low=0.01, high=0.5)
    if d.chance(0.4):
        rate = rate * 2 * torch.sigmoid(2 * x * torch.where(d.mask(0.5, b, 1, h), 1.0, -1.0))
    return column & (d.uniform(*x.shape) < rate)


def finished(x: Tensor, target: Target) -> tuple[Tensor, Target]:
    """Finite columns, target standardised and limited."""
    x = standardise(torch.nan_to_num(x).clamp(-1e4, 1e4))
    y = torch.nan_to_num(target.y)
    scaled = Target(y, target.median, target.mean).affine(
        y.mean(1, keepdim=True), y.std(1, keepdim=True) + 1e-6
    )
    limited = (v.clamp(-TARGET_LIMIT, TARGET_LIMIT) for v in vars(scaled).values())
    return x, Target(*limited)


def sample_group(d: Draw, b: int, t: int, h: int) -> tuple[Tensor, Target, str]:
    """b tables with the same structural choices."""
    maker = d.pick({functional_tables: 5, causal_tables: 1})
    x, target, name = maker(d, b, t, h)
    x, target = finished(x[..., d.uniform(h).argsort()], target)
    if d.chance(0.15):
        holes = missing(d, x)
        known = ~holes.any(-1)
        x = x.masked_fill(holes, math.nan)
        target.median, target.mean = (
            torch.where(known, v, math.nan) for v in (target.median, target.mean)
        )
    return x, target, name


def sample_tables(
    seed: int, b: int, t: int, h: int, group: int = 4, device: str = "cpu"
) -> Tables:
    """b tables of t rows and h features; see the module documentation."""
    d = Draw(seed, device)
    parts, families = [], []
    for start in range(0, b, group):
        count = min(group, b - start)
        x, target, name = sample_group(d, count, t, h)
        parts.append((x, target.y, target.median, target.mean))
        families += [name] * count
    return Tables(*(torch.cat(column) for column in zip(*parts)), families)


def sample_width(d: Draw, largest: int = 50) -> int:
    """Number of features: mostly 1..14, tail to `largest`."""
    if d.chance(0.12):
        return min(largest, int(d.log_uniform(1, low=10.0, high=largest + 1.0)))
    return min(largest, max(1, int(d.log_uniform(1, low=1.0, high=15.0))))
