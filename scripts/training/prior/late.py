"""Rows that are unlike the context: those at the end of a table are the queries.

`ordered` puts rows in an order in which the last ones have groups, or values of a column, that
the first ones lack; `lost_later` takes cells from queries only. The truth of a row goes with it.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from scripts.training.prior.draw import Draw, standardise

ORDERED = 0.08  # share of all tables


def ordered(d: Draw, x: Tensor) -> Tensor:
    """[b,t] an order of the rows of x [b,t,h] along one column, exactly or loosely."""
    b, t, h = x.shape
    column = d.integers(0, h - 1, b, 1, 1).expand(-1, t, -1)
    value = standardise(torch.gather(x, 2, column).squeeze(-1))
    up = torch.where(d.mask(0.5, b, 1), 1.0, -1.0)
    loose = d.pick({0.0: 2, 0.3: 1, 1.0: 1})
    return (up * value + loose * d.normal(b, t)).argsort(1)


def taken(order: Tensor, *parts: Tensor) -> list[Tensor]:
    """The rows of [b,t] or [b,t,k] tensors in an order [b,t]."""
    found = []
    for part in parts:
        index = order if part.ndim == 2 else order.unsqueeze(-1).expand(-1, -1, part.shape[-1])
        found.append(torch.gather(part, 1, index))
    return found


def sometimes_ordered(d: Draw, x: Tensor, *parts: Tensor) -> list[Tensor]:
    """x [b,t,h] and other parts of the same tables; a share ORDERED of the draws is in an order."""
    parts = (x, *parts)
    return taken(ordered(d, x.nan_to_num()), *parts) if d.chance(ORDERED) else list(parts)


def lost_later(d: Draw, x: Tensor, n: int) -> tuple[Tensor, Tensor]:
    """x [b,t,h] without some cells of the rows from n on, and which rows [b,t] lost some.

    Whole columns are lost, or cells here and there.
    """
    b, t, h = x.shape
    column = d.mask(d.pick({0.15: 2, 0.4: 1, 1.0: 0.3}), b, 1, h)
    rate = torch.where(d.mask(0.5, b, 1, h), 1.0, d.uniform(b, 1, h, low=0.1, high=0.9))
    later = (torch.arange(t) >= n).view(1, t, 1)
    holes = column & later & (d.uniform(b, t, h) < rate)
    return x.masked_fill(holes, math.nan), holes.any(-1)
