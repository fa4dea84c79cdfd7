"""What the networks of all TabPFN versions are made of.

Shapes: A independent sequences of S tokens, E embedding width, H heads, D head
width; N labelled rows, M query rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from scripts.export.bundle.operators import attention
from scripts.export.bundle.tracing import parameter, total

MISSING, PLUS_INFINITY, MINUS_INFINITY = -2.0, 2.0, 4.0  # indicators
CLIP = 100.0
Norm = Callable[[Tensor], Tensor]


class Attention(nn.Module):
    """One attention with its residual and norm.

    labelled, unlabelled, keys, values [E, H*D]: projections, the first two of the
    queries of rows with and without label; out [H*D, E].
    """

    def __init__(self, heads: int, weights: tuple[Tensor, ...], norm: Norm):
        super().__init__()
        self.heads, self.width = heads, weights[0].shape[1] // heads
        self.labelled, self.unlabelled, self.keys, self.values, self.out = (
            parameter(w) for w in weights
        )
        self.norm = norm

    def attend(self, x: Tensor) -> Tensor:
        """All of x [A, S, E] attends to all of x; adds to x and normalises."""
        q, k, v = (x @ w for w in (self.labelled, self.keys, self.values))
        return self.norm(x + attention(q, k, v, self.heads) @ self.out)

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
        return self.norm(x + heard @ self.out)


class Layer(nn.Module):
    """Attention between features, attention between rows, and a perceptron."""

    def __init__(
        self, features: Attention, rows: Attention, first: Tensor, second: Tensor, norm: Norm
    ):
        super().__init__()
        self.features, self.rows, self.norm = features, rows, norm
        self.first, self.second = parameter(first), parameter(second)

    def perceptron(self, x: Tensor) -> Tensor:
        return self.norm(x + F.gelu(x @ self.first) @ self.second)


class Stack(nn.Module):
    """All layers."""

    def __init__(self, layers: list[Layer]):
        super().__init__()
        self.layers = nn.ModuleList(layers)

    def fit(self, state: Tensor) -> Tensor:
        """state [B, N, G, E] of labelled rows -> cache [2L, B, G, N, D]."""
        b, n, tokens, e = state.shape
        cache = []
        for layer in self.layers:
            state = layer.features.attend(state.reshape(b * n, tokens, e))
            state = turn(state, b, n, tokens)  # B*G, N, E
            cache += layer.rows.first_head(state)
            state = layer.perceptron(layer.rows.attend(state))
            state = turn(state, b, tokens, n)
        return torch.stack(cache).reshape(len(cache), b, tokens, n, -1)

    def predict(self, state: Tensor, cache: Tensor) -> Tensor:
        """state [B, M, G, E] of query rows and the cache -> last token [B, M, E]."""
        b, m, tokens, e = state.shape
        cache = cache.reshape(cache.shape[0], b * tokens, cache.shape[3], cache.shape[4])
        for i, layer in enumerate(self.layers):
            state = layer.features.attend(state.reshape(b * m, tokens, e))
            state = turn(state, b, m, tokens)
            state = layer.rows.attend_to(state, cache[2 * i], cache[2 * i + 1])
            state = turn(layer.perceptron(state), b, tokens, m)
        return state.reshape(b, m, tokens, e)[:, :, -1]


class Grouped(nn.Module):
    """A network that reads columns in groups of P, v2 to v2.6.

    Labels of a classifier are 0, 1, ..., each of them in the table. `table` [groups, E/4] holds the
    fixed vectors of the groups, and `sigma` is that of the SoftClip that a classifier's columns go
    through first.
    """

    group: int  # P
    classes: bool
    stack: Stack

    def __init__(
        self, state: dict[str, Tensor], label: str, decoder: str, table: Tensor, sigma: float | None
    ):
        """label, decoder: the names of their weights."""
        super().__init__()
        self.clip = None if sigma is None else SoftClip(sigma)
        self.encode_y, self.encode_y_bias = linear(state, label)
        self.place, self.place_bias = linear(state, "feature_positional_embedding_embeddings")
        self.table = parameter(table)
        self.decode = Decoder(state, decoder)

    def known(self, y: Tensor) -> Tensor:
        """Tokens [B, N, E] of labels [B, N]."""
        return torch.stack((y, torch.zeros_like(y)), -1) @ self.encode_y + self.encode_y_bias

    def unknown(self, y: Tensor) -> Tensor:
        """Token [B, E] of an unknown label: the mean label, of classes rounded up, marked."""
        mean = total(y) / y.shape[1]
        if self.classes:
            mean = mean.ceil()
        return torch.stack((mean, torch.full_like(mean, MISSING)), -1) @ self.encode_y + (
            self.encode_y_bias
        )

    def clipped(self, x: Tensor, bounds: Sequence[Tensor]) -> Tensor:
        return self.clip(x, *bounds) if self.clip and len(bounds) else x

    def embed(self, cells: Tensor) -> Tensor:
        """Values and indicators [B, R, G, 2P] of groups -> tokens [B, R, G, E]."""
        raise NotImplementedError

    def state(self, z: Tensor, marks: Tensor, token: Tensor) -> Tensor:
        """Tokens [B, R, G+1, E] of rows: the groups of columns, and the label last."""
        cells = torch.cat([t.unflatten(2, (-1, self.group)) for t in (z, marks)], -1)
        groups = z.shape[2] // self.group  # cells.shape[2] would be traced as a constant
        places = self.table[:groups] @ self.place + self.place_bias
        return torch.cat((self.embed(cells) + places, token[:, :, None]), 2)

    def answer(self, z: Tensor, marks: Tensor, target: Tensor, cache: Tensor) -> Tensor:
        """Logits [B, M, K] of query rows, whose label is the token target [B, E]."""
        token = target[:, None].expand(-1, z.shape[1], -1)
        return self.decode(self.stack.predict(self.state(z, marks, token), cache))


class Decoder(nn.Module):
    """A perceptron from tokens to logits, weights [out, in]."""

    def __init__(self, state: dict[str, Tensor], name: str):
        super().__init__()
        parts = ("0.weight", "0.bias", "2.weight", "2.bias")
        self.weights = nn.ParameterList(state[f"{name}.{k}"] for k in parts)

    def forward(self, x: Tensor) -> Tensor:
        first, first_bias, second, second_bias = self.weights
        return F.gelu(x @ first.T + first_bias) @ second.T + second_bias


class LayerNorm(nn.Module):
    """Layer normalisation without weights."""

    def forward(self, x: Tensor) -> Tensor:
        c = x - x.mean(-1, keepdim=True)
        return c * torch.rsqrt((c * c).mean(-1, keepdim=True) + 1e-5)


class RMSNorm(nn.Module):
    """x / sqrt(mean(x^2) + eps) times weights, with the eps of float32."""

    def __init__(self, weight: Tensor):
        super().__init__()
        self.weight = parameter(weight)

    def forward(self, x: Tensor) -> Tensor:
        eps = torch.finfo(torch.float32).eps
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + eps) * self.weight


class SoftClip(nn.Module):
    """Bounds of columns, `sigma` deviations from the mean, that values pass by a logarithm."""

    def __init__(self, sigma: float):
        super().__init__()
        self.sigma = sigma

    def bounds(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Of rows [B, N, C] the lower and upper bounds [B, C], without what is beyond at first."""
        lower, upper = self.around(x, ~torch.isnan(x))
        return self.around(x, (x >= lower[:, None]) & (x <= upper[:, None]))

    def around(self, x: Tensor, counted: Tensor) -> tuple[Tensor, Tensor]:
        """The bounds of the values that count."""
        count = counted.float().sum(1)
        mean = total(torch.where(counted, x, 0.0)) / count.clamp(min=1.0)
        square = total(torch.where(counted, (x - mean[:, None]) ** 2, 0.0))
        reach = self.sigma * torch.sqrt(square / (count - 1).clamp(min=1.0))
        return mean - reach, mean + reach

    def forward(self, x: Tensor, lower: Tensor, upper: Tensor) -> Tensor:
        """Rows with what is beyond the bounds drawn towards them; missing stays missing."""
        least = lower[:, None] - torch.log(1 + x.abs())
        x = torch.where(x < least, least, x)
        most = upper[:, None] + torch.log(1 + x.abs())
        return torch.where(x > most, most, x)


def indicators(x: Tensor) -> Tensor:
    """What is special about every cell."""
    marks = torch.where(torch.isnan(x), MISSING, 0.0)
    marks = torch.where(x == torch.inf, PLUS_INFINITY, marks)
    return torch.where(x == -torch.inf, MINUS_INFINITY, marks)


def turn(x: Tensor, b: int, rows: int, columns: int) -> Tensor:
    """[B*rows, columns, E] -> [B*columns, rows, E]."""
    return x.reshape(b, rows, columns, -1).transpose(1, 2).reshape(b * columns, rows, -1)


def linear(state: dict[str, Tensor], name: str) -> tuple[nn.Parameter, nn.Parameter]:
    """Weight [in, out] and bias."""
    return parameter(state[f"{name}.weight"].T), parameter(state[f"{name}.bias"])


def part(state: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    """The weights below a prefix, without it."""
    return {k.removeprefix(prefix): v for k, v in state.items() if k.startswith(prefix)}
