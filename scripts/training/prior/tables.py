"""Synthetic regression tables: the prior the network is trained on.

`sample_tables` draws a batch of tables that share their shape [B,T,H]. A batch
is put together from small groups; within a group the structural choices (family,
activation, depth) are shared and every number differs from table to table.
Everything is drawn from one `torch.Generator`, so a seed fixes the tables.
Cells may be missing (NaN).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from scripts.training.prior.counts import counted
from scripts.training.prior.draw import Draw, standardise
from scripts.training.prior.features import (
    activation,
    base_noise,
    features,
    quantised,
    relevance,
    reshaped,
)
from scripts.training.prior.functions import FAMILIES, linear
from scripts.training.prior.groups import Centre, categories, nested, repeated
from scripts.training.prior.identities import identity
from scripts.training.prior.late import sometimes_ordered
from scripts.training.prior.noise import law, noise_scale
from scripts.training.prior.target import Target, noisy, warped

TARGET_LIMIT = 20.0
COUNTED = 0.07  # share of the functional tables
FEW_ROWS = 64  # tables so small show linear functions more often


@dataclass
class Tables:
    """x [B,T,H], y [B,T] and the truth of every row's conditional distribution.

    `quantiles` [B,T,K] are the conditional quantiles of y at `surface.LEVELS` and `mean`
    [B,T] is its conditional mean. Both are NaN where they are unknown: for tables whose
    features may be effects of the target, and for rows with missing cells. `family` [B]
    names the function of each table.
    """

    x: Tensor
    y: Tensor
    quantiles: Tensor
    mean: Tensor
    family: list[str]


def functional(d: Draw, b: int, t: int, h: int) -> Centre:
    """Columns and a function of one of the families."""
    x, u = features(d, b, t, h)
    w = relevance(d, b, h)
    more = {linear: 6.0} if t <= FEW_ROWS else {}
    family = d.pick(FAMILIES | more)
    return x, u, w, family(d, u, w), family.__name__


CENTRES = {functional: 12.0, categories: 1.4, nested: 0.8, repeated: 0.8, identity: 0.8}


def centre(d: Draw, b: int, t: int, h: int) -> Centre:
    """x, u, w, the centre f of a target in its own units, and the name of the family."""
    x, u, w, f, name = d.pick(CENTRES)(d, b, t, h)
    return x, u, w, standardise(f).clamp(-8, 8), name


def functional_tables(d: Draw, b: int, t: int, h: int) -> tuple[Tensor, Target, str]:
    """y = warp(f(x) + noise), or counts whose rate follows f."""
    x, u, w, f, name = centre(d, b, t, h)
    if d.chance(COUNTED):
        return x, counted(d, f), name
    scale = noise_scale(d, u, f, w)
    if name == identity.__name__ and d.chance(0.6):
        scale = torch.zeros_like(scale)
    return x, warped(d, noisy(d, f, scale, law(d, b))), name


def causal_tables(d: Draw, b: int, t: int, h: int) -> tuple[Tensor, Target, str]:
    """Features and target are nodes of one random noisy network.

    Features may be causes, effects or siblings of the target, so its
    conditional distribution is unknown.
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
    x, y = chosen[..., 1:], chosen[..., :1]
    if d.chance(0.5):
        x, _ = reshaped(d, x)
    if d.chance(0.3):
        x = torch.where(d.mask(0.4, b, 1, h), quantised(d, x), x)
    return x, warped(d, Target(y)), "causal"


def missing(d: Draw, x: Tensor) -> Tensor:
    """[b,t,h] cells that are missing: at random, more often for high values, or row by row."""
    b, t, h = x.shape
    column = d.mask(d.pick({0.2: 1, 0.6: 1, 1.0: 0.5}), b, 1, h)
    rate = d.log_uniform(b, 1, h, low=0.01, high=0.5)
    if d.chance(0.4):
        rate = rate * 2 * torch.sigmoid(2 * x * torch.where(d.mask(0.5, b, 1, h), 1.0, -1.0))
    shared = d.chance(0.3)  # the cells of a row that are missing, are missing together
    return column & (d.uniform(b, t, 1 if shared else h) < rate)


def finished(x: Tensor, target: Target) -> tuple[Tensor, Target]:
    """Finite columns, target standardised and limited."""
    x = standardise(torch.nan_to_num(x).clamp(-1e4, 1e4))
    target = Target(torch.nan_to_num(target.values)).standardised()
    return x, Target(target.values.clamp(-TARGET_LIMIT, TARGET_LIMIT))


def sample_group(d: Draw, b: int, t: int, h: int) -> tuple[Tensor, Tensor, Tensor, Tensor, str]:
    """b tables with the same structural choices: x, y, quantiles, mean and the family."""
    maker = d.pick({functional_tables: 5, causal_tables: 1})
    x, target, name = maker(d, b, t, h)
    x, target = finished(x[..., d.uniform(h).argsort()], target)
    quantiles, mean = target.truth()
    if d.chance(0.15):
        holes = missing(d, x)
        lost = holes.any(-1)
        x = x.masked_fill(holes, math.nan)
        quantiles = quantiles.masked_fill(lost.unsqueeze(-1), math.nan)
        mean = mean.masked_fill(lost, math.nan)
    return *sometimes_ordered(d, x, target.y, quantiles, mean), name


def sample_tables(seed: int, b: int, t: int, h: int, group: int = 4) -> Tables:
    """b tables of t rows and h features; see the module documentation."""
    d = Draw(seed)
    return Tables(*in_groups(lambda count: sample_group(d, count, t, h), b, group))


def in_groups(draw: Callable[[int], tuple], b: int, group: int) -> tuple:
    """The tensors, and last the families, of b tables that `draw` draws in groups."""
    parts, families = [], []
    for start in range(0, b, group):
        count = min(group, b - start)
        *tensors, name = draw(count)
        parts.append(tensors)
        families += [name] * count
    return (*(torch.cat(column) for column in zip(*parts)), families)


def sample_width(d: Draw, wide: float = 0.12, largest: int = 50) -> int:
    """Number of features: mostly 1..14, a share `wide` 10 to `largest`."""
    if d.chance(wide):
        return min(largest, int(d.log_uniform(1, low=10.0, high=largest + 1.0)))
    return min(largest, max(1, int(d.log_uniform(1, low=1.0, high=15.0))))
