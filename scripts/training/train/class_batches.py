"""Small batches of tables of classes, split into context and query, and their losses."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from scripts.training.network.class_posterior import label_loss, posterior_loss
from scripts.training.network.network import Output, TabICL
from scripts.training.prior.class_tables import CLASSES, sample_class_tables
from scripts.training.train.batches import ROWS, Source
from scripts.training.train.pipeline import prepared_features


@dataclass
class ClassBatch:
    """x [B,T,H] in network units with NaN imputed, y [B,T] and the true p [B,T,CLASSES].

    The first `rows` rows are the context. Its classes are 0, 1, ..., `classes` [B] of them.
    A query row with another class has y = -1, and p is among the classes of the context:
    what a classifier could know. All queries of a table with one class are so.
    """

    x: Tensor
    y: Tensor
    p: Tensor
    classes: Tensor
    rows: int
    family: list[str]


def renumbered(y: Tensor, p: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    """Classes y [B,T] and p [B,T,C] among those of the first n rows, and their numbers [B]."""
    seen = torch.nn.functional.one_hot(y[:, :n], CLASSES).any(1)
    classes = seen.sum(-1)
    number = torch.where(seen, seen.cumsum(-1) - 1, -1)
    y = torch.gather(number, 1, y)
    order = (~seen).to(torch.int8).argsort(dim=-1, stable=True)
    p = torch.gather(p * seen.unsqueeze(1), 2, order.unsqueeze(1).expand_as(p))
    total = p.sum(-1, keepdim=True)
    p = torch.where(total > 1e-3, p / total, torch.nan)
    single = (classes < 2).view(-1, 1)
    y = torch.where(single & (torch.arange(y.shape[1], device=y.device) >= n), -1, y)
    return y, p.masked_fill(single.unsqueeze(-1), torch.nan), classes.clamp_min(2)


@dataclass(frozen=True)
class ClassSource(Source):
    """As `Source`, of tables of classes, which are wider: images and sequences among them."""

    widest: int = 100

    def batch(self, seed: int, rows: dict[int, float] = ROWS) -> ClassBatch:
        d, b, t, h, n = self.shape(seed, rows)
        group = min(4, max(1, b // 2))
        tables = sample_class_tables(seed + 1, b, t, h, group)
        powered = d.mask(0.5, b)
        x, p = self.sometimes_lost(d, seed, tables.x, tables.p, n)
        y, p, classes = renumbered(tables.y, p, n)
        x = prepared_features(x, n, powered)
        return ClassBatch(x, y, p, classes, n, tables.family)


def class_losses(net: TabICL, batch: ClassBatch) -> tuple[Tensor, Tensor]:
    """Loss of the class and of the posterior of the class probabilities."""
    n = batch.rows
    out: Output = net(batch.x, batch.y[:, :n].to(batch.x.dtype))
    logits, p = out.quantiles, batch.p[:, n:]
    label = label_loss(logits, batch.y[:, n:], p, batch.classes)
    levels = net.class_posterior.levels
    return label, posterior_loss(out.posterior, logits, p, batch.classes, levels)
