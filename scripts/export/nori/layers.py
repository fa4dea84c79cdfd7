"""A layer of a Nori network.

Shapes: R rows, T tokens of a row (its groups of columns and its label), E embedding width, H heads
of width D; A independent sequences of S tokens.
"""

from collections.abc import Callable

import torch
from synthefy_nori.model.layer import EncoderBaseLayer, MultiheadAttention
from torch import Tensor, nn

from scripts.export.bundle.operators import attention
from scripts.export.bundle.tracing import parameter


class Attention(nn.Module):
    """One attention without residual and norm; `shared` keys and values are of one head."""

    def __init__(self, module: MultiheadAttention, shared: bool):
        super().__init__()
        self.heads, self.width, self.shared = module.num_heads, module.head_dim, shared
        q, k, v = (w.detach().flatten(0, 1).T for w in module.qkv_proj_weight)
        kept = self.width if shared else self.heads * self.width
        self.q, self.k, self.v = parameter(q), parameter(k[:, :kept]), parameter(v[:, :kept])
        self.out = parameter(module.out_proj_weight.detach().flatten(0, 1))
        self.temperature = module.attn_temperature
        self.reference = module._attn_n_ref_log if module.use_logn_attention else None
        self.scaling = module.qassmax

    def keys(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return keys and values of x [A, S, E]."""
        return x @ self.k, x @ self.v

    def forward(self, x: Tensor, keys: Tensor, values: Tensor, sizes: tuple, log: Tensor) -> Tensor:
        """x [A, S, E] attends to keys and values; [A, S, E].

        sizes are A and S, and log is the logarithm of the number of keys. They are arguments
        because behind an operator of onnxruntime tensors have the shapes of the trace.
        """
        a, s = sizes
        whole = self.heads * self.width
        q = self.scaled((x @ self.q).reshape(a, s, self.heads, self.width), log)
        if self.shared:  # all H heads of S queries are S*H queries of the one head
            heard = attention(q.reshape(a, s * self.heads, self.width), keys, values, 1)
            return heard.reshape(a, s, whole) @ self.out
        heard = attention(q.reshape(a, s, whole), keys, values, self.heads)
        return heard.reshape(a, s, whole) @ self.out

    def scaled(self, q: Tensor, log: Tensor) -> Tensor:
        """Scale q [A, S, H, D] by the number of keys."""
        if self.scaling is not None:
            q = self.stretched(q, log)
        if self.reference is not None:
            q = q * (log / self.reference)
        return q if self.temperature is None else q * self.temperature.abs()

    def stretched(self, q: Tensor, log: Tensor) -> Tensor:
        base, gate = self.scaling.base_mlp, self.scaling.gate_mlp
        scale = log
        if base is not None:
            scale = log * (1 + torch.tanh(base(log.reshape(1, 1)))).reshape(self.heads, self.width)
        q_scaled = q * scale
        return q_scaled if gate is None else q_scaled * (1 + torch.tanh(gate(q)))


class Layer(nn.Module):
    """Attention between rows and between the tokens of a row, and perceptrons."""

    def __init__(self, layer: EncoderBaseLayer):
        super().__init__()
        self.pre, self.norms = layer.pre_norm, layer.layer_norms
        self.alpha = 1.0 if layer.deepnorm_alpha is None else float(layer.deepnorm_alpha)
        rows = list(layer.sequence_attentions)
        self.labelled = Attention(rows[0], layer.self_share_all_kv_heads)
        self.queries = Attention(rows[-1], layer.cross_share_all_kv_heads)
        self.features = nn.ModuleList([Attention(a, False) for a in layer.feature_attentions])
        self.mlps = layer.mlp
        self.order = layer.layer_arch  # s: rows, f: features, m: a perceptron

    def fit(self, state: Tensor, sizes: tuple, logs: tuple) -> tuple[Tensor, Tensor, Tensor]:
        """Tokens [N, T, E] of labelled rows -> the next ones, and keys and values [T, N, ..].

        sizes are N and T, logs those of both.
        """
        kept = ()

        def rows(x: Tensor) -> Tensor:
            nonlocal kept
            kept = self.queries.keys(x)
            return self.labelled(x, *self.labelled.keys(x), sizes[::-1], logs[0])

        return self.run(state, rows, sizes, logs[1]), *kept

    def predict(
        self, state: Tensor, keys: Tensor, values: Tensor, sizes: tuple, logs: tuple
    ) -> Tensor:
        """Tokens [M, T, E] of query rows -> the next ones; sizes are M and T, logs of N and T."""

        def rows(x: Tensor) -> Tensor:
            return self.queries(x, keys, values, sizes[::-1], logs[0])

        return self.run(state, rows, sizes, logs[1])

    def run(self, state: Tensor, rows: Callable, sizes: tuple, log: Tensor) -> Tensor:
        features, mlps = iter(self.features), iter(self.mlps)
        for step, norm in zip(self.order, self.norms):
            x = norm(state) if self.pre else state
            if step == "s":
                x = rows(x.transpose(0, 1)).transpose(0, 1)
            elif step == "m":
                x = next(mlps)(x)
            else:
                within = next(features)
                x = within(x, *within.keys(x), sizes, log)
            state = state + self.alpha * x if self.pre else norm(state + x)
        return state
