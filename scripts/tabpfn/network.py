"""The TabPFN v2 regression network as two pure functions of tensors.

`fit` reads the labelled rows once and returns everything that a query row
needs; `predict` reads query rows. Together they compute what the package's
network computes with a cached context. Nothing depends on the traced shapes,
draws random numbers or branches on data.

Shapes: B tables, N labelled rows, M query rows, C feature columns, G groups of
P columns, E embedding width, L layers, H heads, D head width, K bars.
"""

from __future__ import annotations

import re

import torch
import torch.nn.functional as F
from torch import Tensor, nn

MISSING, PLUS_INFINITY, MINUS_INFINITY = -2.0, 2.0, 4.0  # indicators
CLIP = 100.0
TINY = 1e-20  # added to deviations


class Attention(nn.Module):
    """Weights of one attention: queries of rows with and without label, keys and values."""

    def __init__(self, weights: dict[str, Tensor]):
        super().__init__()
        if "_w_qkv" in weights:
            labelled, keys, values = weights["_w_qkv"]
            unlabelled = labelled
        else:
            queries = weights["_w_q"]
            labelled, unlabelled = queries[0], queries[-1]
            keys, values = weights["_w_kv"]
        self.heads, self.width = labelled.shape[:2]
        self.labelled, self.unlabelled = matrix(labelled), matrix(unlabelled)
        self.keys, self.values = matrix(keys), matrix(values)
        self.out = parameter(weights["_w_out"].flatten(0, 1))

    def attend(self, x: Tensor) -> Tensor:
        """All of x [A, S, E] attends to all of x; adds to x and normalises."""
        q, k, v = (x @ w for w in (self.labelled, self.keys, self.values))
        return norm(x + attention(q, k, v, self.heads) @ self.out)

    def first_head(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values [A, N, D] of the first head, which query rows read."""
        return x @ self.keys[:, : self.width], x @ self.values[:, : self.width]

    def attend_to(self, x: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        """x [A, M, E] attends to one head of keys and values [A, N, D].

        All H heads of M queries are M*H queries of the one head.
        """
        a, m = x.shape[0], x.shape[1]
        q = (x @ self.unlabelled).reshape(a, m * self.heads, self.width)
        heard = attention(q, keys, values, 1).reshape(a, m, self.heads * self.width)
        return norm(x + heard @ self.out)


class Layer(nn.Module):
    """Attention between features, attention between rows, and a perceptron."""

    def __init__(self, weights: dict[str, Tensor]):
        super().__init__()
        self.features = Attention(part(weights, "self_attn_between_features."))
        self.rows = Attention(part(weights, "self_attn_between_items."))
        self.first = parameter(weights["mlp.linear1.weight"].T)
        self.second = parameter(weights["mlp.linear2.weight"].T)

    def perceptron(self, x: Tensor) -> Tensor:
        return norm(x + F.gelu(x @ self.first) @ self.second)


class Network(nn.Module):
    """The weights of a checkpoint.

    `moves_constants` is what the package's version does with a column that is
    constant: newer ones replace it by zeros behind the other columns of its
    group, 2.0.7 to 2.0.9 leave it where it is.
    """

    def __init__(self, state: dict[str, Tensor], table: Tensor, moves_constants: bool):
        super().__init__()
        encoder = next(k for k in state if re.fullmatch(r"encoder\.\d+\.layer\.weight", k))
        self.encode = parameter(state[encoder].T)
        self.group = state[encoder].shape[1] // 2
        self.encode_y = parameter(state["y_encoder.1.layer.weight"].T)
        self.encode_y_bias = parameter(state["y_encoder.1.layer.bias"])
        self.place = parameter(state["feature_positional_embedding_embeddings.weight"].T)
        self.place_bias = parameter(state["feature_positional_embedding_embeddings.bias"])
        self.table = parameter(table)
        decoder = ("0.weight", "0.bias", "2.weight", "2.bias")
        self.decode = nn.ParameterList(state[f"decoder_dict.standard.{k}"] for k in decoder)
        count = len({k.split(".")[2] for k in state if k.startswith("transformer_encoder.layers.")})
        self.layers = nn.ModuleList(
            Layer(part(state, f"transformer_encoder.layers.{i}.")) for i in range(count)
        )
        self.moves_constants = moves_constants

    def fit(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """x [B, N, C], y [B, N] -> the context: columns, target and cache.

        columns [B, 6, G*P]: mean that replaces missing cells, mean and deviation
        of the standardisation, factor of the group, and the masks of
        `moved`; target [B, E]: the token of an unknown label; cache
        [2L, B, G+1, N, D]: keys and values of every layer's first head.
        """
        x = self.pad(x)
        swap, keep = self.constants(x)
        raw = self.moved(x, swap, keep)
        present = ~torch.isnan(raw)
        fill = total(torch.where(present, raw, 0.0)) / present.float().sum(1).clamp(min=1.0)
        filled = torch.where(finite(raw), raw, fill[:, None])
        mean = total(filled) / x.shape[1]
        spread = total((filled - mean[:, None]) ** 2) / (x.shape[1] - 1)
        deviation = torch.sqrt(spread) + TINY
        z = self.standardise(filled, mean, deviation)
        factor = self.factor(z)
        columns = torch.stack((fill, mean, deviation, factor, swap, keep), 1)
        token = torch.stack((y, torch.zeros_like(y)), -1) @ self.encode_y + self.encode_y_bias
        target = self.unknown(y)
        state = self.state(z * factor[:, None], indicators(raw), token)
        b, n, tokens, e = state.shape
        cache = []
        for layer in self.layers:
            state = layer.features.attend(state.reshape(b * n, tokens, e))
            state = turn(state, b, n, tokens)  # B*(G+1), N, E
            cache += layer.rows.first_head(state)
            state = layer.perceptron(layer.rows.attend(state))
            state = turn(state, b, tokens, n)
        cache = torch.stack(cache).reshape(len(cache), b, tokens, n, -1)
        return columns, target, cache

    def predict(self, x: Tensor, columns: Tensor, target: Tensor, cache: Tensor) -> Tensor:
        """x [B, M, C] and the context -> logits [B, M, K]."""
        fill, mean, deviation, factor, swap, keep = columns.unbind(1)
        raw = self.moved(self.pad(x), swap, keep)
        filled = torch.where(finite(raw), raw, fill[:, None])
        z = self.standardise(filled, mean, deviation)
        token = target[:, None].expand(-1, x.shape[1], -1)
        state = self.state(z * factor[:, None], indicators(raw), token)
        b, m, tokens, e = state.shape
        cache = cache.reshape(cache.shape[0], b * tokens, cache.shape[3], cache.shape[4])
        for i, layer in enumerate(self.layers):
            state = layer.features.attend(state.reshape(b * m, tokens, e))
            state = turn(state, b, m, tokens)
            state = layer.rows.attend_to(state, cache[2 * i], cache[2 * i + 1])
            state = turn(layer.perceptron(state), b, tokens, m)
        first, first_bias, second, second_bias = self.decode
        hidden = F.gelu(state.reshape(b, m, tokens, e)[:, :, -1] @ first.T + first_bias)
        return hidden @ second.T + second_bias

    def pad(self, x: Tensor) -> Tensor:
        """Zero columns up to a multiple of the group size."""
        columns = (x.shape[2] + self.group - 1) // self.group * self.group
        spare = torch.zeros_like(x[:, :, :1]).expand(-1, -1, self.group - 1)
        return torch.cat((x, spare), 2)[:, :, :columns]

    def constants(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Masks [B, G*P] as float: which columns trade places with their neighbour, which stay."""
        varies = (x[:, 1:] != x[:, :1]).float().amax(1) > 0
        if not self.moves_constants:
            return torch.zeros_like(varies).float(), torch.ones_like(varies).float()
        if self.group == 1:
            return torch.zeros_like(varies).float(), varies.float()
        pairs = varies.unflatten(1, (-1, 2))
        swap = (~pairs[..., :1] & pairs[..., 1:]).expand(-1, -1, 2)
        keep = torch.where(swap, pairs.flip(-1), pairs)
        return swap.flatten(1).float(), keep.flatten(1).float()

    def moved(self, x: Tensor, swap: Tensor, keep: Tensor) -> Tensor:
        """x with the columns of marked groups swapped and with zeros where keep is 0."""
        if not self.moves_constants:
            return x
        if self.group == 2:
            x = torch.where(swap[:, None] > 0, x.unflatten(2, (-1, 2)).flip(-1).flatten(2), x)
        return torch.where(keep[:, None] > 0, x, 0.0)

    def standardise(self, x: Tensor, mean: Tensor, deviation: Tensor) -> Tensor:
        return ((x - mean[:, None]) / deviation[:, None]).clamp(-CLIP, CLIP)

    def factor(self, z: Tensor) -> Tensor:
        """sqrt(P / number of columns of the group that vary), for every column [B, G*P]."""
        varies = (z[:, 1:] != z[:, :1]).float().amax(1).unflatten(1, (-1, self.group))
        used = varies.sum(-1, keepdim=True).clamp(min=1.0)
        return torch.sqrt(self.group / used).expand(-1, -1, self.group).flatten(1)

    def unknown(self, y: Tensor) -> Tensor:
        """Token [B, E] of an unknown label: the mean label, marked as missing."""
        mean = total(y) / y.shape[1]
        return torch.stack((mean, torch.full_like(mean, MISSING)), -1) @ self.encode_y + (
            self.encode_y_bias
        )

    def state(self, z: Tensor, marks: Tensor, token: Tensor) -> Tensor:
        """Tokens [B, R, G+1, E] of rows: the groups of columns, and the label last."""
        cells = torch.cat([t.unflatten(2, (-1, self.group)) for t in (z, marks)], -1)
        groups = z.shape[2] // self.group  # cells.shape[2] would be traced as a constant
        places = self.table[:groups] @ self.place + self.place_bias
        return torch.cat((cells @ self.encode + places, token[:, :, None]), 2)


def finite(x: Tensor) -> Tensor:
    return x.abs() < torch.inf


def total(x: Tensor) -> Tensor:
    """Sums over the rows, rounded once, as those of the package nearly are."""
    return x.double().sum(1).float()


def indicators(x: Tensor) -> Tensor:
    """What is special about every cell."""
    marks = torch.where(torch.isnan(x), MISSING, 0.0)
    marks = torch.where(x == torch.inf, PLUS_INFINITY, marks)
    return torch.where(x == -torch.inf, MINUS_INFINITY, marks)


def turn(x: Tensor, b: int, rows: int, columns: int) -> Tensor:
    """[B*rows, columns, E] -> [B*columns, rows, E]."""
    return x.reshape(b, rows, columns, -1).transpose(1, 2).reshape(b * columns, rows, -1)


class FusedAttention(torch.autograd.Function):
    """softmax(q k' / sqrt(D)) v of H heads side by side in the last axis [A, S, H*D].

    It is exported as onnxruntime's MultiHeadAttention, which keeps no S x S scores.
    """

    @staticmethod
    def forward(ctx, q: Tensor, k: Tensor, v: Tensor, heads: int) -> Tensor:
        q, k, v = (t.unflatten(-1, (heads, -1)).transpose(1, 2) for t in (q, k, v))
        scores = (q * q.shape[-1] ** -0.5) @ k.transpose(-1, -2)
        return (torch.softmax(scores, dim=-1) @ v).transpose(1, 2).flatten(-2)

    @staticmethod
    def symbolic(g, q, k, v, heads: int):
        out = g.op("com.microsoft::MultiHeadAttention", q, k, v, num_heads_i=heads)
        return out.setType(q.type())


attention = FusedAttention.apply


def norm(x: Tensor) -> Tensor:
    """Layer normalisation without weights."""
    c = x - x.mean(-1, keepdim=True)
    return c * torch.rsqrt((c * c).mean(-1, keepdim=True) + 1e-5)


def parameter(x: Tensor) -> nn.Parameter:
    return nn.Parameter(x.clone().contiguous(), requires_grad=False)


def matrix(weight: Tensor) -> nn.Parameter:
    """[H, D, E] -> [E, H*D]."""
    return parameter(weight.flatten(0, 1).T)


def part(state: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {k.removeprefix(prefix): v for k, v in state.items() if k.startswith(prefix)}
