"""The TabPFN v3 network as two pure functions of tensors.

As in ../v2_5/network.py, `fit` reads the labelled rows of one table and `predict` query
rows. Every column is read by itself first: a few learned vectors attend to its
labelled rows, and all rows to what these have heard. Then the columns of a row
become one vector, and at last rows attend to labelled rows. Columns that are
constant stay, and no query row changes what another one gets.

Shapes: N labelled rows, M query rows, C feature columns, E width of a cell, I
learned vectors, D width of a row, H heads of width W, K bars or classes.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from scripts.export.bundle.operators import attention
from scripts.export.bundle.tracing import finite, total
from scripts.export.tabpfn.layers import (
    CLIP,
    Decoder,
    SoftClip,
    indicators,
    linear,
    part,
)
from scripts.export.tabpfn.v3.layers import (
    Class,
    ColumnBlock,
    HeadNorm,
    Joined,
    Number,
    Perceptron,
    Scaling,
    norm,
    projections,
)

if TYPE_CHECKING:
    from tabpfn.architectures.tabpfn_v3 import TabPFNV3Config


class Body(nn.Module):
    """What v3 and v3.5 have in common between cells and a decoder.

    `classes` are those of a classifier, 0 of a regressor; `sigma` is that of the SoftClip that
    columns go through first.
    """

    def __init__(
        self,
        state: dict[str, Tensor],
        config: TabPFNV3Config,
        columns: int,
        classes: int,
        sigma: float | None,
    ):
        super().__init__()
        self.classes = classes
        self.clip = None if sigma is None else SoftClip(sigma)
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

    def axes(self) -> dict[str, dict[int, str]]:
        """Names of what `fit` returns, with the axes whose length depends on the table."""
        found: dict[str, dict[int, str]] = {"columns": {2: "features"}, "scales": {}}
        found |= {f"colkv.{i}": {0: "features"} for i in range(2 * len(self.columns))}
        pairs = len(self.rows) + bool(self.classes)
        return found | {f"iclkv.{i}": {2: "rows"} for i in range(2 * pairs)}

    def read(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Labelled rows [1, N, C] -> rows within the bounds of the clip, filled ones, columns.

        columns [1, 2 or 4, C]: mean and deviation, and the bounds of the clip, if there is one.
        """
        bounds = self.clip.bounds(x) if self.clip else ()
        x = self.clip(x, *bounds) if self.clip else x
        present = finite(x)
        fill = total(torch.where(present, x, 0.0)) / present.float().sum(1).clamp(min=1.0)
        filled = torch.where(present, x, fill[:, None])
        mean = total(filled) / x.shape[1]
        deviation = torch.sqrt(total((filled - mean[:, None]) ** 2) / (x.shape[1] - 1))
        deviation = torch.where(deviation == 0, 1.0, deviation)
        return x, filled, torch.stack((mean, deviation, *bounds), 1)

    def learn(
        self, state: Tensor, labels: Tensor, logarithm: Tensor
    ) -> tuple[Tensor, Tensor, list[Tensor]]:
        """Cells [C, N, E] with their labels, labels [N, D] of rows -> rows, scales, caches."""
        caches = []
        for block in self.columns:
            keys, values = block.learn(state, logarithm)
            caches += [t.unflatten(2, (block.heads, -1)).transpose(1, 2) for t in (keys, values)]
            state = block.hear(state, keys, values)
        row = self.joined(state)[None] + labels
        scales = [block.base(logarithm) for block in self.rows]
        for i, (block, scale) in enumerate(zip(self.rows, scales)):
            normed = block.norm(row)
            keys, values = block.cache(normed)
            caches += [block.split(t) for t in (keys, values)]
            if self.classes or i + 1 < len(self.rows):
                row = block.attend(row, normed, scale)
        return row, torch.stack(scales, 1), caches

    def answer(
        self, state: Tensor, scales: Tensor, caches: tuple[Tensor, ...]
    ) -> tuple[Tensor, tuple[Tensor, ...]]:
        """Cells [C, M, E] of query rows -> rows [1, M, D], and the caches of the decoder."""
        for i, block in enumerate(self.columns):
            state = block.hear(state, caches[2 * i], caches[2 * i + 1])
        row, caches = self.joined(state)[None], caches[2 * len(self.columns) :]
        for i, block in enumerate(self.rows):
            row = block.attend_to(row, scales[:, i], caches[2 * i], caches[2 * i + 1])
        return row, caches[2 * len(self.rows) :]


