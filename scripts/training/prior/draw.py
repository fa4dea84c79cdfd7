"""Random numbers of the prior, all from one generator."""

from __future__ import annotations

import math

import torch
from torch import Tensor


class Draw:
    """Random numbers from one generator."""

    def __init__(self, seed: int):
        self.generator = torch.Generator().manual_seed(seed)

    def normal(self, *shape: int) -> Tensor:
        return torch.randn(shape, generator=self.generator)

    def uniform(self, *shape: int, low: float = 0.0, high: float = 1.0) -> Tensor:
        unit = torch.rand(shape, generator=self.generator)
        return low + (high - low) * unit

    def log_uniform(self, *shape: int, low: float, high: float) -> Tensor:
        return torch.exp(self.uniform(*shape, low=math.log(low), high=math.log(high)))

    def integers(self, low: int, high: int, *shape: int) -> Tensor:
        """Integers in [low, high]."""
        return torch.randint(low, high + 1, shape, generator=self.generator)

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
        w = torch.tensor(weights, dtype=torch.float)
        return torch.multinomial(w, count, replacement=True, generator=self.generator)

    def columns(self, weights: Tensor, count: int) -> Tensor:
        """[b,H] non-negative weights -> [b,count] column indices."""
        return torch.multinomial(weights + 1e-6, count, replacement=True, generator=self.generator)


def standardise(v: Tensor, dim: int = 1) -> Tensor:
    centred = v - v.mean(dim, keepdim=True)
    return centred / (centred.square().mean(dim, keepdim=True).sqrt() + 1e-6)
