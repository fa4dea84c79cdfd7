"""A TabICLv2-style in-context regression network.

A table goes through three stages: every column is embedded by a set
transformer that sees the labelled context rows (ISAB blocks with inducing
points), every row is condensed to a few CLS vectors by a transformer over its
features, and the rows attend to the context rows. The output of a query row is
Q quantiles of the standardised target at the levels i/(Q+1). If the configuration has
a `surface`, {"levels": u [K], "posterior_levels": tau [J], "rank": r}, there is the posterior
of the target's conditional quantiles and mean as well (see `surface.py`). With
`classes` the target is a class 0, 1, ... below that number, and the output is the
logits of the classes; with `class_posterior`, {"posterior_levels": tau [J], "rank": r}, there
are the offsets of the posterior of their probabilities as well (see `class_posterior.py`).

Shapes: B tables, N context rows, M query rows, T = N+M, H features,
E embedding width, D = E * CLS row width.

The offsets of `group` say which columns a token reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from scripts.training.network.layers import Block, Dense, Isab, Mlp, Norm, RowBlock
from scripts.training.network.surface import Offsets, Surface

DEFAULT_CONFIG = {
    "embed_dim": 64,
    "num_cls": 2,
    "col_blocks": 2,
    "col_heads": 4,
    "inducing": 32,
    "row_blocks": 2,
    "row_heads": 4,
    "rope_base": 100000.0,
    "icl_blocks": 4,
    "icl_heads": 4,
    "ff_factor": 2,
    "quantiles": 99,
    "surface": None,
    "classes": 0,
    "class_posterior": None,
    "norm_bias": False,
    "group": [1, 2, 4],
}


class Output(NamedTuple):
    """Quantiles of the target [B,M,Q] and the posterior that the network was trained for.

    The posterior is the surface [B,M,K+1,J], or None. Of a classifier the first are the logits
    [B,M,C] of the classes, and the posterior the offsets [B,M,C,J] of that of their
    probabilities, or None.
    """

    quantiles: Tensor
    posterior: Tensor | None


def knot_levels(count: int) -> Tensor:
    return torch.arange(1, count + 1) / (count + 1)


def start_normal(decoder: Mlp) -> None:
    """Let a decoder begin as the standard normal distribution."""
    last = decoder.second
    with torch.no_grad():
        last.weight.mul_(0.1)
        last.bias.copy_(torch.special.ndtri(knot_levels(len(last.bias))))


def log_count(y: Tensor) -> Tensor:
    """log of the number of context rows as a [1] tensor, computed from data."""
    return torch.log(torch.ones_like(y[:1]).sum(dim=1))


class TabICL(nn.Module):
    """The network; see the module documentation."""

    def __init__(self, config: dict | None = None):
        super().__init__()
        c = self.config = {**DEFAULT_CONFIG, **(config or {})}
        e, ff, self.num_cls = c["embed_dim"], c["ff_factor"], c["num_cls"]
        d, self.classes, self.group = e * self.num_cls, c["classes"], tuple(c["group"])
        bias = c["norm_bias"]
        self.cell = Dense(len(self.group), e)
        self.y_cell = nn.Linear(self.classes or 1, e)
        self.columns = nn.ModuleList(
            Isab(e, c["col_heads"], ff, c["inducing"], bias) for _ in range(c["col_blocks"])
        )
        self.cls = nn.Parameter(torch.randn(1, 1, self.num_cls, e) * 0.5)
        self.rows = nn.ModuleList(
            RowBlock(e, c["row_heads"], ff, bias) for _ in range(c["row_blocks"])
        )
        self.row_norm = Norm(e, bias)
        self.y_row = nn.Linear(self.classes or 1, d)
        self.icl = nn.ModuleList(
            Block(d, c["icl_heads"], ff, bias, ssmax=True) for _ in range(c["icl_blocks"])
        )
        self.icl_norm = Norm(d, bias)
        self.decoder = Mlp(d, 2 * d, self.classes or c["quantiles"])
        if not self.classes:
            start_normal(self.decoder)
        self.surface = None
        if c["surface"]:
            self.surface = Surface(d, c["quantiles"], c["surface"])
        self.class_posterior = None
        if c["class_posterior"]:
            self.class_posterior = Offsets(d, self.classes, c["class_posterior"])
        half = e // c["row_heads"] // 2
        freqs = c["rope_base"] ** (-torch.arange(half) / half)
        self.register_buffer("freqs", freqs, persistent=False)

    def set_explicit(self, explicit: bool) -> TabICL:
        """Choose normalisation written out for the export."""
        for module in self.modules():
            if isinstance(module, Norm):
                module.explicit = explicit
        return self

    def outputs(self) -> list[str]:
        """Names of the outputs, in the order of `Output`."""
        if self.classes:
            return ["logits"] + ["class_posterior"] * (self.class_posterior is not None)
        if self.surface is not None:
            return ["quantiles", "surface"]
        return ["quantiles"]

    def labels(self, y: Tensor) -> Tensor:
        """Targets [B,N] as the network reads them: [B,N,1], or one-hot [B,N,C] of classes."""
        if not self.classes:
            return y.unsqueeze(-1)
        return (y.unsqueeze(-1) == torch.arange(self.classes, device=y.device)).to(y.dtype)

    def embed_cells(self, x: Tensor) -> Tensor:
        """[B,T,H] -> [B,H,T,E]: feature j sees the features j+1, j+2, j+4 (of `group`)."""
        position = torch.arange(x.shape[2], device=x.device)
        shifted = [x.index_select(2, (position + o) % x.shape[2]) for o in self.group]
        # what blocks add to stays float32, also where products are bfloat16
        return self.cell(torch.stack(shifted, dim=-1).transpose(1, 2)).to(x.dtype)

    def embed_rows(self, src: Tensor) -> Tensor:
        """[B,H,T,E] -> [B,T,D]: CLS tokens read the features of their row."""
        cells = src.transpose(1, 2)
        b, t, h, e = cells.shape
        cls = self.cls.expand(b, t, -1, -1)
        tokens = torch.cat((cls, cells), dim=2).reshape(b * t, h + self.num_cls, e)
        position = torch.arange(h + self.num_cls, device=src.device)
        angle = position.to(src.dtype).unsqueeze(-1) * self.freqs
        rope = (torch.cos(angle).unsqueeze(1), torch.sin(angle).unsqueeze(1))
        for block in self.rows[:-1]:
            tokens = block(tokens, rope)
        tokens = self.rows[-1](tokens, rope, keep=self.num_cls)
        return self.row_norm(tokens).reshape(b, t, self.num_cls * e)

    def decode(self, r: Tensor) -> Output:
        r = self.icl_norm(r)
        quantiles = self.decoder(r)
        if self.surface is not None:
            return Output(quantiles, self.surface(r, quantiles))
        other = self.class_posterior
        return Output(quantiles, None if other is None else other(r))

    def forward(self, x: Tensor, y: Tensor) -> Output:
        """x [B,T,H], standardised y or classes [B,N] -> outputs of the M query rows."""
        n, logn = y.shape[1], log_count(y)
        target = self.labels(y)
        src = self.embed_cells(x)
        b, h, t, e = src.shape
        labels = F.pad(self.y_cell(target), (0, 0, 0, t - n))
        src = (src + labels.unsqueeze(1)).reshape(b * h, t, e)
        for isab in self.columns:
            src = isab(src, n, logn)
        r = self.embed_rows(src.reshape(b, h, t, e))
        r = r + F.pad(self.y_row(target), (0, 0, 0, t - n))
        for block in self.icl[:-1]:
            r = block.among(r, n, logn)
        r = self.icl[-1].among(r, n, logn, first=n)
        with torch.autocast(r.device.type, enabled=False):
            return self.decode(r.float())

    def context(self, x: Tensor, y: Tensor) -> tuple[list[Tensor], list[Tensor]]:
        """x [B,N,H], y [B,N] -> keys and values of the column blocks and of the ICL blocks.

        2*Lcol tensors [B,H,heads,inducing,hd] and 2*Licl tensors [B,heads,N,hd].
        """
        colkv, src = self.read_columns(self.embed_cells(x), y)
        return colkv, self.read_rows(self.embed_rows(src), y)

    def read_columns(self, src: Tensor, y: Tensor) -> tuple[list[Tensor], Tensor]:
        """Cells [B,H,N,E], y [B,N] -> keys and values of the column blocks, and cells."""
        logn = log_count(y)
        b, h, n, e = src.shape
        src = (src + self.y_cell(self.labels(y)).unsqueeze(1)).reshape(b * h, n, e)
        colkv = []
        for isab in self.columns:
            kv = isab.summary(src, logn)
            src = isab.spread(src, kv)
            colkv += [part.reshape((b, h) + part.shape[1:]) for part in kv]
        return colkv, src.reshape(b, h, n, e)

    def read_rows(self, r: Tensor, y: Tensor) -> list[Tensor]:
        """Rows [B,N,D] without their labels, y [B,N] -> keys and values of the ICL blocks."""
        r, logn = r + self.y_row(self.labels(y)), log_count(y)
        iclkv = []
        for block in self.icl[:-1]:
            kv = block.keys_values(r)
            r = block(r, kv, logn)
            iclkv += kv
        return iclkv + self.icl[-1].keys_values(r)

    def query(self, x: Tensor, colkv: Sequence[Tensor], iclkv: Sequence[Tensor]) -> Output:
        """x [B,M,H] and the context's keys and values -> quantiles."""
        cells = self.query_columns(self.embed_cells(x), colkv)
        return self.query_rows(self.embed_rows(cells), iclkv)

    def query_columns(self, src: Tensor, colkv: Sequence[Tensor]) -> Tensor:
        """Cells [B,H,M,E] beside the keys and values of their columns -> cells."""
        b, h, m, e = src.shape
        src = src.reshape(b * h, m, e)
        for i, isab in enumerate(self.columns):
            kv = [part.reshape((b * h,) + part.shape[2:]) for part in colkv[2 * i : 2 * i + 2]]
            src = isab.spread(src, kv)
        return src.reshape(b, h, m, e)

    def query_rows(self, r: Tensor, iclkv: Sequence[Tensor]) -> Output:
        """Rows [B,M,D] and the keys and values of the context's rows -> the outputs."""
        logn = torch.log(torch.ones_like(iclkv[0][:1, 0, :, 0]).sum(dim=1))
        for i, block in enumerate(self.icl):
            r = block(r, [iclkv[2 * i], iclkv[2 * i + 1]], logn)
        return self.decode(r)

    def context_digits(self, x: Tensor, digits: Tensor) -> tuple[list[Tensor], Tensor]:
        """One table x [1,N,H] with D labels of every row [D,N] -> keys and values, rows [1,N,D].

        The cells are the mean over what the columns make of each label (mixed-radix
        ensembling, for more classes than there are outputs).
        """
        src = self.embed_cells(x).expand(digits.shape[0], -1, -1, -1)
        colkv, src = self.read_columns(src, digits)
        return colkv, self.embed_rows(src.mean(0, keepdim=True))

    def query_digits(self, x: Tensor, colkv: Sequence[Tensor]) -> Tensor:
        """x [1,M,H] and the keys and values of `context_digits` -> rows [1,M,D]."""
        src = self.embed_cells(x).expand(colkv[0].shape[0], -1, -1, -1)
        return self.embed_rows(self.query_columns(src, colkv).mean(0, keepdim=True))


def parameter_count(net: nn.Module) -> int:
    return sum(p.numel() for p in net.parameters())
