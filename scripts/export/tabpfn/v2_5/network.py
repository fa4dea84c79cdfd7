"""The TabPFN v2.5 and v2.6 networks as two pure functions of tensors.

As in network.py, `fit` reads the labelled rows and `predict` query rows. There
are learned rows without a label of their own before the labelled ones, columns
that are constant among the labelled rows are left out, and v2.6 normalises by the
root mean square. One table at a time, since the number of columns that are left
differs from table to table.

Shapes: N labelled rows, T learned rows, M query rows, C feature columns, G groups
of P columns, E embedding width, L layers, D head width, K bars or classes.
"""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from scripts.export.bundle.tracing import finite, parameter, total
from scripts.export.tabpfn.layers import (
    CLIP,
    Attention,
    Grouped,
    Layer,
    LayerNorm,
    Norm,
    RMSNorm,
    Stack,
    indicators,
)


class Network(Grouped):
    """The weights of a network of the package by their present names."""

    def __init__(
        self,
        state: dict[str, Tensor],
        heads: int,
        group: int,
        table: Tensor,
        classes: int = 0,
        sigma: float | None = None,
    ):
        super().__init__(state, "target_embedder", "output_projection", table, sigma)
        self.classes = bool(classes)
        linear = [k for k in state if k.startswith("feature_group_embedder.")]
        self.encode = nn.ParameterList(state[k].T.contiguous() for k in sorted(linear))
        self.group = group
        self.learned = parameter(state["add_thinking_rows.row_token_values_TE"])
        count = len({k.split(".")[1] for k in state if k.startswith("blocks.")})
        self.stack = Stack([layer(state, f"blocks.{i}.", heads) for i in range(count)])

    def fit(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """x [1, N, C], y [1, N] -> the context: columns, target and cache.

        columns [1, 5 or 7, G*P]: which column of x each is, 1 or 0 for those that
        only fill a group, mean, deviation, the factor that the standardised value is
        multiplied with, and the bounds of the clip, if there is one; target [1, E]: the token of an
        unknown label; cache [2L, 1, G+1, T+N, D]: keys and values of every layer's first head.
        """
        bounds = self.clip.bounds(x) if self.clip else ()
        x = self.clipped(x, bounds)
        source, real = self.columns(x)
        bounds = [b.index_select(1, source) for b in bounds]
        raw = self.taken(x, source, real)
        present = finite(raw)
        mean = total(torch.where(present, raw, 0.0)) / present.float().sum(1).clamp(min=1.0)
        filled = torch.where(present, raw, mean[:, None])
        deviation = torch.sqrt(total((filled - mean[:, None]) ** 2) / (x.shape[1] - 1))
        deviation = torch.where(deviation == 0, 1.0, deviation)
        z = self.standardise(filled, mean, deviation)
        factor = self.factor(z)
        found = (source.float()[None], real[None], mean, deviation, factor, *bounds)
        columns = torch.stack(found, 1)
        token = self.known(y)
        state = self.state(z * factor[:, None], indicators(raw), token)
        learned = self.learned[None, :, None].expand(-1, -1, state.shape[2], -1)
        return columns, self.unknown(y), self.stack.fit(torch.cat((learned, state), 1))

    def predict(self, x: Tensor, columns: Tensor, target: Tensor, cache: Tensor) -> Tensor:
        """x [1, M, C] and the context -> logits [1, M, K]."""
        source, real, mean, deviation, factor, *bounds = columns.unbind(1)
        raw = self.taken(x, source[0].long(), real[0], bounds)
        z = self.standardise(torch.where(finite(raw), raw, mean[:, None]), mean, deviation)
        return self.answer(z * factor[:, None], indicators(raw), target, cache)

    def columns(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """The columns that vary and what fills their last group: their numbers and 1 or 0."""
        varies = (x[0, 1:] != x[0, :1]).float().amax(0) > 0
        kept = varies.nonzero()[:, 0]
        spare = torch.zeros(self.group - 1, dtype=torch.long)
        padded = (kept.shape[0] + self.group - 1) // self.group * self.group
        source = torch.cat((kept, spare))[:padded]
        real = torch.cat((torch.ones_like(kept), spare))[:padded].float()
        return source, real

    def taken(
        self, x: Tensor, source: Tensor, real: Tensor, bounds: Sequence[Tensor] = ()
    ) -> Tensor:
        """The columns of x in their groups, clipped, with zeros where they only fill one."""
        return torch.where(real > 0, self.clipped(x.index_select(2, source), bounds), 0.0)

    def standardise(self, x: Tensor, mean: Tensor, deviation: Tensor) -> Tensor:
        eps = torch.finfo(torch.float32).eps
        return ((x - mean[:, None]) / (deviation[:, None] + eps)).clamp(-CLIP, CLIP)

    def factor(self, z: Tensor) -> Tensor:
        """sqrt(P / number of columns of the group that vary), 0 for those that do not [1, G*P]."""
        varies = (z[:, 1:] != z[:, :1]).float().amax(1).unflatten(1, (-1, self.group))
        used = varies.sum(-1, keepdim=True).clamp(min=1.0)
        return (varies * torch.sqrt(self.group / used)).flatten(1)

    def embed(self, cells: Tensor) -> Tensor:
        first, *second = self.encode
        tokens = cells @ first
        return F.gelu(tokens) @ second[0] if second else tokens


def layer(state: dict[str, Tensor], prefix: str, heads: int) -> Layer:
    """A layer from weights by their present names."""
    norms = [norm(state.get(f"{prefix}layernorm_{k}.weight")) for k in ("mha1", "mha2", "mlp")]
    kinds = ("per_sample_attention_between_features", "per_column_attention_between_cells")
    features, rows = (
        attention_of(state, f"{prefix}{kind}.", heads, norms[i]) for i, kind in enumerate(kinds)
    )
    first, second = (state[f"{prefix}mlp.{i}.weight"].T for i in (0, 2))
    return Layer(features, rows, first, second, norms[2])


def attention_of(state: dict[str, Tensor], prefix: str, heads: int, norm: Norm) -> Attention:
    query, key, value, out = (
        state[f"{prefix}{k}_projection.weight"].T for k in ("q", "k", "v", "out")
    )
    return Attention(heads, (query, query, key, value, out), norm)


def norm(weight: Tensor | None) -> Norm:
    """v2.6 has weights, v2.5 has none."""
    return LayerNorm() if weight is None else RMSNorm(weight)
