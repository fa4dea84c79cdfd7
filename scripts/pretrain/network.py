"""A TabICLv2-style in-context regression network.

A table goes through three stages: every column is embedded by a set
transformer that sees the labelled context rows (ISAB blocks with inducing
points), every row is condensed to a few CLS vectors by a transformer over its
features, and the rows attend to the context rows. The output of a query row is
Q quantiles of the standardised target at the levels i/(Q+1), and, if the
configuration has `median_quantiles`, as many quantiles of the posterior of the
target's noise-free conditional median. With `classes` the target is a class
0, 1, ... below that number, and the output is the logits of the classes.

Shapes: B tables, N context rows, M query rows, T = N+M, H features,
E embedding width, D = E * CLS row width.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

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
    "median_quantiles": 0,
    "classes": 0,
    "norm_bias": False,
}

GROUP_OFFSETS = (1, 2, 4)


def flat_linear(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """x W' + b with x flattened to a matrix, which exports as one Gemm."""
    out = F.linear(x.reshape(-1, x.shape[-1]), weight, bias)
    return out.reshape(x.shape[:-1] + (weight.shape[0],))


class Dense(nn.Linear):
    """nn.Linear by `flat_linear`."""

    def forward(self, x: Tensor) -> Tensor:
        return flat_linear(x, self.weight, self.bias)


class Norm(nn.Module):
    """Layer normalisation, without a learned bias unless one is asked for.

    `explicit` writes it out for the export: onnxruntime is slower with
    LayerNormalization and mishandles it without its third input.
    """

    def __init__(self, dim: int, bias: bool = False):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim)) if bias else None
        self.explicit = False

    def forward(self, x: Tensor) -> Tensor:
        if not self.explicit:
            return F.layer_norm(x, self.weight.shape, self.weight, self.bias, 1e-5)
        c = x - x.mean(-1, keepdim=True)
        out = c * torch.rsqrt((c * c).mean(-1, keepdim=True) + 1e-5) * self.weight
        return out if self.bias is None else out + self.bias


class Mlp(nn.Module):
    """Linear, GELU, Linear."""

    def __init__(self, inp: int, hidden: int, out: int):
        super().__init__()
        self.first = Dense(inp, hidden)
        self.second = Dense(hidden, out)

    def forward(self, x: Tensor) -> Tensor:
        return self.second(F.gelu(self.first(x)))


class SSMax(nn.Module):
    """Query scaling q * b(log n) * (1 + tanh g(q)), n = number of keys; q [..., heads, hd]."""

    def __init__(self, heads: int, head_dim: int):
        super().__init__()
        self.heads, self.head_dim = heads, head_dim
        self.base = Mlp(1, 64, heads * head_dim)
        self.gate = Mlp(head_dim, 64, head_dim)
        nn.init.zeros_(self.base.second.weight)
        nn.init.ones_(self.base.second.bias)
        nn.init.zeros_(self.gate.second.weight)
        nn.init.zeros_(self.gate.second.bias)

    def forward(self, q: Tensor, logn: Tensor) -> Tensor:
        base = self.base(logn).view(self.heads, self.head_dim)
        return q * base * (1 + torch.tanh(self.gate(q)))


