"""Counted targets: laws of whole numbers whose quantiles are known exactly.

A law gives the distribution function of 0, 1, ..., K-1 for every row. A draw is its quantile at
Phi(z), and so are the quantiles that a target carries.
"""

from __future__ import annotations

import torch
from torch import Tensor

from scripts.training.prior.draw import Draw
from scripts.training.prior.target import Target, scores

MOST = 160  # values of a count, whose mean is at most a quarter of them


def poisson(rate: Tensor, size: Tensor) -> Tensor:
    """Log probabilities [b,t,K] of the counts with the mean rate [b,t,1]; `size` is not used."""
    k = torch.arange(MOST, dtype=rate.dtype)
    return k * rate.log() - rate - torch.lgamma(k + 1)


def overdispersed(rate: Tensor, size: Tensor) -> Tensor:
    """The same of negative binomial counts with the variance rate + rate^2 / size, size [b,1,1]."""
    k = torch.arange(MOST, dtype=rate.dtype)
    rise = torch.lgamma(k + size) - torch.lgamma(size) - torch.lgamma(k + 1)
    return rise + size * (size / (size + rate)).log() + k * (rate / (size + rate)).log()


def successes(share: Tensor, trials: Tensor) -> Tensor:
    """The same of the successes among `trials` [b,1,1], with the probability share [b,t,1]."""
    k = torch.arange(MOST, dtype=share.dtype)
    left = (trials - k).clamp_min(0)
    ways = torch.lgamma(trials + 1) - torch.lgamma(k + 1) - torch.lgamma(left + 1)
    found = ways + k * share.log() + left * torch.log1p(-share)
    return found.masked_fill(k > trials, -torch.inf)


def distribution(log_p: Tensor, empty: Tensor) -> Tensor:
    """Distribution functions [b,t,K], with a share `empty` [b,1,1] of additional zeros."""
    below = log_p.exp().cumsum(-1)
    below = empty + (1 - empty) * below / below[..., -1:]
    below[..., -1] = 1.0
    return below


def quantile(below: Tensor, z: Tensor) -> Tensor:
    """The least whole number whose distribution function reaches Phi(z) [b,t,L]."""
    return torch.searchsorted(below, torch.special.ndtr(z.to(below)).contiguous()).clamp_max(
        MOST - 1
    )


def counted(d: Draw, f: Tensor) -> Target:
    """Counts or shares with the quantiles at `scores`, whose rates follow f [b,t]."""
    b, t = f.shape
    f = f.double().unsqueeze(-1) * d.uniform(b, 1, 1, low=0.2, high=1.2)
    kind = d.pick({poisson: 2, overdispersed: 1.5, successes: 2})
    if kind is successes:
        size = d.log_uniform(b, 1, 1, low=1.0, high=40.0).round().double()
        rate = torch.sigmoid(f * 1.5 + d.normal(b, 1, 1)).clamp(1e-4, 1 - 1e-4)
    else:
        size = d.log_uniform(b, 1, 1, low=0.5, high=10.0).double()
        rate = (f + d.log_uniform(b, 1, 1, low=0.5, high=12.0).log()).exp().clamp(0.02, MOST / 4)
    empty = d.uniform(b, 1, 1, high=0.5) * d.mask(0.2, b, 1, 1)
    below = distribution(kind(rate, size), empty.double())
    z = torch.cat((d.normal(b, t, 1), scores().expand(b, t, -1)), dim=-1)
    return Target(quantile(below, z).float())
