"""The posterior surface: quantiles over quantiles, and the loss that teaches them.

For a query row with the unknown conditional quantile function Q and mean m, the surface
holds the posterior quantiles of Q(u_k) at the levels LEVELS and of m, each at the
posterior levels POSTERIOR_LEVELS: [..., K+1, J], row K the mean. The pinball loss of the
truth at every (k, j) is minimised by exactly these quantiles.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from scripts.training.network.layers import Dense


def polynomials(levels: Tensor, rank: int) -> Tensor:
    """[rank, J] polynomials of the normal score of levels, orthogonal and of mean square one."""
    z = torch.special.ndtri(levels.double())
    q, r = torch.linalg.qr(torch.stack([z**k for k in range(rank)], dim=1))
    return ((q * r.diagonal().sign()).t() * len(levels) ** 0.5).float()


class Offsets(nn.Module):
    """Rows r [B,M,D] -> [B,M,rows,J] offsets of posterior quantiles at J levels.

    Those of a row are a combination of `rank` learned functions of the level, which loses
    nothing against free ones (scripts/training/LOG.md).
    """

    def __init__(self, dim: int, rows: int, config: dict):
        super().__init__()
        self.rank = config["rank"]
        self.first = Dense(dim, 2 * dim)
        self.second = Dense(2 * dim, rows * self.rank)
        posterior = torch.tensor(config["posterior_levels"])
        self.basis = nn.Parameter(polynomials(posterior, self.rank))
        self.register_buffer("levels", posterior, persistent=False)
        with torch.no_grad():
            self.second.weight.mul_(0.1)
            self.second.bias.view(-1, self.rank).copy_(0.3 * torch.eye(self.rank)[1])

    def forward(self, r: Tensor) -> Tensor:
        parts = self.second(F.gelu(self.first(r)))
        return parts.reshape(parts.shape[:-1] + (-1, self.rank)) @ self.basis


def starts(levels: list[float], quantiles: int) -> Tensor:
    """[Q, K+1]: takes the quantiles at the levels i/(Q+1) out of all Q, and their average.

    A product, since onnxruntime rounds a mean over rows of odd length by where they stand.
    """
    taken = torch.zeros(quantiles, len(levels) + 1)
    for k, u in enumerate(levels):
        taken[round(u * (quantiles + 1)) - 1, k] = 1
    taken[:, -1] = 1 / quantiles
    return taken


class Surface(Offsets):
    """The posterior surface of a row: the label's quantiles plus learned offsets.

    Row k < K begins at the label's own quantile at the level u_k, which must be one of
    i/(Q+1), and row K, the mean, at the average of all Q. No gradient flows into these.
    """

    def __init__(self, dim: int, quantiles: int, config: dict):
        super().__init__(dim, len(config["levels"]) + 1, config)
        self.register_buffer("base", starts(config["levels"], quantiles), persistent=False)

    def forward(self, r: Tensor, quantiles: Tensor) -> Tensor:
        """Rows r [B,M,D] and their label quantiles [B,M,Q] -> [B,M,K+1,J]."""
        return (quantiles.detach() @ self.base).unsqueeze(-1) + super().forward(r)


def surface_loss(surface: Tensor, truth: Tensor, levels: Tensor) -> Tensor:
    """Mean pinball loss of surface [B,M,K+1,J] for the truth [B,M,K+1], NaN where unknown.

    `levels` [J] are the posterior levels of the surface.
    """
    known = ~torch.isnan(truth).any(-1)  # counted without asking the device how many there are
    e = truth.nan_to_num().unsqueeze(-1) - surface.float()
    loss = torch.maximum(levels * e, (levels - 1) * e).mean((-2, -1))
    return (loss * known).sum() / known.sum().clamp_min(1)
