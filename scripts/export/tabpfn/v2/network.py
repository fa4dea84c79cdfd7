"""The TabPFN v2 network as two pure functions of tensors.

`fit` reads the labelled rows once and returns everything that a query row
needs; `predict` reads query rows. Together they compute what the package's
network computes with a cached context. Nothing depends on the traced shapes,
draws random numbers or branches on data.

Shapes: B tables, N labelled rows, M query rows, C feature columns, G groups of
P columns, E embedding width, L layers, H heads, D head width, K bars or classes.
"""

import re

import torch
from torch import Tensor

from scripts.export.bundle.tracing import finite, padded, parameter, total
from scripts.export.tabpfn.layers import (
    CLIP,
    Attention,
    Grouped,
    Layer,
    LayerNorm,
    Stack,
    indicators,
    part,
)

TINY = 1e-20  # added to deviations


class Network(Grouped):
    """The weights of a checkpoint."""

    def __init__(self, state: dict[str, Tensor], table: Tensor, sigma: float | None = None):
        label = next(k for k in state if re.fullmatch(r"y_encoder\.\d+\.layer\.weight", k))
        label = label.removesuffix(".weight")
        super().__init__(state, label, "decoder_dict.standard", table, sigma)
        self.classes = label != "y_encoder.1.layer"
        encoder = next(k for k in state if re.fullmatch(r"encoder\.\d+\.layer\.weight", k))
        self.encode = parameter(state[encoder].T)
        self.group = state[encoder].shape[1] // 2
        count = len({k.split(".")[2] for k in state if k.startswith("transformer_encoder.layers.")})
        self.stack = Stack(
            [layer(part(state, f"transformer_encoder.layers.{i}.")) for i in range(count)]
        )

    def fit(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """x [B, N, C], y [B, N] -> the context: columns, target and cache.

        columns [B, 4 or 6, G*P]: mean that replaces missing cells, mean and
        deviation of the standardisation, factor of the group, and the bounds of the clip, if
        there is one; target [B, E]: the token of an unknown
        label; cache [2L, B, G+1, N, D]: keys and values of every layer's first head.
        """
        raw = padded(x, self.group)
        present = ~torch.isnan(raw)
        fill = total(torch.where(present, raw, 0.0)) / present.float().sum(1).clamp(min=1.0)
        filled = torch.where(finite(raw), raw, fill[:, None])
        bounds = self.clip.bounds(filled) if self.clip else ()
        filled = self.clipped(filled, bounds)
        mean = total(filled) / x.shape[1]
        spread = total((filled - mean[:, None]) ** 2) / (x.shape[1] - 1)
        deviation = torch.sqrt(spread) + TINY
        z = self.standardise(filled, mean, deviation)
        factor = self.factor(z)
        columns = torch.stack((fill, mean, deviation, factor, *bounds), 1)
        token = self.known(y)
        target = self.unknown(y)
        state = self.state(z * factor[:, None], indicators(raw), token)
        return columns, target, self.stack.fit(state)

    def predict(self, x: Tensor, columns: Tensor, target: Tensor, cache: Tensor) -> Tensor:
        """x [B, M, C] and the context -> logits [B, M, K]."""
        fill, mean, deviation, factor, *bounds = columns.unbind(1)
        raw = padded(x, self.group)
        filled = self.clipped(torch.where(finite(raw), raw, fill[:, None]), bounds)
        z = self.standardise(filled, mean, deviation)
        return self.answer(z * factor[:, None], indicators(raw), target, cache)

    def standardise(self, x: Tensor, mean: Tensor, deviation: Tensor) -> Tensor:
        return ((x - mean[:, None]) / deviation[:, None]).clamp(-CLIP, CLIP)

    def factor(self, z: Tensor) -> Tensor:
        """sqrt(P / number of columns of the group that vary), for every column [B, G*P]."""
        varies = (z[:, 1:] != z[:, :1]).float().amax(1).unflatten(1, (-1, self.group))
        used = varies.sum(-1, keepdim=True).clamp(min=1.0)
        return torch.sqrt(self.group / used).expand(-1, -1, self.group).flatten(1)

    def embed(self, cells: Tensor) -> Tensor:
        return cells @ self.encode


def layer(weights: dict[str, Tensor]) -> Layer:
    """A layer from weights by their old names."""
    norm = LayerNorm()
    features, rows = (
        attention_of(part(weights, f"self_attn_between_{what}."), norm)
        for what in ("features", "items")
    )
    first, second = (weights[f"mlp.linear{i}.weight"].T for i in (1, 2))
    return Layer(features, rows, first, second, norm)


def attention_of(weights: dict[str, Tensor], norm: LayerNorm) -> Attention:
    if "_w_qkv" in weights:
        labelled, keys, values = weights["_w_qkv"]
        unlabelled = labelled
    else:
        queries = weights["_w_q"]
        labelled, unlabelled = queries[0], queries[-1]
        keys, values = weights["_w_kv"]
    projections = tuple(matrix(w) for w in (labelled, unlabelled, keys, values))
    return Attention(len(labelled), (*projections, weights["_w_out"].flatten(0, 1)), norm)


def matrix(weight: Tensor) -> Tensor:
    """[H, D, E] -> [E, H*D]."""
    return weight.flatten(0, 1).T