class Block(nn.Module):
    """Pre-norm attention block r = q + attn(q, kv); r + ff(norm(r))."""

    def __init__(self, dim: int, heads: int, ff: int, ssmax: bool = False, bias: bool = False):
        super().__init__()
        self.dim, self.heads, self.head_dim = dim, heads, dim // heads
        self.norm1, self.norm2 = Norm(dim, bias), Norm(dim, bias)
        self.in_weight = nn.Parameter(torch.randn(3 * dim, dim) / math.sqrt(dim))
        self.in_bias = nn.Parameter(torch.zeros(3 * dim))
        self.out = Dense(dim, dim)
        self.mlp = Mlp(dim, ff * dim, dim)
        self.ssmax = SSMax(heads, dim // heads) if ssmax else None
        for last in (self.out, self.mlp.second):
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)

    def project(self, normed: Tensor, first: int, count: int) -> list[Tensor]:
        """Rows first..first+count-1 of the stacked Q, K, V projections, [..., S, heads, hd]."""
        d = self.dim
        rows = slice(first * d, (first + count) * d)
        out = flat_linear(normed, self.in_weight[rows], self.in_bias[rows])
        shape = out.shape[:-1] + (self.heads, self.head_dim)
        return [part.reshape(shape) for part in out.split(d, dim=-1)]

    def keys_values(self, x: Tensor) -> list[Tensor]:
        """Keys and values [..., heads, S, hd]."""
        return [part.transpose(-2, -3) for part in self.project(self.norm1(x), 1, 2)]

    def queries(self, x: Tensor, logn: Tensor | None) -> Tensor:
        """Queries [..., S, heads, hd]."""
        q = self.project(self.norm1(x), 0, 1)[0]
        return q if self.ssmax is None else self.ssmax(q, logn)

    def attention(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """q [B,S,heads,hd], k and v [B,heads,N,hd] -> [B,S,D]; one q may serve all tables."""
        q = q.transpose(-2, -3)
        if q.shape[0] != k.shape[0]:
            q = q.expand(k.shape[0], -1, -1, -1)
        out = F.scaled_dot_product_attention(q, k, v).transpose(-2, -3)
        return out.reshape(out.shape[:-2] + (self.dim,))

    def finish(self, x: Tensor, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        r = x + self.out(self.attention(q, k, v))
        return r + self.mlp(self.norm2(r))

    def forward(self, x: Tensor, kv: list[Tensor], logn: Tensor | None = None) -> Tensor:
        return self.finish(x, self.queries(x, logn), *kv)


class RowBlock(Block):
    """Self-attention over the tokens of a row with rotary positions."""

    def rotate(self, x: Tensor, rope: tuple[Tensor, Tensor]) -> Tensor:
        cos, sin = rope
        a, b = x.chunk(2, dim=-1)
        return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)

    def forward(self, x: Tensor, rope: tuple[Tensor, Tensor], keep: int | None = None) -> Tensor:
        """All tokens are keys; only the first `keep` tokens are queries."""
        normed = self.norm1(x)
        if keep is None:
            q, k, v = self.project(normed, 0, 3)
        else:
            x = x[:, :keep]
            (q,) = self.project(normed[:, :keep], 0, 1)
            k, v = self.project(normed, 1, 2)
        first = (rope[0][: q.shape[1]], rope[1][: q.shape[1]])
        k = self.rotate(k, rope)
        return self.finish(x, self.rotate(q, first), k.transpose(1, 2), v.transpose(1, 2))


class Isab(nn.Module):
    """Induced set attention: inducing points read the context, rows read them."""

    def __init__(self, dim: int, heads: int, ff: int, inducing: int, bias: bool = False):
        super().__init__()
        self.inducing = nn.Parameter(torch.randn(1, inducing, dim))
        self.collect = Block(dim, heads, ff, ssmax=True, bias=bias)
        self.spread = Block(dim, heads, ff, bias=bias)

    def summary(self, context: Tensor, logn: Tensor) -> list[Tensor]:
        """Keys and values of the inducing points after reading the context."""
        hidden = self.collect(self.inducing, self.collect.keys_values(context), logn)
        return self.spread.keys_values(hidden)


class Output(NamedTuple):
    """Quantiles of the target [B,M,Q] and of its conditional median [B,M,Qm] or None.

    Of a classifier the first are the logits [B,M,C] of the classes.
    """

    quantiles: Tensor
    median: Tensor | None


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
        d, bias, self.classes = e * self.num_cls, c["norm_bias"], c["classes"]
        self.cell = Dense(len(GROUP_OFFSETS), e)
        self.y_cell = nn.Linear(self.classes or 1, e)
        self.columns = nn.ModuleList(
            Isab(e, c["col_heads"], ff, c["inducing"], bias) for _ in range(c["col_blocks"])
        )
        self.cls = nn.Parameter(torch.randn(1, 1, self.num_cls, e) * 0.5)
        self.rows = nn.ModuleList(
            RowBlock(e, c["row_heads"], ff, bias=bias) for _ in range(c["row_blocks"])
        )
        self.row_norm = Norm(e, bias)
        self.y_row = nn.Linear(self.classes or 1, d)
        self.icl = nn.ModuleList(
            Block(d, c["icl_heads"], ff, ssmax=True, bias=bias) for _ in range(c["icl_blocks"])
        )
        self.icl_norm = Norm(d, bias)
        self.decoder = Mlp(d, 2 * d, self.classes or c["quantiles"])
        if not self.classes:
            start_normal(self.decoder)
        self.median_decoder = None
        if c["median_quantiles"]:
            self.median_decoder = Mlp(d, 2 * d, c["median_quantiles"])
            start_normal(self.median_decoder)
        half = e // c["row_heads"] // 2
        freqs = c["rope_base"] ** (-torch.arange(half) / half)
        self.register_buffer("freqs", freqs, persistent=False)

    def set_explicit(self, explicit: bool) -> "TabICL":
        """Choose normalisation written out for the export."""
        for module in self.modules():
            if isinstance(module, Norm):
                module.explicit = explicit
        return self

    def outputs(self) -> list[str]:
        """Names of the outputs, in the order of `Output`."""
        if self.classes:
            return ["logits"]
        return ["quantiles"] + ["median_quantiles"] * (self.median_decoder is not None)

    def labels(self, y: Tensor) -> Tensor:
        """Targets [B,N] as the network reads them: [B,N,1], or one-hot [B,N,C] of classes."""
        if not self.classes:
            return y.unsqueeze(-1)
        return (y.unsqueeze(-1) == torch.arange(self.classes, device=y.device)).to(y.dtype)

    def embed_cells(self, x: Tensor) -> Tensor:
        """[B,T,H] -> [B,H,T,E]: feature j sees the features j+1, j+2, j+4."""
        position = torch.arange(x.shape[2], device=x.device)
        shifted = [x.index_select(2, (position + o) % x.shape[2]) for o in GROUP_OFFSETS]
        return self.cell(torch.stack(shifted, dim=-1).transpose(1, 2))

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
        medians = self.median_decoder
        return Output(self.decoder(r), None if medians is None else medians(r))

    def forward(self, x: Tensor, y: Tensor) -> Output:
        """x [B,T,H], standardised y or classes [B,N] -> outputs of the M query rows."""
        n, logn = y.shape[1], log_count(y)
        target = self.labels(y)
        src = self.embed_cells(x)
        b, h, t, e = src.shape
        labels = F.pad(self.y_cell(target), (0, 0, 0, t - n))
        src = (src + labels.unsqueeze(1)).reshape(b * h, t, e)
        for isab in self.columns:
            src = isab.spread(src, isab.summary(src[:, :n], logn))
        r = self.embed_rows(src.reshape(b, h, t, e))
        r = r + F.pad(self.y_row(target), (0, 0, 0, t - n))
        for block in self.icl[:-1]:
            r = block(r, block.keys_values(r[:, :n]), logn)
        last = self.icl[-1]
        return self.decode(last(r[:, n:], last.keys_values(r[:, :n]), logn))

    def context(self, x: Tensor, y: Tensor) -> tuple[list[Tensor], list[Tensor]]:
        """x [B,N,H], y [B,N] -> keys and values of the column blocks and of the ICL blocks.

        2*Lcol tensors [B,H,heads,inducing,hd] and 2*Licl tensors [B,heads,N,hd].
        """
        logn, target = log_count(y), self.labels(y)
        src = self.embed_cells(x)
        b, h, n, e = src.shape
        src = (src + self.y_cell(target).unsqueeze(1)).reshape(b * h, n, e)
        colkv = []
        for isab in self.columns:
            kv = isab.summary(src, logn)
            src = isab.spread(src, kv)
            colkv += [part.reshape((b, h) + part.shape[1:]) for part in kv]
        r = self.embed_rows(src.reshape(b, h, n, e)) + self.y_row(target)
        iclkv = []
        for block in self.icl[:-1]:
            kv = block.keys_values(r)
            r = block(r, kv, logn)
            iclkv += kv
        iclkv += self.icl[-1].keys_values(r)
        return colkv, iclkv

    def query(self, x: Tensor, colkv: Sequence[Tensor], iclkv: Sequence[Tensor]) -> Output:
        """x [B,M,H] and the context's keys and values -> quantiles."""
        src = self.embed_cells(x)
        b, h, m, e = src.shape
        src = src.reshape(b * h, m, e)
        for i, isab in enumerate(self.columns):
            kv = [part.reshape((b * h,) + part.shape[2:]) for part in colkv[2 * i : 2 * i + 2]]
            src = isab.spread(src, kv)
        r = self.embed_rows(src.reshape(b, h, m, e))
        logn = torch.log(torch.ones_like(iclkv[0][:1, 0, :, 0]).sum(dim=1))
        for i, block in enumerate(self.icl):
            r = block(r, [iclkv[2 * i], iclkv[2 * i + 1]], logn)
        return self.decode(r)


def parameter_count(net: nn.Module) -> int:
    return sum(p.numel() for p in net.parameters())
