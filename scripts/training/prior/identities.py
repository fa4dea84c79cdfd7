"""Targets that are sums, products or shares of columns, as people measure them."""

from __future__ import annotations

import torch
from torch import Tensor

from scripts.training.prior.draw import Draw, standardise
from scripts.training.prior.features import OPERATIONS, base_noise


def amounts(d: Draw, b: int, t: int, h: int) -> Tensor:
    """[b,t,h] columns as people measure them: positive, some whole, of different sizes."""
    z = standardise(base_noise(d, b, t, h)).clamp(-4, 4)
    x = torch.exp(z * d.uniform(b, 1, h, low=0.1, high=1.0) + d.uniform(b, 1, h, high=2.0))
    whole = d.mask(0.3, b, 1, h)
    return torch.where(whole, x.ceil(), x)


def identity(d: Draw, b: int, t: int, h: int) -> tuple[Tensor, Tensor, Tensor, Tensor, str]:
    """x, u, w, f and the name: f follows from one to four columns by arithmetic."""
    x = amounts(d, b, t, h)
    f, count = x[..., 0], min(h, d.pick({1: 1, 2: 4, 3: 2, 4: 1}))
    for j in range(1, count):
        name = d.pick({"sum": 3, "difference": 2, "product": 2, "ratio": 2, "larger": 0.5})
        f = OPERATIONS[name](f, x[..., j])
    w = torch.ones(b, h)
    return x, standardise(x), w, standardise(f), "identity"
