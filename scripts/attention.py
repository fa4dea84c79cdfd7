"""Attention and rotary positions as operators of onnxruntime.

Written out, the scores of N rows with N keys take 4 N^2 bytes per head, and a third
more time goes into scores, softmax and transpositions. MultiHeadAttention computes
them block by block and keeps none. RotaryEmbedding stands for six nodes.
"""

from __future__ import annotations

import contextlib
from types import MethodType

import torch
import torch.nn.functional as F

from network import Block, RowBlock, TabICL


class Fused(torch.autograd.Function):
    """softmax(q k' / sqrt(hd)) v; q [B,S,heads*hd], k and v [B,heads,N,hd] -> [B,S,heads*hd]."""

    @staticmethod
    def forward(ctx, q, k, v, heads):
        queries = q.unflatten(-1, (heads, -1)).transpose(1, 2)
        return F.scaled_dot_product_attention(queries, k, v).transpose(1, 2).reshape(q.shape)

    @staticmethod
    def symbolic(g, q, k, v, heads):
        out = g.op("com.microsoft::MultiHeadAttention", q, k, v, num_heads_i=heads)
        return out.setType(q.type())


def attention(self: Block, q, k, v):
    """`Block.attention` with the operator."""
    q = q.reshape(q.shape[:-2] + (self.dim,))
    if q.shape[0] != k.shape[0]:
        q = q.expand(k.shape[0], -1, -1)
    return Fused.apply(q, k, v, self.heads)


class Rotary(torch.autograd.Function):
    """`RowBlock.rotate` of x [B,S,heads*hd] by tables cos and sin [S,hd/2]."""

    @staticmethod
    def forward(ctx, x, cos, sin):
        half = cos.shape[-1]
        pairs = x.unflatten(-1, (-1, 2, half))
        a, b = pairs[..., 0, :], pairs[..., 1, :]
        cos, sin = cos.unsqueeze(1), sin.unsqueeze(1)
        return torch.stack((a * cos - b * sin, b * cos + a * sin), dim=-2).reshape(x.shape)

    @staticmethod
    def symbolic(g, x, cos, sin):
        first = g.op("Constant", value_t=torch.zeros(1, dtype=torch.int64))
        out = g.op("com.microsoft::RotaryEmbedding", x, first, cos, sin, interleaved_i=0)
        return out.setType(x.type())


def rotate(self: RowBlock, x, rope):
    """`RowBlock.rotate` with the operator."""
    flat = x.reshape(x.shape[:-2] + (self.dim,))
    return Rotary.apply(flat, rope[0].squeeze(1), rope[1].squeeze(1)).reshape(x.shape)


OPERATORS = {"attention": (Block, attention), "rotate": (RowBlock, rotate)}


@contextlib.contextmanager
def fused(net: TabICL):
    """Let attention and rotation be traced as the operators."""
    changed = []
    for name, (kind, method) in OPERATORS.items():
        changed += [(m, name, method) for m in net.modules() if isinstance(m, kind)]
    for module, name, method in changed:
        setattr(module, name, MethodType(method, module))
    try:
        yield
    finally:
        for module, name, _ in changed:
            delattr(module, name)
