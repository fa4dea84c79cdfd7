"""What share of the labelled rows lies below a cell, as tensors of fixed steps.

The package's `_build_ecdf_context` and `_in_context_ecdf`, without its searches: a
graph has no operator for them, and comparing all pairs takes rows times rows of
memory. A search by halves takes as many steps as the number of rows has binary digits.

Shapes: C columns, N labelled rows, K edges, R rows that are asked about.
"""

import torch
from torch import Tensor

STEPS = 21  # of a search: 2^21 - 1 rows at most


def before(ordered: Tensor, values: Tensor, ties: bool) -> Tensor:
    """ordered [C, K] ascending, values [C, R] -> how many are smaller, or equal with `ties`."""
    last = torch.ones_like(ordered[:1, :]).sum().long()
    found = torch.zeros_like(values, dtype=torch.int64)
    for i in reversed(range(STEPS)):
        further = found + 2**i
        seen = ordered.gather(1, torch.minimum(further, last) - 1)
        holds = seen <= values if ties else seen < values
        found = torch.where(holds & (further <= last), further, found)
    return found


def edges(x: Tensor, most: int) -> Tensor:
    """Labelled rows [C, N] -> [3, C, K]: edges, the rows below them, the rows up to them.

    A column of at most K different values has an edge for each of them; otherwise the
    edges hold equal shares of the rows.
    """
    ordered = x.sort(1).values
    rows = torch.ones_like(ordered[0]).cumsum(0)  # 1, 2, ..., N
    n = rows[-1]
    count = torch.clamp(n, max=float(most))
    steps = rows[rows <= count] - 1  # 0, 1, ..., K - 1
    fresh = torch.cat((torch.zeros_like(x[:, :1]), (ordered[:, 1:] != ordered[:, :-1]).float()), 1)
    index = fresh.cumsum(1)  # of a value among the different ones
    apart = torch.clamp(count - 1, min=1.0)
    different = index[:, -1:]
    spread = torch.round(steps[None] * (different / apart))
    places = torch.round(steps * ((n - 1) / apart)).long()
    mass = index.gather(1, places[None].expand(x.shape[0], -1))
    target = torch.where(different + 1 <= count, spread, mass)
    below = before(index, target, ties=False)
    up_to = before(index, target, ties=True)
    return torch.stack((ordered.gather(1, below), below.float(), up_to.float()))


def ranks(x: Tensor, context: Tensor) -> Tensor:
    """Rows [C, R] -> [C, R] in 0 to 1: the middle of those that a cell could have."""
    values, below, up_to = context[0], context[1], context[2]
    left, right = before(values, x, ties=False), before(values, x, ties=True)
    last = torch.ones_like(values[:1, :]).sum().long() - 1
    low, high = torch.clamp(left - 1, min=0), torch.minimum(left, last)
    from_, to = values.gather(1, low), values.gather(1, high)
    up_to_low, below_high = up_to.gather(1, low), below.gather(1, high)
    width = to - from_
    inside = width > 0
    part = torch.where(inside, (x - from_) / torch.where(inside, width, 1.0), 0.0)
    between = torch.where(
        left == 0, torch.zeros_like(x), up_to_low + part * (below_high - up_to_low)
    )
    tied = 0.5 * (below_high + up_to.gather(1, high))
    counts = torch.where(right > left, tied, between)
    least = 0.5 * (below[:, :1] + up_to[:, :1])
    most = 0.5 * (below[:, -1:] + up_to[:, -1:])
    return torch.minimum(torch.maximum(counts, least), most) / up_to[:, -1:]
