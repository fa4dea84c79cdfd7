"""Families of random functions of standardised columns.

Every family maps columns u [b,t,H] and their weights w [b,H] to values [b,t].
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from scripts.training.prior.draw import Draw, standardise
from scripts.training.prior.features import activation, relevance


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


def constant(d: Draw, u: Tensor, w: Tensor) -> Tensor:
    """No signal at all."""
    return torch.zeros_like(u[..., 0])


def additive(d: Draw, u: Tensor, w: Tensor) -> Tensor:
    return (univariate(d, u) * w.unsqueeze(1)).sum(-1)


def rough(d: Draw, u: Tensor, w: Tensor) -> Tensor:
    """A sum of rough functions of single columns."""
    return (wiggles(d, u) * w.unsqueeze(1)).sum(-1)


def directions(d: Draw, u: Tensor, w: Tensor) -> Tensor:
    """A sum of rough functions of one to three directions across all columns."""
    b, _, h = u.shape
    count = d.pick({1: 3, 2: 1, 3: 1})
    across = d.normal(b, h, count) * w.unsqueeze(-1)
    across = across / across.norm(dim=1, keepdim=True).clamp_min(1e-6)
    return (wiggles(d, u @ across) * d.log_uniform(b, 1, count, low=0.3, high=1.0)).sum(-1)


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


def interactions(d: Draw, u: Tensor, w: Tensor) -> Tensor:
    """A sum of smooth Gaussian processes of one to three columns each."""
    b, t, _ = u.shape
    total = torch.zeros_like(u[..., 0])
    for _ in range(d.integer(1, 6)):
        order, count = d.pick({1: 3, 2: 3, 3: 1}), 32
        columns = d.columns(w, order).unsqueeze(1).expand(-1, t, -1)
        scale = d.log_uniform(b, order, 1, low=0.2, high=1.6)
        frequency, phase = scale * d.normal(b, order, count), d.uniform(b, 1, count, high=6.2832)
        waves = torch.cos(torch.gather(u, 2, columns) @ frequency + phase)
        part = standardise((waves @ d.normal(b, count, 1)).squeeze(-1))
        total = total + d.log_uniform(b, 1, low=0.2, high=1.0) * part
    return total


def leaf_codes(d: Draw, u: Tensor, w: Tensor, count: int, depth: int) -> Tensor:
    """[b,count,t] leaf of every row in oblivious trees with thresholds at observed values."""
    b, t, _ = u.shape
    columns = d.columns(w, count * depth)
    values = torch.gather(u, 2, columns.unsqueeze(1).expand(-1, t, -1))
    rows = d.integers(0, t - 1, b, 1, count * depth)
    bits = (values > torch.gather(values, 1, rows)).view(b, t, count, depth)
    return (bits * (2 ** torch.arange(depth))).sum(-1).transpose(1, 2)


def forest(d: Draw, u: Tensor, w: Tensor) -> Tensor:
    """A sum of oblivious trees."""
    count, depth = d.pick({1: 2, 2: 1, 4: 1, 8: 1, 16: 1, 32: 1}), d.integer(1, 5)
    code, b = leaf_codes(d, u, w, count, depth), len(u)
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
    linear: 2.5,
    additive: 2.0,
    rough: 1.0,
    directions: 1.5,
    perceptron: 3.0,
    fourier: 2.0,
    interactions: 2.0,
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


FAMILIES = SIMPLE | {combined: 4.0, constant: 1.6}
