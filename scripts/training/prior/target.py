"""Targets with the truth of every functional.

A target is y = warp(f(x) + s(x) g(z)) with z ~ N(0, 1), g increasing (`noise.py`) and a
monotone warp, so that its conditional quantile at the level u is the same expression at
z = Phi^-1(u), and its conditional mean is the integral of the quantiles over u. A floor and
a rounding are monotone and keep this. Every change is therefore made to the drawn target
and to its quantiles alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from scripts.reference.posterior import LEVELS
from scripts.training.prior.draw import Draw

MEAN_NODES = 96


@cache
def mean_rule() -> tuple[Tensor, Tensor]:
    """Levels [MEAN_NODES] and weights of the mean, an average of quantiles.

    The cells are even in the normal score of twice the spread: thin in the middle, where a
    rounded target jumps, and far out in the tails.
    """
    edge = torch.linspace(0, 1, MEAN_NODES + 1, dtype=torch.float64)
    at = torch.special.ndtr(2 * torch.special.ndtri(edge))
    return (at[1:] + at[:-1]) / 2, at[1:] - at[:-1]


@cache
def scores(levels: tuple[float, ...] = LEVELS) -> Tensor:
    """Normal scores at which a target's quantiles are followed: LEVELS, then the mean's."""
    wanted = torch.cat((torch.tensor(levels, dtype=torch.float64), mean_rule()[0]))
    return torch.special.ndtri(wanted).float()


@dataclass
class Target:
    """values [b,t,1+L]: the drawn target, then its quantiles at `scores` (L = 0 if unknown)."""

    values: Tensor

    @property
    def y(self) -> Tensor:
        return self.values[..., 0]

    def standardised(self) -> Target:
        """By the mean and the deviation of the drawn targets of every table."""
        mean, spread = self.y.mean(1, keepdim=True), self.y.std(1, keepdim=True) + 1e-6
        return Target((self.values - mean.unsqueeze(-1)) / spread.unsqueeze(-1))

    def truth(self) -> tuple[Tensor, Tensor]:
        """Conditional quantiles [b,t,K] at LEVELS and mean [b,t]; NaN where unknown."""
        if self.values.shape[-1] == 1:
            unknown = torch.full_like(self.values, math.nan)
            return unknown.expand(-1, -1, len(LEVELS)), unknown[..., 0]
        quantiles, nodes = self.values[..., 1:].split((len(LEVELS), MEAN_NODES), dim=-1)
        return quantiles, nodes @ mean_rule()[1].to(nodes)


def noisy(d: Draw, f: Tensor, scale: Tensor, law) -> Target:
    """f + scale * noise [b,t] with its quantiles."""
    b, t = f.shape
    z = torch.cat((d.normal(b, t, 1), scores().expand(b, t, -1)), dim=-1)
    return Target(f.unsqueeze(-1) + scale.unsqueeze(-1) * law(z))


def monotone_map(d: Draw, b: int):
    """A random increasing map of standardised values [b,t,*], its rate differing by table."""
    sign = torch.where(d.mask(0.7, b, 1, 1), 1.0, -1.0)
    rate = d.uniform(b, 1, 1, low=0.2, high=1.0) * sign
    maps = {
        "none": lambda v: v,
        "exp": lambda v: torch.expm1((rate * v).clamp(-8, 6)) / rate,
        "heavy": lambda v: torch.expm1(((0.8 + rate.abs()) * v).clamp(-8, 6)),
        "power": lambda v: torch.sign(v) * v.abs() ** (1 + rate.abs()),
        "squash": lambda v: torch.tanh(v * (0.3 + rate.abs())),
    }
    kind = d.pick({"none": 6, "exp": 2, "heavy": 0.5, "power": 1, "squash": 1})
    return maps[kind], kind == "heavy"


def warped(d: Draw, target: Target) -> Target:
    """A monotone map, a floor (many equal values) and rounding, each at random."""
    target = target.standardised()
    change, heavy = monotone_map(d, len(target.y))
    values = change(target.values)
    if d.chance(0.3 if heavy else 0.08):
        level = float(d.uniform(1, low=0.05, high=0.6))
        floor = torch.quantile(values[..., 0], level, dim=1, keepdim=True)
        values = torch.maximum(values, floor.unsqueeze(-1))
    if d.chance(0.15):
        spread = values[..., 0].std(1, keepdim=True) + 1e-6
        step = (spread / d.log_uniform(len(values), 1, low=1.0, high=20.0)).unsqueeze(-1)
        values = torch.round(values / step) * step
    return Target(values)
