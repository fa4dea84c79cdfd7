"""Attention and rotary positions as operators of onnxruntime.

Written out, the scores of N rows with N keys take 4 N^2 bytes per head, and a third
more time goes into scores, softmax and transpositions; MultiHeadAttention does without.
RotaryEmbedding stands for six nodes.
"""

from __future__ import annotations

import contextlib
from types import MethodType

import torch
import torch.nn.functional as F

from scripts.pretrain.network import Block, RowBlock, TabICL


class Fused(torch.autograd.Function):
    """softmax(q k' / sqrt(hd)) v; q [B,S,heads*hd] -> [B,S,heads*hd].

    The operator reads keys and values [B,N,heads*hd] block by block. If they come as
    [B,heads,N,hd] it keeps the scores, but copies nothing, which suits few queries.
    """

    @staticmethod
    def forward(ctx, q, k, v, heads):
        def split(x):
            return x if x.dim() == 4 else x.unflatten(-1, (heads, -1)).transpose(1, 2)

        out = F.scaled_dot_product_attention(split(q), split(k), split(v))
        return out.transpose(1, 2).reshape(q.shape)

    @staticmethod
    def symbolic(g, q, k, v, heads):
        out = g.op("com.microsoft::MultiHeadAttention", q, k, v, num_heads_i=heads)
        return out.setType(q.type())


def attend_cached(self: Block, q, k, v):
    """`Block.attention` to a few hundred queries."""
    q = q.reshape(q.shape[:-2] + (self.dim,))
    if q.shape[0] != k.shape[0]:
        q = q.expand(k.shape[0], -1, -1)
    return Fused.apply(q, k, v, self.heads)


def attend(self: Block, q, k, v):
    """`Block.attention` for any number of queries."""
    k, v = (x.transpose(1, 2).reshape(x.shape[0], -1, self.dim) for x in (k, v))
    return attend_cached(self, q, k, v)


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


@contextlib.contextmanager
def fused(net: TabICL, cached: bool):
    """Let attention and rotation be traced as the operators.

    `cached` says that all keys but those of the features of a row come from a cache.
    """
    changed = []
    for module in net.modules():
        if isinstance(module, RowBlock):
            changed += [(module, "attention", attend), (module, "rotate", rotate)]
        elif isinstance(module, Block):
            changed.append((module, "attention", attend_cached if cached else attend))
    for module, name, method in changed:
        setattr(module, name, MethodType(method, module))
    try:
        yield
    finally:
        for module, name, _ in changed:
            delattr(module, name)
