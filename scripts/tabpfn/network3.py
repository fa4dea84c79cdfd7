"""The TabPFN v3 regression network as two pure functions of tensors.

As in network25.py, `fit` reads the labelled rows of one table and `predict` query
rows. Every column is read by itself first: a few learned vectors attend to its
labelled rows, and all rows to what these have heard. Then the columns of a row
become one vector, and at last rows attend to labelled rows. Columns that are
constant stay, and no query row changes what another one gets.

Shapes: N labelled rows, M query rows, C feature columns, E width of a cell, I
learned vectors, D width of a row, H heads of width W, K bars.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from scripts.bundle.operators import attention, rotate
from scripts.tabpfn.layers import (
    CLIP,
    Decoder,
    finite,
    indicators,
    parameter,
    part,
    total,
)

if TYPE_CHECKING:
    from tabpfn.architectures.tabpfn_v3 import TabPFNV3Config

QUERIES_OF = ("base_mlp", "query_mlp")  # what scales queries: by the number of rows, by themselves


class Network(nn.Module):
    """The weights of a network of the package, for tables of at most `columns` columns."""

    def __init__(self, state: dict[str, Tensor], config: TabPFNV3Config, columns: int):
        super().__init__()
        self.group, self.marked = config.feature_group_size, config.use_nan_indicators
        self.encode, self.encode_bias = linear(state, "x_embed")
        self.column_y, self.column_y_bias = linear(state, "col_y_encoder")
        self.row_y, self.row_y_bias = linear(state, "icl_y_encoder")
        prefix = "feature_distribution_embedder.layers."
        heads = config.dist_embed_num_heads
        self.columns = nn.ModuleList(
            ColumnBlock(part(state, f"{prefix}{i}."), heads)
            for i in range(config.dist_embed_num_blocks)
        )
        self.joined = Joined(part(state, "column_aggregator."), config, columns)
        self.rows = nn.ModuleList(
            RowBlock(part(state, f"icl_blocks.{i}."), config) for i in range(config.nlayers)
        )
        self.norm = norm(state, "output_norm", len(self.row_y_bias))
        decoder = ("0.weight", "0.bias", "2.weight", "2.bias")
        self.decode = Decoder([state[f"output_projection.{k}"] for k in decoder])

    def axes(self) -> dict[str, dict[int, str]]:
        """Names of what `fit` returns, with the axes whose length depends on the table."""
        found: dict[str, dict[int, str]] = {"columns": {2: "features"}, "scales": {}}
        found |= {f"colkv.{i}": {0: "features"} for i in range(2 * len(self.columns))}
        return found | {f"iclkv.{i}": {2: "rows"} for i in range(2 * len(self.rows))}

    def fit(self, x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
        """x [1, N, C], y [1, N] -> the context.

        columns [1, 2, C]: mean and deviation; scales [1, layers, D]: what the number
        of rows makes of queries; of every column block keys and values [C, H, I, W],
        and of every row block keys and values [1, H', N, W] of the heads that query
        rows read.
        """
        present = finite(x)
        fill = total(torch.where(present, x, 0.0)) / present.float().sum(1).clamp(min=1.0)
        filled = torch.where(present, x, fill[:, None])
        mean = total(filled) / x.shape[1]
        deviation = torch.sqrt(total((filled - mean[:, None]) ** 2) / (x.shape[1] - 1))
        deviation = torch.where(deviation == 0, 1.0, deviation)
        columns = torch.stack((mean, deviation), 1)
        logarithm = torch.ones_like(y).sum().log().reshape(1, 1)
        label = y[0, :, None]
        state = self.cells(x, filled, columns) + (label @ self.column_y + self.column_y_bias)
        caches = []
        for block in self.columns:
            keys, values = block.learn(state, logarithm)
            caches += [t.unflatten(2, (block.heads, -1)).transpose(1, 2) for t in (keys, values)]
            state = block.hear(state, keys, values)
        row = self.joined(state)[None] + (label @ self.row_y + self.row_y_bias)
        scales = [block.base(logarithm) for block in self.rows]
        for i, (block, scale) in enumerate(zip(self.rows, scales)):
            normed = block.norm(row)
            keys, values = block.cache(normed)
            caches += [block.split(t) for t in (keys, values)]
            if i + 1 < len(self.rows):
                row = block.attend(row, normed, scale)
        return columns, torch.stack(scales, 1), *caches

    def predict(self, x: Tensor, columns: Tensor, scales: Tensor, *caches: Tensor) -> Tensor:
        """x [1, M, C] and the context -> logits [1, M, K]."""
        state = self.cells(x, torch.where(finite(x), x, columns[:, :1]), columns)
        for i, block in enumerate(self.columns):
            state = block.hear(state, caches[2 * i], caches[2 * i + 1])
        row, caches = self.joined(state)[None], caches[2 * len(self.columns) :]
        for i, block in enumerate(self.rows):
            row = block.attend_to(row, scales[:, i], caches[2 * i], caches[2 * i + 1])
        return self.decode(self.norm(row))

    def cells(self, x: Tensor, filled: Tensor, columns: Tensor) -> Tensor:
        """Cells [C, R, E] of rows [1, R, C]: of every column some of those behind it, in a ring."""
        mean, deviation = columns.unbind(1)
        eps = torch.finfo(torch.float32).eps
        z = ((filled - mean[:, None]) / (deviation[:, None] + eps)).clamp(-CLIP, CLIP)
        places = torch.arange(x.shape[2])
        parts = []
        for values in (z, indicators(x)) if self.marked else (z,):
            turned = values[0].T
            parts += [turned[(places + 2**i) % x.shape[2]] for i in range(self.group)]
        return torch.stack(parts, -1) @ self.encode + self.encode_bias


class RMSNorm(nn.Module):
    """As in layers.py, in the form that onnxruntime takes for one operator."""

    def __init__(self, weight: Tensor):
        super().__init__()
        self.weight = parameter(weight)

    def forward(self, x: Tensor) -> Tensor:
        eps = torch.finfo(torch.float32).eps
        return x / torch.sqrt(x.pow(2).mean(-1, keepdim=True) + eps) * self.weight


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
        self.perceptron = Perceptron(state, "layernorm2")

    def pair(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values [A, S, E] of tokens."""
        x = self.norm_kv(x)
        return x @ self.key, x @ self.value

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
        q = self.first.norm_q(self.vectors) @ self.first.query
        q = self.scaling.scaled(q, self.scaling.base(logarithm)).expand(x.shape[0], -1, -1)
        heard = self.first.finish(self.vectors, q, *self.first.pair(x))
        return self.second.pair(heard)

    def hear(self, x: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        """Rows [C, R, E] attend to that."""
        return self.second.finish(x, self.second.norm_q(x) @ self.second.query, keys, values)


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
        if config.use_rope:
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


class FeatureBlock(nn.Module):
    """Attention between the columns of a row, and a perceptron."""

    def __init__(self, state: dict[str, Tensor], heads: int):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = projections(state, "attention.")
        self.norm = norm(state, "layernorm", self.query.shape[0])
        self.perceptron = Perceptron(state, "layernorm_mlp")

    def forward(self, x: Tensor, context: Tensor, table: nn.ParameterList | None) -> Tensor:
        """x [R, T, E], the first tokens of the context [R, S, E], attends to all of it."""
        normed = self.norm(context)
        q, k, v = self.norm(x) @ self.query, normed @ self.key, normed @ self.value
        if table is not None:
            q, k = rotate(q, *table), rotate(k, *table)
        return self.perceptron(x + attention(q, k, v, self.heads) @ self.out)


class RowBlock(nn.Module):
    """Attention of rows to labelled rows, and a perceptron.

    `kept` of the heads of keys and values are for query rows; several heads of queries
    may share one.
    """

    def __init__(self, state: dict[str, Tensor], config: TabPFNV3Config):
        super().__init__()
        self.heads, self.pairs = config.icl_num_heads, config.icl_num_kv_heads
        self.pairs = self.pairs or self.heads
        self.kept = config.icl_num_kv_heads_test or self.pairs
        self.query, self.key, self.value, self.out = projections(state, "icl_attention.")
        self.width = self.query.shape[1] // self.heads
        self.norm = norm(state, "layernorm", self.query.shape[0])
        self.scaling = Scaling(part(state, "icl_attention."), self.heads)
        self.perceptron = Perceptron(state, "layernorm_mlp")
        self.base = self.scaling.base

    def cache(self, normed: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values [1, N, H'*W] for query rows."""
        kept = self.kept * self.width
        return normed @ self.key[:, :kept], normed @ self.value[:, :kept]

    def split(self, x: Tensor) -> Tensor:
        """[1, N, H'*W] -> [1, H', N, W]."""
        return x.reshape(1, -1, self.kept, self.width).transpose(1, 2)

    def attend(self, x: Tensor, normed: Tensor, scale: Tensor) -> Tensor:
        """Labelled rows [1, N, D] attend to all of themselves."""
        keys, values = normed @ self.key, normed @ self.value
        return self.finish(x, normed, scale, (keys, values), self.pairs)

    def attend_to(self, x: Tensor, scale: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        """Query rows [1, M, D] attend to a cache."""
        return self.finish(x, self.norm(x), scale, (keys, values), self.kept)

    def finish(
        self, x: Tensor, normed: Tensor, scale: Tensor, pair: tuple[Tensor, Tensor], pairs: int
    ) -> Tensor:
        q = self.scaling.scaled(normed @ self.query, scale)
        heard = shared_attention(q, *pair, self.heads, pairs)
        return self.perceptron(x + heard @ self.out)


def shared_attention(q: Tensor, keys: Tensor, values: Tensor, heads: int, pairs: int) -> Tensor:
    """Attention of `heads` heads of queries [1, S, D] to fewer heads of keys and values.

    G heads of queries that share one of S queries are G*S queries of that one.
    """
    if heads == pairs:
        return attention(q, keys, values, heads)
    shared, width = heads // pairs, q.shape[2] // heads
    q = q.reshape(1, -1, pairs, shared, width).transpose(2, 3)
    heard = attention(q.reshape(1, -1, pairs * width), keys, values, pairs)
    heard = heard.reshape(1, -1, shared, pairs, width).transpose(2, 3)
    return heard.reshape(1, -1, heads * width)


def linear(state: dict[str, Tensor], name: str) -> tuple[nn.Parameter, nn.Parameter]:
    """Weight [in, out] and bias."""
    return parameter(state[f"{name}.weight"].T), parameter(state[f"{name}.bias"])


def projections(state: dict[str, Tensor], prefix: str) -> tuple[nn.Parameter, ...]:
    return tuple(
        parameter(state[f"{prefix}{k}_projection.weight"].T) for k in ("q", "k", "v", "out")
    )


def norm(state: dict[str, Tensor], name: str, width: int) -> RMSNorm:
    """The weights of some networks are all one."""
    return RMSNorm(state.get(f"{name}.weight", torch.ones(width)))
