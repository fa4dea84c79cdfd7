"""Synthetic tables of classes with their true probabilities: the prior of the classifier.

The features and functions are those of the regressor's prior. A batch is put together from
small groups that share the structural choices, the number of classes among them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from scripts.training.prior.class_kinds import KINDS, drawn, shares
from scripts.training.prior.draw import Draw, standardise
from scripts.training.prior.late import sometimes_ordered
from scripts.training.prior.tables import FEW_ROWS, in_groups, missing

CLASSES = 10
COUNTS = {2: 9, 3: 4, 4: 2, 5: 1.5, 6: 1, 7: 1, 8: 1, 9: 1, 10: 2}
FEW_COUNTS = {k: v for k, v in COUNTS.items() if k <= 5}


@dataclass
class ClassTables:
    """x [B,T,H], classes y [B,T] below `CLASSES`, and their true probabilities p [B,T,CLASSES].

    p is zero for classes that a table has not, and NaN where it is unknown: for tables whose
    features may be effects of the target or have lost something, and rows with missing
    cells. `family` [B] names the mechanism of each table, and its functions.
    """

    x: Tensor
    y: Tensor
    p: Tensor
    family: list[str]


def mislabelled(d: Draw, p: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Some labels are drawn anew, whatever the features are."""
    b, t, k = p.shape
    rate = d.log_uniform(b, 1, low=0.005, high=0.4)
    other = shares(d, b, k).unsqueeze(1).expand(-1, t, -1)
    y = torch.where(d.uniform(b, t) < rate, drawn(d, other), y)
    return (1 - rate.unsqueeze(-1)) * p + rate.unsqueeze(-1) * other, y


def sample_class_group(d: Draw, b: int, t: int, h: int) -> tuple[Tensor, Tensor, Tensor, str]:
    """b tables with the same structural choices: x, y, p and the name of the family."""
    k = d.pick(FEW_COUNTS if t <= FEW_ROWS else COUNTS)
    x, p, y, name = d.pick(KINDS)(d, b, t, h, k)
    y = drawn(d, p) if y is None else y
    if d.chance(0.2):
        p, y = mislabelled(d, p, y)
    if d.chance(0.5):  # no order among the classes
        order = d.uniform(k).argsort()
        p, y = p[..., order], order.argsort()[y]
    x = standardise(torch.nan_to_num(x[..., d.uniform(h).argsort()]).clamp(-1e4, 1e4))
    if d.chance(0.15):
        holes = missing(d, x)
        x = x.masked_fill(holes, math.nan)
        p = p.masked_fill(holes.any(-1, keepdim=True), math.nan)
    return *sometimes_ordered(d, x, y, F.pad(p, (0, CLASSES - k))), name


def sample_class_tables(seed: int, b: int, t: int, h: int, group: int = 4) -> ClassTables:
    """b tables of t rows and h features."""
    d = Draw(seed)
    return ClassTables(*in_groups(lambda count: sample_class_group(d, count, t, h), b, group))
