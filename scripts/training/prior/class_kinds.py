"""Mechanisms that give every row of a table probabilities of its classes.

A kind draws features x [b,t,h] and the true probabilities p [b,t,k] of k classes given
them; p is NaN where it is unknown. Kinds that draw the features given the class return its
labels y [b,t] as well; of the others labels are drawn from p.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from scripts.training.prior.draw import Draw, standardise
from scripts.training.prior.features import features, relevance, reshaped
from scripts.training.prior.functions import FAMILIES, leaf_codes
from scripts.training.prior.noise import Law, law, noise_scale
from scripts.training.prior.tables import causal_tables, centre

Made = tuple[Tensor, Tensor, Tensor | None, str]  # x, p, y or None, and the name of the family
REACH, HALVINGS = 8.0, 26  # of the search for a normal score


def shares(d: Draw, b: int, k: int) -> Tensor:
    """[b,k] positive shares with the sum one: equal, unequal, or some of them rare."""
    return torch.softmax(d.pick({0.0: 2, 0.5: 2, 1.0: 2, 2.0: 1}) * d.normal(b, k), dim=-1)


def drawn(d: Draw, p: Tensor) -> Tensor:
    """One class of every row of probabilities [..., k]."""
    u = d.uniform(*p.shape[:-1], 1) * p.sum(-1, keepdim=True)
    return (p.cumsum(-1) < u).sum(-1).clamp_max(p.shape[-1] - 1)


def scores(d: Draw, b: int, t: int, h: int, k: int) -> Made:
    """The class with the largest score plus Gumbel noise: p = softmax of the scores.

    A score mixes one to four functions of one family.
    """
    x, u = features(d, b, t, h)
    w, family = relevance(d, b, h), d.pick(FAMILIES)
    count = d.integer(1, min(k, 4))
    parts = torch.stack([standardise(family(d, u, w)).clamp(-8, 8) for _ in range(count)], dim=-1)
    mix = d.normal(b, count, k)
    if count > 1 and d.chance(0.5):  # every function speaks for one class first
        mix = 0.3 * mix + torch.eye(k).to(mix)[:count]
    weak, strong, certain = (
        d.log_uniform(b, 1, 1, low=low, high=high) for low, high in ((0.2, 3), (2, 20), (50, 1e3))
    )
    gain = torch.where(d.mask(0.45, b, 1, 1), strong, weak)
    gain = torch.where(d.mask(0.1, b, 1, 1), certain, gain)
    bias = d.pick({0.0: 2, 0.5: 2, 1.0: 1}) * d.normal(b, 1, k)
    logits = gain * (parts @ mix + bias) + torch.log(shares(d, b, k)).unsqueeze(1)
    return x, torch.softmax(logits, dim=-1), None, f"scores/{family.__name__}"


def score_of(chosen: Law, e: Tensor) -> Tensor:
    """The normal score z at which a law of the noise reaches e [b,t,*], by halving."""
    low, high = torch.full_like(e, -REACH), torch.full_like(e, REACH)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        below = chosen(middle) < e
        low, high = torch.where(below, middle, low), torch.where(below, high, middle)
    return (low + high) / 2


def bins(f: Tensor, scale: Tensor, chosen: Law, cuts: Tensor) -> Tensor:
    """P(cut_{i-1} < f + scale noise <= cut_i) [b,t,m+1] for ascending cuts [b,m]."""
    e = (cuts.unsqueeze(1) - f.unsqueeze(-1)) / scale.clamp_min(1e-6).unsqueeze(-1)
    below = torch.special.ndtr(score_of(chosen, e))
    return F.pad(F.pad(below, (1, 0)), (0, 1), value=1.0).diff(dim=-1).clamp_min(0.0)


def collected(d: Draw, p: Tensor, k: int) -> Tensor:
    """Probabilities of bins [b,t,m] -> of classes [b,t,k], each one bin or several.

    As many bins as classes keep their order.
    """
    m = p.shape[-1]
    owner = torch.arange(m)
    if m > k:
        owner = torch.cat((owner[:k], d.integers(0, k - 1, m - k)))[d.uniform(m).argsort()]
    return p @ F.one_hot(owner, k).to(p)


def cut_points(d: Draw, y: Tensor, m: int) -> Tensor:
    """[b,m] ascending cuts of y [b,t] into m+1 bins with random shares."""
    level = shares(d, len(y), m + 1).cumsum(-1)[:, :-1]
    at = (level * (y.shape[1] - 1)).clamp(0, y.shape[1] - 1.001)
    ordered = y.sort(1).values
    left = at.floor().long()
    return (torch.gather(ordered, 1, left) + torch.gather(ordered, 1, left + 1)) / 2


def bin_count(d: Draw, k: int) -> int:
    """Bins for k classes: as many, or more."""
    return k if d.chance(0.7) else d.integer(k + 1, 2 * k + 2)


def thresholds(d: Draw, b: int, t: int, h: int, k: int) -> Made:
    """Bins of a numeric target f + s noise.

    A monotone warp of the target moves the thresholds with it and changes nothing.
    """
    x, u, w, f, family = centre(d, b, t, h)
    scale, chosen = noise_scale(d, u, f, w).clamp_min(1e-6), law(d, b)
    target = f + scale * chosen(d.normal(b, t, 1)).squeeze(-1)
    cuts = cut_points(d, target, bin_count(d, k) - 1)
    p = collected(d, bins(f, scale, chosen, cuts), k)
    return x, p, None, f"thresholds/{family}"


def leaves(d: Draw, b: int, t: int, h: int, k: int) -> Made:
    """Trees with probabilities of the classes in their leaves; those of a forest are averaged."""
    x, u = features(d, b, t, h)
    count, depth = d.pick({1: 4, 3: 1, 10: 1}), d.integer(1, 5)
    code = leaf_codes(d, u, relevance(d, b, h), count, depth)
    sharp = d.log_uniform(b, 1, 1, 1, low=0.5, high=8)
    logits = sharp * d.normal(b, count, 2**depth, k) + torch.log(shares(d, b, k)).view(b, 1, 1, k)
    index = code.unsqueeze(-1).expand(-1, -1, -1, k)
    return x, torch.gather(torch.softmax(logits, dim=-1), 2, index).mean(1), None, "leaves"


def gaussian_columns(d: Draw, y: Tensor, h: int, k: int) -> tuple[Tensor, Tensor]:
    """Columns [b,t,h] given the classes, and their log densities [b,t,k] in every class.

    A class is a mixture of one to three Gaussian clouds with axes of their own lengths.
    """
    (b, t), clouds = y.shape, d.pick({1: 4, 2: 2, 3: 1})
    member = y * clouds + d.integers(0, clouds - 1, b, t)
    matters = d.mask(d.pick({0.3: 1, 0.6: 1, 1.0: 2}), b, 1, h)
    distance = d.log_uniform(b, 1, 1, low=0.2, high=4) / math.sqrt(h)
    spread = d.pick({0.0: 1, 0.4: 1, 0.8: 0.5})
    centres = matters * distance * d.log_uniform(b, 1, 1, low=1, high=h**0.5 + 0.01)
    centres = centres * d.normal(b, k * clouds, h)
    lengths = torch.exp(matters * spread * d.normal(b, k * clouds, h))
    at = member.unsqueeze(-1).expand(-1, -1, h)
    z = torch.gather(centres, 1, at) + torch.gather(lengths, 1, at) * d.normal(b, t, h)
    e = (z.unsqueeze(2) - centres.unsqueeze(1)) / lengths.unsqueeze(1)
    density = -e.square().sum(-1) / 2 - torch.log(lengths).sum(-1).unsqueeze(1)
    return z, torch.logsumexp(density.view(b, t, k, clouds), dim=-1)


def categorical_columns(d: Draw, y: Tensor, h: int, k: int) -> tuple[Tensor, Tensor]:
    """Codes [b,t,h] given the classes, independent of each other, and their log probabilities."""
    (b, t), levels = y.shape, d.integer(2, 8)
    sharp = d.log_uniform(b, 1, h, 1, low=0.05, high=2) * d.mask(0.7, b, 1, h, 1)
    table = torch.log_softmax(sharp * d.normal(b, k, h, levels) + d.normal(b, 1, h, levels), dim=-1)
    of = torch.gather(table, 1, y.view(b, t, 1, 1).expand(-1, -1, h, levels))
    codes = drawn(d, of.exp())
    index = codes.unsqueeze(1).unsqueeze(-1).expand(-1, k, -1, -1, -1)
    found = torch.gather(table.unsqueeze(2).expand(-1, -1, t, -1, -1), -1, index).squeeze(-1)
    return codes.float(), found.sum(-1).transpose(1, 2)


def mixture(d: Draw, b: int, t: int, h: int, k: int) -> Made:
    """Features drawn given the class: Gaussian clouds, turned, and categories. p by Bayes' rule."""
    share = shares(d, b, k)
    y = drawn(d, share.unsqueeze(1).expand(-1, t, -1))
    codes = round(h * d.pick({0.0: 4, 0.4: 1, 1.0: 1}))
    log_p, x, lost = torch.log(share).unsqueeze(1), [], torch.zeros(b, dtype=torch.bool)
    if codes < h:
        z, density = gaussian_columns(d, y, h - codes, k)
        log_p = log_p + density
        if d.chance(0.5):
            z = z @ torch.linalg.qr(d.normal(b, h - codes, h - codes))[0]
        if d.chance(0.4):
            z, lossy = reshaped(d, z)
            lost = lossy.flatten(1).any(1).cpu()
        x.append(z)
    if codes:
        z, density = categorical_columns(d, y, codes, k)
        log_p = log_p + density
        x.append(z)
    p = torch.softmax(log_p, dim=-1).masked_fill(lost.view(b, 1, 1), math.nan)
    return torch.cat(x, dim=-1), p, y, "mixture"


def causal(d: Draw, b: int, t: int, h: int, k: int) -> Made:
    """Bins of a node of a random noisy network, of which the features are other nodes."""
    x, target, name = causal_tables(d, b, t, h)
    cuts = cut_points(d, target.y, bin_count(d, k) - 1)
    inside = torch.searchsorted(cuts, target.y.contiguous())
    p = collected(d, F.one_hot(inside, cuts.shape[1] + 1).float(), k)
    return x, torch.full_like(p, math.nan), p.argmax(-1), name


KINDS = {scores: 4, thresholds: 3, leaves: 1.5, mixture: 2.5, causal: 1.5}
