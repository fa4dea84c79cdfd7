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
    Decoder,
    Grouped,
    Layer,
    LayerNorm,
    SoftClip,
    Stack,
    indicators,
    part,
)

TINY = 1e-20  # added to deviations


class Network(Grouped):
    """The weights of a checkpoint.

    `sigma` is that of SoftClip, which classifiers do before they standardise.
    """

    def __init__(self, state: dict[str, Tensor], table: Tensor, sigma: float | None = None):
        super().__init__()
        label = next(k for k in state if re.fullmatch(r"y_encoder\.\d+\.layer\.weight", k))
        self.classes = label != "y_encoder.1.layer.weight"
        self.clip = None if sigma is None else SoftClip(sigma)
        encoder = next(k for k in state if re.fullmatch(r"encoder\.\d+\.layer\.weight", k))
        self.encode = parameter(state[encoder].T)
        self.group = state[encoder].shape[1] // 2
        self.encode_y = parameter(state[label].T)
        self.encode_y_bias = parameter(state[label.replace("weight", "bias")])
        self.place = parameter(state["feature_positional_embedding_embeddings.weight"].T)
        self.place_bias = parameter(state["feature_positional_embedding_embeddings.bias"])
        self.table = parameter(table)
        decoder = ("0.weight", "0.bias", "2.weight", "2.bias")
        self.decode = Decoder([state[f"decoder_dict.standard.{k}"] for k in decoder])
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
        token = target[:, None].expand(-1, x.shape[1], -1)
        state = self.state(z * factor[:, None], indicators(raw), token)
        return self.decode(self.stack.predict(state, cache))

    def standardise(self, x: Tensor, mean: Tensor, deviation: Tensor) -> Tensor:
        return ((x - mean[:, None]) / deviation[:, None]).clamp(-CLIP, CLIP)

    def factor(self, z: Tensor) -> Tensor:
        """sqrt(P / number of columns of the group that vary), for every column [B, G*P]."""
        varies = (z[:, 1:] != z[:, :1]).float().amax(1).unflatten(1, (-1, self.group))
        used = varies.sum(-1, keepdim=True).clamp(min=1.0)
        return torch.sqrt(self.group / used).expand(-1, -1, self.group).flatten(1)

    def state(self, z: Tensor, marks: Tensor, token: Tensor) -> Tensor:
        """Tokens [B, R, G+1, E] of rows: the groups of columns, and the label last."""
        cells = self.joined(z, marks)
        groups = z.shape[2] // self.group  # cells.shape[2] would be traced as a constant
        places = self.table[:groups] @ self.place + self.place_bias
        return torch.cat((cells @ self.encode + places, token[:, :, None]), 2)


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
