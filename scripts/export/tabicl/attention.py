"""Attention and rotation of a network as operators of onnxruntime."""

import contextlib
from types import MethodType

from scripts.export.bundle import operators
from scripts.training.network.network import Block, RowBlock, TabICL


def attend_cached(self: Block, q, k, v):
    """`Block.attention` to a few hundred queries."""
    q = q.reshape(q.shape[:-2] + (self.dim,))
    if q.shape[0] != k.shape[0]:
        q = q.expand(k.shape[0], -1, -1)
    return operators.attention(q, k, v, self.heads)


def attend(self: Block, q, k, v):
    """`Block.attention` for any number of queries."""
    k, v = (x.transpose(1, 2).reshape(x.shape[0], -1, self.dim) for x in (k, v))
    return attend_cached(self, q, k, v)


def rotate(self: RowBlock, x, rope):
    """`RowBlock.rotate` with the operator."""
    flat = x.reshape(x.shape[:-2] + (self.dim,))
    return operators.rotate(flat, rope[0].squeeze(1), rope[1].squeeze(1)).reshape(x.shape)


@contextlib.contextmanager
def fused(net: TabICL, cached: bool):
    """Let attention and rotation be traced as the operators.

    `cached` says that all keys but those of the features of a row come from a cache.
    """
    changed = []
    for module in net.modules():
        if isinstance(module, RowBlock):
            changed += [(module, "attention", attend), (module, "rotate", rotate)]
        elif isinstance(module, Block):
            changed.append((module, "attention", attend_cached if cached else attend))
    for module, name, method in changed:
        setattr(module, name, MethodType(method, module))
    try:
        yield
    finally:
        for module, name, _ in changed:
            delattr(module, name)