class Network(Body):
    """The weights of a network of the package, for tables of at most `columns` columns.

    A classifier returns logits of the first `classes`; `sigma` is that of the SoftClip
    that its columns go through first.
    """

    def __init__(
        self,
        state: dict[str, Tensor],
        config: TabPFNV3Config,
        columns: int,
        classes: int = 0,
        sigma: float | None = None,
    ):
        super().__init__(state, config, columns, classes, sigma)
        self.group, self.marked = config.feature_group_size, config.use_nan_indicators
        self.encode, self.encode_bias = linear(state, "x_embed")
        label = Class if classes else Number
        self.column_y, self.row_y = (label(state, f"{k}_y_encoder") for k in ("col", "icl"))
        self.norm = norm(state, "output_norm", state["icl_y_encoder." + label.width].shape[-1])
        self.decode = (
            ClassDecoder(part(state, "many_class_decoder."), config, classes)
            if classes
            else Decoder(state, "output_projection")
        )

    def fit(self, x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
        """x [1, N, C], y [1, N] -> the context.

        columns [1, 2 or 4, C]: mean and deviation, and the bounds of the clip, if
        there is one; scales [1, layers, D]: what the number
        of rows makes of queries; of every column block keys and values [C, H, I, W],
        and of every row block keys and values [1, H', N, W] of the heads that query
        rows read. Of a classifier the last such pair is that of its decoder.
        """
        x, filled, columns = self.read(x)
        logarithm = torch.ones_like(y).sum().log().reshape(1, 1)
        state = self.cells(x, filled, columns) + self.column_y(y[0])
        row, scales, caches = self.learn(state, self.row_y(y[0]), logarithm)
        if self.classes:
            caches += self.decode.pair(self.norm(row), y, logarithm)
        return columns, scales, *caches

    def predict(self, x: Tensor, columns: Tensor, scales: Tensor, *caches: Tensor) -> Tensor:
        """x [1, M, C] and the context -> logits [1, M, K]."""
        if self.clip:
            x = self.clip(x, columns[:, 2], columns[:, 3])
        state = self.cells(x, torch.where(finite(x), x, columns[:, :1]), columns)
        row, caches = self.answer(state, scales, caches)
        return self.decode(self.norm(row), *caches)

    def cells(self, x: Tensor, filled: Tensor, columns: Tensor) -> Tensor:
        """Cells [C, R, E] of rows [1, R, C]: of every column some of those behind it, in a ring."""
        mean, deviation = columns[:, 0], columns[:, 1]
        eps = torch.finfo(torch.float32).eps
        z = ((filled - mean[:, None]) / (deviation[:, None] + eps)).clamp(-CLIP, CLIP)
        places = torch.arange(x.shape[2])
        parts = []
        for values in (z, indicators(x)) if self.marked else (z,):
            turned = values[0].T
            parts += [turned[(places + 2**i) % x.shape[2]] for i in range(self.group)]
        return torch.stack(parts, -1) @ self.encode + self.encode_bias


class ClassDecoder(nn.Module):
    """Query rows attend to labelled rows once more, and to their classes."""

    LEAST, MORE = 1e-5, 3e-5  # of what a class has heard, before the logarithm

    def __init__(self, state: dict[str, Tensor], config: TabPFNV3Config, classes: int):
        super().__init__()
        self.heads, self.classes = config.decoder_num_heads, classes
        self.query, self.query_bias = linear(state, "q_projection")
        self.key, self.key_bias = linear(state, "k_projection")
        self.scaling = None
        if config.decoder_use_softmax_scaling:
            self.scaling = Scaling(state, self.heads)

    def pair(self, x: Tensor, y: Tensor, logarithm: Tensor) -> tuple[Tensor, Tensor]:
        """Labelled rows [1, N, D] and labels [1, N] -> keys [1, H, N, W], classes [1, 1, N, K].

        What the number of rows makes of queries is in the keys.
        """
        keys = x @ self.key + self.key_bias
        if self.scaling:
            keys = keys * self.scaling.base(logarithm)
        marks = (y[:, None, :, None] == torch.arange(self.classes)).float()
        return self.split(keys), marks

    def forward(self, x: Tensor, keys: Tensor, classes: Tensor) -> Tensor:
        """Query rows [1, M, D] -> logits [1, M, K]."""
        q = x @ self.query + self.query_bias
        if self.scaling:
            q = self.scaling.scaled(q, torch.ones_like(q[:, :1]))
        scores = self.split(q) @ keys.transpose(2, 3) / math.sqrt(keys.shape[3])
        heard = (scores.softmax(-1).mean(1) @ classes[:, 0]).clamp(min=self.LEAST)
        return torch.log(heard + self.MORE)

    def split(self, x: Tensor) -> Tensor:
        """[1, S, H*W] -> [1, H, S, W]."""
        return x.unflatten(2, (self.heads, -1)).transpose(1, 2)


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
        self.query_norm, self.key_norm = (HeadNorm(state, f"icl_attention.{k}_norm") for k in "qk")
        self.scaling = Scaling(part(state, "icl_attention."), self.heads)
        self.perceptron = Perceptron(state, "layernorm_mlp")
        self.base = self.scaling.base

    def cache(self, normed: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values [1, N, H'*W] for query rows."""
        kept = self.kept * self.width
        return self.key_norm(normed @ self.key[:, :kept]), normed @ self.value[:, :kept]

    def split(self, x: Tensor) -> Tensor:
        """[1, N, H'*W] -> [1, H', N, W]."""
        return x.reshape(1, -1, self.kept, self.width).transpose(1, 2)

    def attend(self, x: Tensor, normed: Tensor, scale: Tensor) -> Tensor:
        """Labelled rows [1, N, D] attend to all of themselves."""
        keys, values = self.key_norm(normed @ self.key), normed @ self.value
        return self.finish(x, normed, scale, (keys, values), self.pairs)

    def attend_to(self, x: Tensor, scale: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        """Query rows [1, M, D] attend to a cache."""
        return self.finish(x, self.norm(x), scale, (keys, values), self.kept)

    def finish(
        self, x: Tensor, normed: Tensor, scale: Tensor, pair: tuple[Tensor, Tensor], pairs: int
    ) -> Tensor:
        q = self.scaling.scaled(self.query_norm(normed @ self.query), scale)
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
