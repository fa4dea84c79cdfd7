"""Tables whose rows belong together: categories of many levels, nested groups, repeated rows.

Every maker draws x [b,t,h], columns u [b,t,*] with their weights w, and the centre f [b,t] of
the target, which is a function of x: a group is told by a column of its own, or by columns that
are the same in all of its rows and in no other's. Groups that only the last rows have are new to
a context: see `late`.
"""

from __future__ import annotations

import torch
from torch import Tensor

from scripts.training.prior.draw import Draw, standardise
from scripts.training.prior.features import features, relevance
from scripts.training.prior.functions import SIMPLE

Centre = tuple[Tensor, Tensor, Tensor, Tensor, str]  # x, u, w, f and the name of the family
MOST_LEVELS = 400


def members(d: Draw, b: int, t: int, k: int) -> Tensor:
    """[b,t] levels 0..k-1 of the rows: alike in size, or some much more frequent.

    In a fifth of the tables the rows of a level follow each other, so that the last rows have
    levels that the first ones lack.
    """
    steep = d.pick({0.0: 2, 0.5: 1, 1.0: 1})
    share = torch.arange(1, k + 1).float() ** -steep
    order = d.uniform(b, k).argsort(1)
    weights = torch.gather(share.expand(b, -1), 1, order)
    level = torch.multinomial(weights, t, replacement=True, generator=d.generator)
    if d.chance(0.2):
        level = torch.gather(d.uniform(b, k).argsort(1), 1, level.sort(1).values)
    return level


def effects(d: Draw, b: int, k: int) -> Tensor:
    """[b,k] effects of levels: each its own, heavy-tailed, mostly none, or along their order."""
    own = d.normal(b, k)
    kind = d.pick({"own": 3, "heavy": 1, "sparse": 1, "walk": 1.5, "smooth": 1})
    if kind == "heavy":
        own = own / (d.normal(b, k, 3).square().mean(-1) + 0.05).sqrt()
    elif kind == "sparse":
        own = own * d.mask(0.2, b, k)
    elif kind == "walk":
        own = own.cumsum(1)
    elif kind == "smooth":
        angle = d.uniform(b, 4, 1, high=12.0) * torch.linspace(0, 1, k)
        own = (d.normal(b, 4, 1) * torch.cos(angle + 6 * d.uniform(b, 4, 1))).sum(1)
    return standardise(own)


def level_count(d: Draw, t: int) -> int:
    """Levels of a category of t rows: 8 to half of the rows."""
    return int(d.log_uniform(1, low=8.0, high=max(9.0, min(MOST_LEVELS, t / 2))))


def of_level(values: Tensor, level: Tensor) -> Tensor:
    """[b,k] values and [b,t] levels -> [b,t]."""
    return torch.gather(values, 1, level)


def rest(d: Draw, b: int, t: int, h: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """h ordinary columns x and u, their weights, and a function of them; none for h = 0."""
    if not h:
        none = torch.zeros(b, t, 0)
        return none, none, none[:, 0], none.sum(-1)
    x, u = features(d, b, t, h)
    w = relevance(d, b, h)
    return x, u, w, standardise(d.pick(SIMPLE)(d, u, w)).clamp(-8, 8)


def joined(d: Draw, codes: list[Tensor], x: Tensor, u: Tensor, w: Tensor) -> tuple:
    """Columns of codes beside ordinary ones; u and w have them too, for the noise."""
    shown = torch.stack([code.float() for code in codes], dim=-1)
    own = standardise(shown)
    w = torch.cat((w, torch.full_like(own[:, 0], 0.5)), dim=-1)
    return torch.cat((x, shown), dim=-1), torch.cat((u, own), dim=-1), w


def categories(d: Draw, b: int, t: int, h: int) -> Centre:
    """One to three categories of many levels beside ordinary columns."""
    count = min(h, d.pick({1: 3, 2: 2, 3: 1}))
    x, u, w, f = rest(d, b, t, h - count)
    codes = []
    for _ in range(count):
        k = level_count(d, t)
        level = members(d, b, t, k)
        f = f + d.log_uniform(b, 1, low=0.2, high=2.0) * of_level(effects(d, b, k), level)
        if u.shape[-1] and d.chance(0.25):  # a slope of its own for every level
            slope = of_level(effects(d, b, k), level) * d.log_uniform(b, 1, low=0.2, high=1.0)
            f = f + slope * u[..., 0]
        codes.append(level)
    return *joined(d, codes, x, u, w), f, "categories"


def nested(d: Draw, b: int, t: int, h: int) -> Centre:
    """Groups within groups, each with an effect, and columns that are the groups' own."""
    outer = int(d.log_uniform(1, low=3.0, high=max(4.0, min(60.0, t / 4))))
    inner = d.integer(2, 8)
    first, second = members(d, b, t, outer), members(d, b, t, inner)
    both = first * inner + second
    codes = [both] if h == 1 else [first, both if d.chance(0.5) else second]
    x, u, w, f = rest(d, b, t, h - len(codes))
    if x.shape[-1] and d.chance(0.5):  # the groups' own columns
        owner = first if d.chance(0.5) else both
        pick = d.integers(0, t - 1, b, outer * inner)
        row = torch.gather(pick, 1, owner).unsqueeze(-1).expand_as(x)
        own = d.mask(0.5, b, 1, x.shape[-1])
        x, u = (torch.where(own, torch.gather(v, 1, row), v) for v in (x, u))
        f = standardise(d.pick(SIMPLE)(d, u, w)).clamp(-8, 8)
    size = d.log_uniform(b, 2, low=0.2, high=2.0)
    f = f + size[:, :1] * of_level(effects(d, b, outer), first)
    f = f + size[:, 1:] * of_level(d.normal(b, outer * inner), both)
    return *joined(d, codes, x, u, w), f, "nested"


def repeated(d: Draw, b: int, t: int, h: int) -> Centre:
    """Rows of the same subjects at several times, with intercepts and slopes of their own."""
    subjects = max(2, int(t / float(d.log_uniform(1, low=2.0, high=15.0))))
    who = members(d, b, t, subjects)
    named = h < 3 or d.chance(0.5)
    time = d.integers(0, 9, b, t) if d.chance(0.5) else d.uniform(b, t)
    codes = ([who] if named else []) + ([time] if h > 1 else [])
    x, u, w, f = rest(d, b, t, h - len(codes))
    if x.shape[-1]:
        constant = d.mask(0.6, b, 1, x.shape[-1])
        traits = d.normal(b, subjects, x.shape[-1])
        mine = torch.gather(traits, 1, who.unsqueeze(-1).expand_as(x))
        if not named:
            constant[..., 0] = True  # a number that no other subject has
        x, u = (torch.where(constant, mine, v) for v in (x, u))
        f = standardise(d.pick(SIMPLE)(d, u, w)).clamp(-8, 8)
    f = f + d.log_uniform(b, 1, low=0.2, high=2.0) * of_level(d.normal(b, subjects), who)
    if h > 1 and d.chance(0.5):
        slope = of_level(d.normal(b, subjects), who)
        f = f + d.log_uniform(b, 1, low=0.1, high=1.0) * slope * standardise(time.float())
    return *joined(d, codes, x, u, w), f, "repeated"
