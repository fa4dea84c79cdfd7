"""Laws of the noise, each as a monotone function of a standard normal score.

A law is written as e = g(z), z ~ N(0, 1), with g increasing. A draw is g of a normal draw,
and the quantile of e at the level u is g(Phi^-1(u)) exactly, so that the truth of a
table needs no simulation. Every law has the median zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import torch
from torch import Tensor

from scripts.training.prior.draw import Draw, standardise
from scripts.training.prior.functions import additive, fourier, linear

Law = Callable[[Tensor], Tensor]

LIMIT, CELLS = 7.0, 2800  # the grid of normal scores of a tabulated law


def normal(z: Tensor) -> Tensor:
    return z


def laplace(z: Tensor) -> Tensor:
    """z sqrt(E) with E ~ Exp(1): the Laplace law of scale sqrt(1/2)."""
    tail = torch.special.log_ndtr(-z.abs()) + math.log(2)
    return -torch.sign(z) * tail * math.sqrt(0.5)


def bounded(z: Tensor) -> Tensor:
    """The uniform law of variance one."""
    return math.sqrt(12) * (torch.special.ndtr(z) - 0.5)


def student_tail(e: Tensor) -> Tensor:
    """P(z / sqrt(c/3 + 0.02) > e) for c ~ chi squared with 3 degrees, by quadrature."""
    r = torch.linspace(0, 8, 4001, dtype=torch.float64)
    weight = math.sqrt(2 / math.pi) * r.square() * torch.exp(-r.square() / 2) * (r[1] - r[0])
    rate = (r.square() / 3 + 0.02).sqrt()
    return (torch.special.ndtr(-e.unsqueeze(-1) * rate) * weight).sum(-1)


def mixture_tail(e: Tensor) -> Tensor:
    """P(s z > e) with s = 5 in a tenth of the draws and 0.7 in the others."""
    return 0.1 * torch.special.ndtr(-e / 5) + 0.9 * torch.special.ndtr(-e / 0.7)


def split_tail(e: Tensor) -> Tensor:
    """P(z / 2 ± 1 > e), both signs alike: two heaps."""
    return (torch.special.ndtr(2 - 2 * e) + torch.special.ndtr(-2 - 2 * e)) / 2


@cache
def table(tail: Callable[[Tensor], Tensor], reach: float) -> Tensor:
    """[CELLS+1] values of a symmetric law at even normal scores in [-LIMIT, LIMIT]."""
    e = torch.expm1(torch.linspace(0, math.log1p(reach), 6000, dtype=torch.float64))
    score = -torch.special.ndtri(tail(e).clamp(1e-300, 0.5))
    z = torch.linspace(0, LIMIT, CELLS // 2 + 1, dtype=torch.float64)
    right = torch.searchsorted(score, z).clamp(1, len(e) - 1)
    share = (z - score[right - 1]) / (score[right] - score[right - 1])
    half = e[right - 1] + share * (e[right] - e[right - 1])
    return torch.cat((-half.flip(0), half[1:])).float()


def tabulated(tail: Callable[[Tensor], Tensor], reach: float) -> Law:
    """The symmetric law with the given upper tail, which is spent at `reach`."""

    def law(z: Tensor) -> Tensor:
        values = table(tail, reach)
        at = (z.clamp(-LIMIT, LIMIT) + LIMIT) * (CELLS / (2 * LIMIT))
        left = at.floor().clamp_max(CELLS - 1)
        below = left.long()
        return torch.lerp(values[below], values[below + 1], at - left)

    return law


student = tabulated(student_tail, 60.0)
mixture = tabulated(mixture_tail, 40.0)
split = tabulated(split_tail, 6.0)


def skewed(d: Draw, b: int) -> Law:
    """Shifted log-normal laws, one per table; the rate's sign is the side of the tail."""
    rate = d.uniform(b, 1, 1, low=0.3, high=1.0) * torch.where(d.mask(0.5, b, 1, 1), 1.0, -1.0)
    return lambda z: torch.expm1(rate * z) / rate


LAWS = {normal: 5, student: 2, skewed: 2, laplace: 1, mixture: 0.7, bounded: 0.4, split: 0.3}


def law(d: Draw, b: int) -> Law:
    """One law for a group of b tables, for scores [b,t,*]."""
    chosen = d.pick(LAWS)
    return skewed(d, b) if chosen is skewed else chosen


def noise_scale(d: Draw, u: Tensor, f: Tensor, w: Tensor) -> Tensor:
    """[b,t] scale of the noise: none, near zero to dominant, maybe heteroscedastic."""
    b, t = f.shape
    weak, strong, dominant = (
        d.log_uniform(b, 1, low=low, high=high)
        for low, high in ((0.003, 0.08), (0.05, 2.5), (2.0, 8.0))
    )
    scale = torch.where(d.mask(0.3, b, 1), weak, strong)
    scale = torch.where(d.mask(0.05, b, 1), dominant, scale)
    scale = scale.masked_fill(d.mask(0.2 if t <= 64 else 0.04, b, 1), 0.0).expand(b, t)
    if d.chance(0.4):
        shape = d.pick({linear: 1, additive: 1, fourier: 1})
        spread = standardise(f if d.chance(0.4) else shape(d, u, w))
        scale = scale * torch.exp((d.uniform(b, 1, low=0.2, high=1.2) * spread).clamp(-3, 3))
    return scale
