"""Trends of targets and of classes, batched in torch for training: `trend.py` has the formulas.

Members of an ensemble read what a trend leaves of the target, or linear predictions of the classes'
shares. A network that has seen such tables knows how far to trust them.
"""

from __future__ import annotations

import torch
from torch import Tensor

from scripts.pretrain.pipeline import soft_clip, standard
from scripts.pretrain.trend import (
    CENTRES,
    INTERACTION,
    JITTER,
    KERNEL_PENALTIES,
    LEAST_LEFT,
    LENGTH,
    MIN_RESIDUAL,
    MOST_FREEDOM,
    PENALTIES,
    Array,
)

LIMIT = 20.0


def kernel(a: Tensor, b: Tensor) -> Tensor:
    """Values [B,T,M] of the kernel of rows a [B,T,H] and b [B,M,H]."""
    total = torch.zeros(len(a), a.shape[1], b.shape[1], dtype=a.dtype, device=a.device)
    for u, v in zip(a.unbind(-1), b.unbind(-1)):
        r = (u.unsqueeze(-1) - v.unsqueeze(-2)).abs() * (3**0.5 / LENGTH)
        total += (1 + r) * torch.exp(-r)
    h = a.shape[-1]
    return a @ b.mT / h + torch.exp(INTERACTION * (total / h - 1))


def kernel_features(z: Tensor, n: int) -> Tensor:
    """z [B,T,H] -> [B,T,M]: features whose inner products are the kernel, by at most CENTRES rows."""
    m = min(n, CENTRES)
    z = z.double()
    at = torch.arange(m, device=z.device) * n // m
    k = kernel(z, z[:, at])
    own = k[:, at] + JITTER * torch.eye(m, dtype=k.dtype, device=k.device)
    return torch.linalg.solve_triangular(torch.linalg.cholesky(own), k.mT, upper=False).mT


class Ridges:
    """Ridge regressions of targets on features [B,T,M], learned from the first n rows."""

    def __init__(self, features: Tensor, n: int, penalties: Array = PENALTIES):
        self.penalties = penalties
        self.x = features.double() - features[:, :n].double().mean(1, keepdim=True)
        self.n, context = n, self.x[:, :n]
        squares, self.v = torch.linalg.eigh(context.mT @ context)
        self.squares = squares.clamp_min(0).unsqueeze(-2)
        self.along = self.x @ self.v / self.squares.sqrt().clamp_min(1e-12)

    def best_shrinkage(self, y: Tensor) -> Tensor:
        """[B,1,M] s²/(s² + penalty) of the best penalty for targets y [B,n]; 0 without one."""
        u = self.along[:, : self.n]
        penalties = torch.as_tensor(self.penalties, device=y.device) * self.n
        shrink = self.squares / (self.squares + penalties.unsqueeze(-1))  # [B,G,M]
        freedom = 1 + shrink.sum(-1)
        fit = (shrink * (u.mT @ y.unsqueeze(-1)).mT) @ u.mT  # [B,G,n]
        left = (y.unsqueeze(1) - fit).square().sum(-1)
        score = (left / (self.n - freedom) ** 2).masked_fill(
            freedom >= MOST_FREEDOM * self.n, torch.inf
        )
        best, at = score.min(-1)
        chosen = torch.gather(shrink, 1, at.view(-1, 1, 1).expand(-1, 1, shrink.shape[-1]))
        return chosen * best.isfinite().view(-1, 1, 1)

    def fit(self, y: Tensor, leverage: float) -> tuple[Tensor, Tensor]:
        """Of targets y [B,n] of mean zero: the fit [B,T] and what leaving one row out leaves [B,n]."""
        u, shrink = self.along[:, : self.n], self.best_shrinkage(y)
        fit = (self.along * shrink) @ (u.mT @ y.unsqueeze(-1))
        h = leverage + (u.square() * shrink).sum(-1)
        return fit.squeeze(-1), (y - fit[:, : self.n, 0]) / (1 - h).clamp_min(LEAST_LEFT)


def plain(x: Tensor, n: int) -> Tensor:
    """x [B,T,H] with missing cells -> by the pipeline `none`."""
    return soft_clip(standard(x, n), n)


def ridges(x: Tensor, n: int, kind: str) -> Ridges:
    """Of features x [B,T,H] with missing cells, for a trend that is `linear` or `kernel`."""
    z = plain(x, n)
    return Ridges(z, n) if kind == "linear" else Ridges(kernel_features(z, n), n, KERNEL_PENALTIES)


def without_trend(
    x: Tensor, y: Tensor, truth: Tensor, n: int, kind: str
) -> tuple[Tensor, Tensor]:
    """What a trend of x [B,T,H] leaves of standardised y [B,T] and of its truth [B,T,R]."""
    scores = y.double()
    fit, left = ridges(x, n, kind).fit(scores[:, :n], 1 / n)
    shift = left.mean(1, keepdim=True)
    scale = left.std(1, keepdim=True, unbiased=False).clamp_min(MIN_RESIDUAL)
    at = fit + shift
    rest = torch.cat((left - shift, scores[:, n:] - at[:, n:]), dim=1) / scale
    truth = (truth.double() - at.unsqueeze(-1)) / scale.unsqueeze(-1)
    return tuple(v.clamp(-LIMIT, LIMIT).to(y.dtype) for v in (rest, truth))


def share_columns(x: Tensor, y: Tensor, classes: Tensor, n: int, kind: str) -> Tensor:
    """Predictions [B,T,K] of the shares of the classes y [B,T] among the first n rows.

    K is the largest of the numbers of classes [B], or one of two everywhere; a table with
    fewer has zeros in the columns that it lacks.
    """
    learned, count = ridges(x, n, kind), int(classes.max())
    columns = []
    for k in range(count)[1 if count == 2 else 0 :]:
        centred = (y[:, :n] == k).double()
        mean = centred.mean(1, keepdim=True)
        centred -= mean
        fit, left = learned.fit(centred, 0.0)
        column = torch.cat((mean + centred - left, mean + fit[:, n:]), dim=1)
        columns.append(column * (k < classes).unsqueeze(1))
    return torch.stack(columns, dim=-1).to(x.dtype)
