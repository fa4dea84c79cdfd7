"""The TabPFN v3.5 network as two pure functions of tensors.

It is v3 (../v3/network.py) with cells of Fourier features and ranks, norms of every head
and of labels, and heads for both tasks on one body; a graph has one of them.

Shapes: N labelled rows, M query rows, C feature columns, E width of a cell, I
learned vectors, D width of a row, H heads of width W, G columns in a cell, F
frequencies, K bars or classes.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from scripts.export.bundle.tracing import finite, parameter
from scripts.export.tabpfn.layers import CLIP, indicators, linear, part
from scripts.export.tabpfn.v3.layers import (
    Class,
    Number,
    Perceptron,
    norm,
)
from scripts.export.tabpfn.v3.network import Body, ClassDecoder
from scripts.export.tabpfn.v3_5.ranks import edges, ranks

if TYPE_CHECKING:
    from tabpfn.architectures.tabpfn_v3_5 import TabPFNV3p5Config


class Network(Body):
    """The weights of a network of the package, for tables of at most `columns` columns.

    A classifier returns logits of the first `classes`; `sigma` is that of the SoftClip
    that its columns go through first.
    """

    def __init__(
        self,
        state: dict[str, Tensor],
        config: TabPFNV3p5Config,
        columns: int,
        classes: int = 0,
        sigma: float | None = None,
    ):
        super().__init__(state, config, columns, classes, sigma)
        self.cell = Cells(part(state, "x_embed."), config)
        self.most = config.cell_ecdf_num_buckets
        task = "multiclass" if classes else "regression"
        label = Class if classes else Number
        self.column_y, self.row_y = (label(state, f"{k}_y_encoder.{task}") for k in ("col", "icl"))
        self.column_y_norm, self.row_y_norm = (
            LayerNorm(state, f"{k}_y_layernorm") for k in ("col", "icl")
        )
        self.norm = norm(state, "output_norm", state["output_norm.weight"].shape[0])
        state = part(state, "heads.")
        kind = "classification" if classes else "regression"
        self.head = Perceptron(part(state, f"mlp_{kind}."), "norm")
        self.decode = (
            ClassDecoder(part(state, "many_class_decoder."), config, classes)
            if classes
            else Linear(state, "output_projection")
        )

    def axes(self) -> dict[str, dict[int, str]]:
        """As in v3, with the ranks behind the statistics of the columns."""
        first, *rest = super().axes().items()
        return dict([first, ("ranks", {2: "features", 3: "edges"}), *rest])

    def fit(self, x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
        """x [1, N, C], y [1, N] -> the context.

        columns [1, 2 or 4, C]: mean and deviation, and the bounds of the clip, if
        there is one; ranks [1, 3, C, edges] of ranks.py; the rest as in v3.
        """
        x, _, columns = self.read(x)
        filled = torch.where(finite(x), x, columns[:, :1])
        context = edges(filled[0].T, self.most)
        logarithm = torch.ones_like(y).sum().log().reshape(1, 1)
        state = self.cell(x, filled, columns, context)
        state = state + self.column_y_norm(self.column_y(y[0]))
        row, scales, caches = self.learn(state, self.row_y_norm(self.row_y(y[0])), logarithm)
        if self.classes:
            caches += self.decode.pair(self.head(self.norm(row)), y, logarithm)
        return columns, context[None], scales, *caches

    def predict(
        self, x: Tensor, columns: Tensor, context: Tensor, scales: Tensor, *caches: Tensor
    ) -> Tensor:
        """x [1, M, C] and the context -> logits [1, M, K]."""
        if self.clip:
            x = self.clip(x, columns[:, 2], columns[:, 3])
        filled = torch.where(finite(x), x, columns[:, :1])
        state = self.cell(x, filled, columns, context[0])
        row, caches = self.answer(state, scales, caches)
        return self.decode(self.head(self.norm(row)), *caches)


class Cells(nn.Module):
    """Cells of G columns as vectors: Fourier features of their values, their marks and ranks."""

    def __init__(self, state: dict[str, Tensor], config: TabPFNV3p5Config):
        super().__init__()
        self.group, self.waves = config.feature_group_size, config.cell_ecdf_num_frequencies
        self.frequencies = parameter(state["fourier.frequencies"])
        self.fourier = parameter(state["fourier.in_linear.weight"].T)
        self.metadata = parameter(state["metadata_linear.weight"].T)
        self.norm = LayerNorm(state, "layernorm")

    def forward(self, x: Tensor, filled: Tensor, columns: Tensor, context: Tensor) -> Tensor:
        """Rows [1, R, C] -> cells [C, R, E]: of every column some of those behind it, in a ring."""
        mean, deviation = columns[:, 0], columns[:, 1]
        eps = torch.finfo(torch.float32).eps
        z = ((filled - mean[:, None]) / (deviation[:, None] + eps)).clamp(-CLIP, CLIP)
        values, marks = self.ring(z[0].T), self.ring(indicators(x)[0].T)
        turns = [value[..., None] * self.frequencies[i] for i, value in enumerate(values)]
        waves = torch.cat((sum(t.sin() for t in turns), sum(t.cos() for t in turns)), -1)
        phases = [
            r[..., None] * (math.pi * torch.arange(1, self.waves + 1))
            for r in self.ring(ranks(filled[0].T, context))
        ]
        lifted = [torch.cat((p.sin(), p.cos()), -1) for p in phases]
        metadata = torch.cat((torch.stack(values + marks, -1), *lifted), -1)
        return self.norm(waves @ self.fourier + metadata @ self.metadata)

    def ring(self, x: Tensor) -> list[Tensor]:
        """Columns [C, R] -> those 1, 2, 4, ... places behind every one."""
        places = torch.arange(x.shape[0])
        return [x[(places + 2**i) % x.shape[0]] for i in range(self.group)]


class Linear(nn.Module):
    """A linear layer."""

    def __init__(self, state: dict[str, Tensor], name: str):
        super().__init__()
        self.weight, self.bias = linear(state, name)

    def forward(self, x: Tensor) -> Tensor:
        return x @ self.weight + self.bias


class LayerNorm(nn.Module):
    """Layer normalisation with weights."""

    def __init__(self, state: dict[str, Tensor], name: str):
        super().__init__()
        self.weight, self.bias = (parameter(state[f"{name}.{k}"]) for k in ("weight", "bias"))

    def forward(self, x: Tensor) -> Tensor:
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias)
