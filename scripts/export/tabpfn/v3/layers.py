"""What the networks of TabPFN v3 and v3.5 are made of.

Shapes: N labelled rows, R rows, C feature columns, E width of a cell, I learned
vectors, D width of a row, H heads of width W.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from scripts.export.bundle.operators import attention, rotate
from scripts.export.bundle.tracing import parameter
from scripts.export.tabpfn.layers import linear, part

if TYPE_CHECKING:
    from tabpfn.architectures.tabpfn_v3 import TabPFNV3Config

QUERIES_OF = ("base_mlp", "query_mlp")  # what scales queries: by the number of rows, by themselves


class Number(nn.Module):
    """What a label that is a number adds to its row."""

    width = "bias"

    def __init__(self, state: dict[str, Tensor], name: str):
        super().__init__()
        self.weight, self.bias = linear(state, name)

    def forward(self, y: Tensor) -> Tensor:
        """Labels [N] -> [N, E]."""
        return y[:, None] @ self.weight + self.bias


class Class(nn.Module):
    """What a label that is a class adds to its row."""

    width = "embedding.weight"

    def __init__(self, state: dict[str, Tensor], name: str):
        super().__init__()
        self.vectors = parameter(state[f"{name}.{self.width}"])

    def forward(self, y: Tensor) -> Tensor:
        """Labels [N] -> [N, E]."""
        return self.vectors[y.long()]


class RMSNorm(nn.Module):
    """As in layers.py, in the form that onnxruntime takes for one operator."""

    def __init__(self, weight: Tensor):
        super().__init__()
        self.weight = parameter(weight)

    def forward(self, x: Tensor) -> Tensor:
        eps = torch.finfo(torch.float32).eps
        return x / torch.sqrt(x.pow(2).mean(-1, keepdim=True) + eps) * self.weight


class HeadNorm(nn.Module):
    """RMSNorm of every head by itself; networks without its weight have none."""

    def __init__(self, state: dict[str, Tensor], name: str):
        super().__init__()
        weight = state.get(f"{name}.weight")
        self.norm = None if weight is None else RMSNorm(weight)

    def forward(self, x: Tensor) -> Tensor:
        """x [A, S, H*W]."""
        if self.norm is None:
            return x
        width = self.norm.weight.shape[0]
        return self.norm(x.reshape(x.shape[0], -1, x.shape[2] // width, width)).flatten(2)


class Scaling(nn.Module):
    """Queries times what their own values say; `base` is what the number of rows says."""

    def __init__(self, state: dict[str, Tensor], heads: int):
        super().__init__()
        self.heads = heads
        self.weights = nn.ParameterList(
            parameter(t)
            for name in QUERIES_OF
            for i in (0, 2)
            for t in linear(state, f"softmax_scaling_layer.{name}.{i}")
        )

    def base(self, logarithm: Tensor) -> Tensor:
        """The logarithm [1, 1] of the number of rows -> factors [1, H*W]."""
        first, first_bias, second, second_bias = self.weights[:4]
        return F.gelu(logarithm @ first + first_bias) @ second + second_bias

    def scaled(self, q: Tensor, base: Tensor) -> Tensor:
        """q [A, S, H*W] times both."""
        first, first_bias, second, second_bias = self.weights[4:]
        parts = q.reshape(q.shape[0], -1, self.heads, q.shape[2] // self.heads)
        change = F.gelu(parts @ first + first_bias) @ second + second_bias
        return q * base * (1 + torch.tanh(change)).flatten(2)


class Perceptron(nn.Module):
    """A perceptron with its norm and residual."""

    def __init__(self, state: dict[str, Tensor], norm_name: str):
        super().__init__()
        self.first, self.second = (parameter(state[f"mlp.{i}.weight"].T) for i in (0, 2))
        self.norm = norm(state, norm_name, self.first.shape[0])

    def forward(self, x: Tensor) -> Tensor:
        return x + F.gelu(self.norm(x) @ self.first) @ self.second


class Cross(nn.Module):
    """Attention of some tokens to others, and a perceptron."""

    def __init__(self, state: dict[str, Tensor], heads: int):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = projections(state, "attn.")
        width = self.query.shape[0]
        self.norm_q, self.norm_kv = (norm(state, f"layernorm_{k}", width) for k in ("q", "kv"))
        self.query_norm, self.key_norm = (HeadNorm(state, f"attn.{k}_norm") for k in "qk")
        self.perceptron = Perceptron(state, "layernorm2")

    def queries(self, x: Tensor) -> Tensor:
        """Queries [A, S, E] of tokens."""
        return self.query_norm(self.norm_q(x) @ self.query)

    def pair(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values [A, S, E] of tokens."""
        x = self.norm_kv(x)
        return self.key_norm(x @ self.key), x @ self.value

    def finish(self, x: Tensor, q: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        return self.perceptron(x + attention(q, keys, values, self.heads) @ self.out)


class ColumnBlock(nn.Module):
    """Learned vectors hear the labelled rows of a column, and all rows what these heard."""

    def __init__(self, state: dict[str, Tensor], heads: int):
        super().__init__()
        self.heads = heads
        self.vectors = parameter(state["inducing_vectors"][None])
        self.first, self.second = (
            Cross(part(state, f"cross_attn_block{i}."), heads) for i in (1, 2)
        )
        self.scaling = Scaling(part(state, "cross_attn_block1.attn."), heads)

    def learn(self, x: Tensor, logarithm: Tensor) -> tuple[Tensor, Tensor]:
        """Labelled rows [C, N, E] -> keys and values [C, I, E] of what was heard."""
        q = self.scaling.scaled(self.first.queries(self.vectors), self.scaling.base(logarithm))
        q = q.expand(x.shape[0], -1, -1)
        heard = self.first.finish(self.vectors, q, *self.first.pair(x))
        return self.second.pair(heard)

    def hear(self, x: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        """Rows [C, R, E] attend to that."""
        return self.second.finish(x, self.second.queries(x), keys, values)


class FeatureBlock(nn.Module):
    """Attention between the columns of a row, and a perceptron."""

    def __init__(self, state: dict[str, Tensor], heads: int):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = projections(state, "attention.")
        self.norm = norm(state, "layernorm", self.query.shape[0])
        self.query_norm, self.key_norm = (HeadNorm(state, f"attention.{k}_norm") for k in "qk")
        self.perceptron = Perceptron(state, "layernorm_mlp")

    def forward(self, x: Tensor, context: Tensor, table: nn.ParameterList | None) -> Tensor:
        """x [R, T, E], the first tokens of the context [R, S, E], attends to all of it."""
        normed = self.norm(context)
        q, k, v = self.norm(x) @ self.query, normed @ self.key, normed @ self.value
        if table is not None:
            q, k = rotate(q, *table), rotate(k, *table)
        q, k = self.query_norm(q), self.key_norm(k)
        return self.perceptron(x + attention(q, k, v, self.heads) @ self.out)


class Joined(nn.Module):
    """The columns of a row as one vector: what a few learned tokens hear of them."""

    def __init__(self, state: dict[str, Tensor], config: TabPFNV3Config, columns: int):
        super().__init__()
        self.tokens = parameter(state["cls_tokens"])
        heads, width = config.feat_agg_num_heads, self.tokens.shape[1]
        self.blocks = nn.ModuleList(
            FeatureBlock(part(state, f"blocks.{i}."), heads)
            for i in range(config.feat_agg_num_blocks)
        )
        self.norm = norm(state, "out_ln", width)
        self.table = None
        if getattr(config, "use_rope", True):  # which v3.5 always does
            places = torch.arange(len(self.tokens) + columns, dtype=torch.float32)
            angles = places[:, None] * state["rope.freqs"][None]
            self.table = nn.ParameterList((parameter(angles.cos()), parameter(angles.sin())))

    def forward(self, state: Tensor) -> Tensor:
        """Cells [C, R, E] -> rows [R, D]."""
        cells = state.transpose(0, 1)
        tokens = self.tokens[None].expand(state.shape[1], -1, -1)
        x = torch.cat((tokens, cells), 1)
        for block in self.blocks[:-1]:
            x = block(x, x, self.table)
        last = self.blocks[-1](x[:, : len(self.tokens)], x, self.table)
        return self.norm(last).flatten(1)


def projections(state: dict[str, Tensor], prefix: str) -> tuple[nn.Parameter, ...]:
    return tuple(
        parameter(state[f"{prefix}{k}_projection.weight"].T) for k in ("q", "k", "v", "out")
    )


def norm(state: dict[str, Tensor], name: str, width: int) -> RMSNorm:
    """The weights of some networks are all one."""
    return RMSNorm(state.get(f"{name}.weight", torch.ones(width)))
