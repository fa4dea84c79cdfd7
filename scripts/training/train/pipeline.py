"""The feature and target pipelines, batched in torch for training.

The statistics come from the first n rows (the context). The `power` pipeline
maximises the Yeo-Johnson likelihood over a grid, which is close enough to the
exact optimum for training; `scripts/reference/regression.py` holds the exact pipelines.
"""

from __future__ import annotations

import torch
from torch import Tensor

GRID = (-1.5, -0.75, -0.25, 0.25, 0.6, 1.0, 1.4, 2.0, 3.0)


def imputed(x: Tensor, n: int) -> Tensor:
    """Missing cells (NaN) become the mean of the context's cells of their column."""
    hole = torch.isnan(x)
    if not hole.any():
        return x
    seen = ~hole[:, :n]
    total = torch.where(seen, x[:, :n], 0.0).sum(1, keepdim=True)
    return torch.where(hole, total / seen.sum(1, keepdim=True).clamp_min(1), x)


def standard(x: Tensor, n: int) -> Tensor:
    """Impute, standardise by the context and clip to [-100, 100]."""
    x = imputed(x, n)
    context = x[:, :n]
    mean = context.mean(1, keepdim=True)
    spread = context.std(1, keepdim=True, unbiased=False)
    return ((x - mean) / (spread + 1e-6)).clamp(-100, 100)


def yeo_johnson(z: Tensor, power: Tensor) -> Tensor:
    """Yeo-Johnson transform; `power` broadcasts and avoids 0 and 2."""
    size = torch.log1p(z.abs())
    positive = torch.expm1(power * size) / power
    negative = -torch.expm1((2 - power) * size) / (2 - power)
    return torch.where(z >= 0, positive, negative)


def power(z: Tensor, n: int) -> Tensor:
    """Yeo-Johnson with the best power of the grid, then standardise."""
    grid = torch.tensor(GRID, dtype=z.dtype, device=z.device) + 1e-4
    grid = grid.view(-1, 1, 1, 1)
    context = z[:, :n].unsqueeze(0)
    log_scale = (torch.sign(context) * torch.log1p(context.abs())).mean(2)
    spread = yeo_johnson(context, grid).var(2, unbiased=False)
    likelihood = -0.5 * torch.log(spread + 1e-12) + (grid.squeeze(2) - 1) * log_scale
    best = grid.view(-1)[likelihood.argmax(0)].unsqueeze(1)
    t = yeo_johnson(z, best)
    mean = t[:, :n].mean(1, keepdim=True)
    deviation = t[:, :n].std(1, keepdim=True, unbiased=False)
    return (t - mean) / torch.where(deviation > 1e-7, deviation, 1.0)


def soft_clip(z: Tensor, n: int, threshold: float = 4.0) -> Tensor:
    """Bend values beyond `threshold` robust deviations to a logarithm."""
    context = z[:, :n]
    mean = context.mean(1, keepdim=True)
    spread = context.std(1, keepdim=True).clamp_min(1e-6)
    inside = ((context - mean).abs() <= threshold * spread).to(z.dtype)
    count = inside.sum(1, keepdim=True)
    mean = (context * inside).sum(1, keepdim=True) / count.clamp_min(1)
    square = ((context - mean).square() * inside).sum(1, keepdim=True)
    spread = (square / (count - 1).clamp_min(1)).sqrt().clamp_min(1e-6)
    z = torch.maximum(z, mean - threshold * spread - torch.log1p(z.abs()))
    return torch.minimum(z, mean + threshold * spread + torch.log1p(z.abs()))


def prepared_features(x: Tensor, n: int, powered: Tensor) -> Tensor:
    """x [B,T,H] -> network units; `powered` [B] selects the pipeline of every table."""
    z = standard(x, n)
    if powered.any():
        z = torch.where(powered.view(-1, 1, 1), power(z, n), z)
    return soft_clip(z, n)


def prepare(
    x: Tensor, y: Tensor, truth: Tensor, n: int, powered: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """x [B,T,H] by `prepared_features`, y [B,T] and its truth [B,T,R] -> network units."""
    context = y[:, :n]
    mean = context.mean(1, keepdim=True)
    spread = context.std(1, keepdim=True, unbiased=False)
    spread = torch.where(spread > 1e-6, spread, 1.0)
    both = torch.cat((y.unsqueeze(-1), truth), dim=-1)
    both = ((both - mean.unsqueeze(-1)) / spread.unsqueeze(-1)).clamp(-20, 20)
    return prepared_features(x, n, powered), both[..., 0], both[..., 1:]
