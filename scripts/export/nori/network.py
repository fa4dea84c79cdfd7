"""The Nori network as two pure functions of tensors.

`fit` reads the labelled rows once and returns everything that a query row needs; `predict` reads
query rows. Together they compute what the package's network computes with a cached context.
Nothing depends on the traced shapes, draws random numbers or branches on data.

Shapes: N labelled rows, M query rows, R rows of either kind, C columns, G groups of P columns,
E embedding width, L layers, H heads, D head width, Q quantiles. Tables come one at a time.
"""

import torch
from synthefy_nori.model.transformer import FeaturesTransformer
from torch import Tensor, nn

from scripts.export.bundle.tracing import finite, padded, total
from scripts.export.nori.cells import Cells
from scripts.export.nori.layers import Layer

CLIP = 100.0
TINY = 1e-20  # added to deviations
MISSING = -2.0  # indicator


class Network(nn.Module):
    """A network of the package, read for its weights."""

    classes = 0

    def __init__(self, model: FeaturesTransformer):
        super().__init__()
        self.group = model.features_per_group
        self.cells = Cells(model.encoder_x[0])
        self.label = model.reg_y_encoder[-1].layer
        self.aware = model.reg_target_aware_embedding
        self.gate = model.column_y_aware_alpha
        self.layers = nn.ModuleList([Layer(layer) for layer in model.transformer_encoder.layers])
        self.out_norm = model.encoder_out_norm
        self.decode = model.reg_y_decoder

    def fit(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """x [1, N, C], y [1, N] -> the context: columns, target and cache.

        columns [1, 4, G*P]: values for missing cells, mean and deviation of the
        standardisation, factor of the group; target [1, E]: the token of an unknown label;
        cache [2L, 1, G+1, N, D or H*D]: keys and values of every layer.
        """
        x = padded(x, self.group)
        present = finite(x)
        count = present.double().sum(1)
        fill = total(torch.where(present, x, 0.0)) / count.clamp(min=1.0).float()
        filled = torch.where(present, x, fill[:, None])
        rows = torch.ones_like(x[:, :, 0]).sum(1, keepdim=True)
        mean = total(filled) / rows
        deviation = torch.sqrt(total((filled - mean[:, None]) ** 2) / (rows - 1)) + TINY
        z = standardise(filled, mean, deviation)
        factor = self.factor(z, present)
        token = torch.stack((y, torch.zeros_like(y)), -1) @ self.label.weight.T + self.label.bias
        middle = total(y[:, :, None])[:, 0] / rows[:, 0]
        unknown = torch.stack((middle, torch.full_like(middle, MISSING)), -1)
        state = self.cells(z * factor[:, None], present, self.group)
        state = torch.cat((self.marked(state, y), token[:, :, None]), 2)[0]
        cache, sizes = [], (state.shape[0], state.shape[1])
        logs = (count_log(x[0, :, 0]), count_log(state[0, :, 0]))
        for layer in self.layers:
            state, keys, values = layer.fit(state, sizes, logs)
            cache += [keys, values]
        columns = torch.stack((fill, mean, deviation, factor), 1)
        return columns, unknown @ self.label.weight.T + self.label.bias, torch.stack(cache)[:, None]

    def predict(self, x: Tensor, columns: Tensor, target: Tensor, cache: Tensor) -> Tensor:
        """x [1, M, C] and the context -> quantiles [1, M, Q]."""
        fill, mean, deviation, factor = columns.unbind(1)
        x = padded(x, self.group)
        present = finite(x)
        z = standardise(torch.where(present, x, fill[:, None]), mean, deviation)
        state = self.cells(z * factor[:, None], present, self.group)
        token = target[:, None].expand(-1, x.shape[1], -1)
        state = torch.cat((state, token[:, :, None]), 2)[0]
        sizes = x.shape[1], cache.shape[2]
        logs = (count_log(cache[0, 0, 0, :, 0]), count_log(cache[0, 0, :, 0, 0]))
        for i, layer in enumerate(self.layers):
            state = layer.predict(state, cache[2 * i, 0], cache[2 * i + 1, 0], sizes, logs)
        return self.decode(self.out_norm(state[:, -1]))[None]

    def factor(self, z: Tensor, present: Tensor) -> Tensor:
        """sqrt(P / number of columns of the group that vary), for every column [1, G*P]."""
        low = torch.where(present, z, torch.inf).amin(1)
        high = torch.where(present, z, -torch.inf).amax(1)
        varies = (low < high).float().unflatten(1, (-1, self.group))
        used = varies.sum(-1, keepdim=True).clamp(min=1.0)
        return torch.sqrt(self.group / used).expand(-1, -1, self.group).flatten(1)

    def marked(self, state: Tensor, y: Tensor) -> Tensor:
        """Add the embedded labels to cells [1, N, G, E] of labelled rows."""
        if self.aware is None:
            return state
        bias = (y[:, :, None] @ self.aware.weight.T + self.aware.bias)[:, :, None]
        if self.gate is None:
            return state + bias
        score = (state * bias).sum(-1, keepdim=True) / state.shape[-1] ** 0.5
        share = torch.sigmoid(self.gate)
        return state + (1 - share) * bias + share * (bias * torch.sigmoid(score))


def standardise(x: Tensor, mean: Tensor, deviation: Tensor) -> Tensor:
    return ((x - mean[:, None]) / deviation[:, None]).clamp(-CLIP, CLIP)


def count_log(values: Tensor) -> Tensor:
    """The logarithm of the number of values, at least log 2."""
    return torch.ones_like(values).sum().clamp(min=2.0).log()
