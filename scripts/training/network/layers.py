"""Layers of the network: attention blocks with the names and shapes of TabICLv2.

Shapes: B tables, N context rows, S queries of an attention, D its width, hd = D / heads.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


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

    def __init__(self, dim: int, heads: int, ff: int, bias: bool = False, ssmax: bool = False):
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
        return self.normed_keys_values(self.norm1(x))

    def normed_keys_values(self, normed: Tensor) -> list[Tensor]:
        return [part.transpose(-2, -3) for part in self.project(normed, 1, 2)]

    def normed_queries(self, normed: Tensor, logn: Tensor | None) -> Tensor:
        """Queries [..., S, heads, hd]."""
        q = self.project(normed, 0, 1)[0]
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
        return self.finish(x, self.normed_queries(self.norm1(x), logn), *kv)

    def among(self, x: Tensor, n: int, logn: Tensor, first: int = 0) -> Tensor:
        """What becomes of the rows of x [B,T,D] from `first` on, which read its first n rows."""
        normed = self.norm1(x)
        kv = self.normed_keys_values(normed[:, :n])
        return self.finish(x[:, first:], self.normed_queries(normed[:, first:], logn), *kv)


FEW_TOKENS = 48
FEW_ON_CARD = 16
MOST_ROWS = 32_768


class RowBlock(Block):
    """Self-attention over the tokens of a row with rotary positions."""

    def attention(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """As of `Block`; written out for few tokens, where that takes half the time on a CPU and a
        tenth less on a card, whose kernels take at most 65,535 tables at once, here rows.
        """
        if k.is_cuda and k.shape[2] > FEW_ON_CARD and len(k) > MOST_ROWS:
            parts = zip(*(value.split(MOST_ROWS) for value in (q, k, v)))
            return torch.cat([super(RowBlock, self).attention(*part) for part in parts])
        if k.shape[2] > (FEW_ON_CARD if k.is_cuda else FEW_TOKENS):
            return super().attention(q, k, v)
        q = q.transpose(-2, -3) / math.sqrt(self.head_dim)
        out = (torch.softmax(q @ k.transpose(-1, -2), dim=-1) @ v).transpose(-2, -3)
        return out.reshape(out.shape[:-2] + (self.dim,))

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
        self.collect = Block(dim, heads, ff, bias, ssmax=True)
        self.spread = Block(dim, heads, ff, bias)

    def summary(self, context: Tensor, logn: Tensor) -> list[Tensor]:
        """Keys and values of the inducing points after reading the context."""
        hidden = self.collect(self.inducing, self.collect.keys_values(context), logn)
        return self.spread.keys_values(hidden)

    def forward(self, x: Tensor, n: int, logn: Tensor) -> Tensor:
        """Rows [B,T,D] of which the first n are the context."""
        return self.spread(x, self.summary(x[:, :n], logn))
