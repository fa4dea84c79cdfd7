"""Features of synthetic tables, and which of them matter."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from scripts.training.prior.draw import Draw, standardise

OPERATIONS = {
    "sum": torch.add,
    "difference": torch.sub,
    "product": torch.mul,
    "ratio": torch.div,
    "larger": torch.maximum,
}


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


def related(d: Draw, u: Tensor) -> Tensor:
    """Columns of which some follow from two others exactly."""
    h = u.shape[-1]
    if h < 3:
        return u
    count = d.integer(1, max(1, h // 3))
    operation = OPERATIONS[d.pick({"sum": 3, "difference": 2, "product": 1, "larger": 1})]
    pairs = d.integers(0, h - count - 1, 2, count)
    made = operation(u[..., pairs[0]], u[..., pairs[1]])
    return torch.cat((u[..., : h - count], made), dim=-1)


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
    if d.chance(0.08):
        u = related(d, u)
    if d.chance(0.2):
        u = gridded(d, u)
    shown = u
    if d.chance(0.65):
        shown, lossy = reshaped(d, u)
        u = torch.where(lossy, shown, u)
    share = d.pick({0.0: 5, 0.25: 3, 0.6: 2, 1.0: 1.5})
    if share:
        codes = quantised(d, u)
        discrete, nominal = d.mask(share, b, 1, h), d.mask(0.4, b, 1, h)
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
