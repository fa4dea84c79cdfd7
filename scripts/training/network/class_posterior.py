"""The posterior of class probabilities and its losses: see docs/design/posterior.md.

The network returns the logits of the classes, and for every class k and posterior level
tau_j an offset o_kj on the logit scale. The posterior quantiles of the unknown probability
p_k(x) are

    q_kj = 1 / (1 + exp(-(a_k + o_kj))),

with the number a_k by which their mean over tau is the predicted probability. With two
classes o_1j = -o_0,J-1-j, since p_1 = 1 - p_0.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor

SMALLEST = 1e-6  # a predicted probability is kept so far from 0 and 1
HALVINGS = 14
REACH, EDGES = 14.0, 0.5
ABSENT = -1e4  # logit of a class that a table has not


def cells(levels: Tensor) -> Tensor:
    """[J] weights with which quantiles at these levels have their mean: the levels next to each."""
    middle = (levels[1:] + levels[:-1]) / 2
    return F.pad(F.pad(middle, (1, 0)), (0, 1), value=1.0).diff()


def mirrored(offsets: Tensor) -> Tensor:
    """Offsets [..., 2, J] of two classes as both say them."""
    first = (offsets[..., 0, :] - offsets[..., 1, :].flip(-1)) / 2
    return torch.stack((first, -first.flip(-1)), dim=-2)


def anchored(offsets: Tensor, p: Tensor, weights: Tensor) -> Tensor:
    """Logits [..., J] of the quantiles, whose mean is p [...].

    The anchor is found by halving; a last step of Newton's, which autograd sees, gives it the
    gradient of the implicit function.
    """
    p = p.clamp(SMALLEST, 1 - SMALLEST).unsqueeze(-1)
    with torch.no_grad():
        logit = torch.logit(p)
        low, high = logit - offsets.amax(-1, True), logit - offsets.amin(-1, True)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            below = (torch.sigmoid(middle + offsets) * weights).sum(-1, True) < p
            low, high = torch.where(below, middle, low), torch.where(below, high, middle)
        at = (low + high) / 2
    q = torch.sigmoid(at + offsets)
    slope = (q * (1 - q) * weights).sum(-1, True).detach()
    return at + offsets - ((q * weights).sum(-1, True) - p) / slope.clamp_min(SMALLEST / 2)


def arcs(p: Tensor) -> Tensor:
    """Probabilities on the scale on which a share of n draws varies alike: 0 to 1."""
    return torch.asin(p.clamp(0, 1).sqrt()) * (2 / math.pi)


def arcs_of_logits(z: Tensor) -> Tensor:
    return torch.atan(torch.exp(z.clamp(-40, 40) / 2)) * (2 / math.pi)


def pinball(e: Tensor, levels: Tensor) -> Tensor:
    """Mean pinball loss of errors e [..., J], truth minus quantile, at the levels [J]."""
    return torch.maximum(levels * e, (levels - 1) * e).mean()


def label_loss(logits: Tensor, y: Tensor, p: Tensor, classes: Tensor) -> Tensor:
    """Mean log loss of logits [B,M,C] for labels y [B,M], of a row with known p [B,M,C] expected.

    `classes` [B] counts those of each table. A label below zero says nothing.
    """
    count = logits.shape[-1]
    absent = torch.arange(count, device=y.device) >= classes.view(-1, 1, 1)
    log_p = torch.log_softmax(logits.float().masked_fill(absent, ABSENT), dim=-1)
    known = ~torch.isnan(p).any(-1)
    drawn = F.one_hot(y.clamp_min(0).long(), count).to(log_p)
    target = torch.where(known.unsqueeze(-1), p.nan_to_num(), drawn)
    rows = known | (y >= 0)
    return -(target * log_p).sum(-1)[rows].sum() / rows.sum().clamp_min(1)


def posterior_loss(
    offsets: Tensor, logits: Tensor, p: Tensor, classes: Tensor, levels: Tensor
) -> Tensor:
    """Mean pinball loss of the posterior quantiles for the truth p, on two scales.

    One is that of `arcs`, the other, which counts `EDGES` times, that of logits, the truth's
    kept between -REACH and REACH: it alone tells a truth of 1e-6 from one of 1e-3, and has the
    same quantiles as its least. offsets [B,M,C,J], logits and p [B,M,C], classes [B], levels
    [J]. No gradient flows into the logits: the posterior learns around the prediction.
    """
    count = int(classes.max())
    known = ~torch.isnan(p).any(-1)
    if not known.any():
        return 0.0 * offsets.sum()
    size = classes.view(-1, 1).expand_as(known)[known]
    o, truth = offsets[known][:, :count].float(), p[known][:, :count]
    present = torch.arange(count, device=p.device) < size.unsqueeze(-1)
    z = logits.detach()[known][:, :count].float().masked_fill(~present, ABSENT)
    pair = (size == 2).view(-1, 1, 1)
    o = torch.where(pair, F.pad(mirrored(o[:, :2]), (0, 0, 0, count - 2)), o)
    q = anchored(o, torch.softmax(z, dim=-1), cells(levels).to(o))
    middle = (arcs(truth).unsqueeze(-1) - arcs_of_logits(q))[present]
    true_logits = torch.logit(truth, eps=SMALLEST).clamp(-REACH, REACH).unsqueeze(-1)
    edge = (true_logits - q)[present] / (2 * REACH)
    return pinball(middle, levels) + EDGES * pinball(edge, levels)
