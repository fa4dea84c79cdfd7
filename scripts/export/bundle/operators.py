"""Attention and rotary positions as operators of onnxruntime.

Written out, the scores of N rows with N keys take 4 N^2 bytes per head, and a third
more time goes into scores, softmax and transpositions; MultiHeadAttention does without.
RotaryEmbedding stands for six nodes.
"""

import torch
import torch.nn.functional as F
from torch import Tensor


class Attention(torch.autograd.Function):
    """softmax(q k' / sqrt(D)) v of H heads side by side in the last axis [B, S, H*D].

    The operator reads keys and values [B, N, H*D] block by block. If they come as
    [B, H, N, D] it keeps the scores, but copies nothing, which suits few queries.
    """

    @staticmethod
    def forward(ctx, q: Tensor, k: Tensor, v: Tensor, heads: int) -> Tensor:
        def split(x):
            return x if x.dim() == 4 else x.unflatten(-1, (heads, -1)).transpose(1, 2)

        out = F.scaled_dot_product_attention(split(q), split(k), split(v))
        return out.transpose(1, 2).reshape(q.shape)

    @staticmethod
    def symbolic(g, q, k, v, heads: int):
        out = g.op("com.microsoft::MultiHeadAttention", q, k, v, num_heads_i=heads)
        return out.setType(q.type())


class Rotary(torch.autograd.Function):
    """x [B, S, H*D] with the halves of every head turned by the angles of its place.

    cos and sin [places, D/2], of S places or more, are those of the angles.
    """

    @staticmethod
    def forward(ctx, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        half, places = cos.shape[1], x.shape[1]
        first, second = x.unflatten(-1, (-1, 2, half)).unbind(-2)
        cos, sin = cos[:places, None], sin[:places, None]
        turned = (first * cos - second * sin, second * cos + first * sin)
        return torch.stack(turned, -2).reshape(x.shape)

    @staticmethod
    def symbolic(g, x, cos, sin):
        first = g.op("Constant", value_t=torch.zeros(1, dtype=torch.int64))
        out = g.op("com.microsoft::RotaryEmbedding", x, first, cos, sin, interleaved_i=0)
        return out.setType(x.type())


attention, rotate = Attention.apply, Rotary.apply
