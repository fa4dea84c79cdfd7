"""Attention over blocks of queries, for contexts of thousands of rows.

The scores of N rows with N keys take 4 N^2 bytes per head. Here a Scan computes
them for at most ROWS rows at a time, which gives the same numbers with the memory
of a block and is kinder to the processor's cache.
"""

from __future__ import annotations

import contextlib
from types import MethodType

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from network import Block, TabICL

ROWS = 256
DOMAIN, OPERATOR = "pfnamp", "BlockAttention"


class BlockAttention(torch.autograd.Function):
    """softmax(q k') v as one node; q [B,heads,S,hd], k and v [B,heads,N,hd]."""

    @staticmethod
    def forward(ctx, q, k, v):
        return torch.softmax(q @ k.transpose(-1, -2), dim=-1) @ v

    @staticmethod
    def symbolic(g, q, k, v):
        return g.op(f"{DOMAIN}::{OPERATOR}", q, k, v).setType(q.type())


def attention(self: Block, q, k, v):
    """`Block.attention` with the node above."""
    out = BlockAttention.apply(q * self.head_dim**-0.5, k, v).transpose(-2, -3)
    return out.reshape(out.shape[:-2] + (self.dim,))


@contextlib.contextmanager
def blocked(net: TabICL):
    """Let the rows' attention to the context be traced as blocks."""
    for block in net.icl:
        block.attention = MethodType(attention, block)
    try:
        yield
    finally:
        for block in net.icl:
            del block.attention


def expand(model: onnx.ModelProto) -> None:
    """Replace the nodes of `BlockAttention` by standard operators."""
    nodes = list(model.graph.node)
    if not any(n.domain == DOMAIN for n in nodes):
        return
    del model.graph.node[:]
    for number, node in enumerate(nodes):
        if node.domain == DOMAIN:
            model.graph.node.extend(scan(node, f"blocks{number}_"))
        else:
            model.graph.node.append(node)
    imports = [opset for opset in model.opset_import if opset.domain != DOMAIN]
    del model.opset_import[:]
    model.opset_import.extend(imports)


def constant(name: str, values: list[int]) -> onnx.NodeProto:
    return helper.make_node(
        "Constant", [], [name], value=numpy_helper.from_array(np.array(values, dtype=np.int64))
    )


def scan(node: onnx.NodeProto, p: str) -> list[onnx.NodeProto]:
    """The nodes for one attention; names begin with p.

    S rows are padded to n = ceil(S / ROWS) blocks of ceil(S / n) rows.
    """
    q, k, v = node.input

    def op(kind: str, inputs: list[str], output: str, **attributes) -> onnx.NodeProto:
        names = [name if name in (q, k, v) else p + name for name in inputs]
        return helper.make_node(kind, names, [p + output], **attributes)

    nodes = [
        *(constant(p + name, values) for name, values in CONSTANTS.items()),
        op("Shape", [q], "shape"),
        op("Gather", ["shape", "axis"], "rows"),
        op("Add", ["rows", "most"], "reach"),
        op("Div", ["reach", "size"], "count"),
        op("Add", ["rows", "count"], "above"),
        op("Sub", ["above", "one"], "last"),
        op("Div", ["last", "count"], "height"),
        op("Mul", ["count", "height"], "padded"),
        op("Sub", ["padded", "rows"], "extra"),
        op("Concat", ["zeros6", "extra", "zero"], "pads", axis=0),
        op("Pad", [q, "pads"], "filled"),
        op("Slice", ["shape", "zero", "axis"], "leading"),
        op("Gather", ["shape", "three"], "width"),
        op("Concat", ["leading", "count", "height", "width"], "split", axis=0),
        op("Reshape", ["filled", "split"], "blocks"),
        op("Transpose", ["blocks"], "queue", perm=[2, 0, 1, 3, 4]),
        op("Transpose", [k], "keys", perm=[0, 1, 3, 2]),
        helper.make_node(
            "Scan", [p + "queue"], [p + "stack"], num_scan_inputs=1, body=body(p, v)
        ),
        op("Transpose", ["stack"], "joined", perm=[1, 2, 0, 3, 4]),
        op("Concat", ["leading", "padded", "width"], "flat", axis=0),
        op("Reshape", ["joined", "flat"], "whole"),
    ]
    cut = [p + name for name in ("whole", "zero", "rows", "axis")]
    return [*nodes, helper.make_node("Slice", cut, [node.output[0]])]


CONSTANTS = {
    "zero": [0],
    "zeros6": [0] * 6,
    "one": [1],
    "axis": [2],
    "three": [3],
    "most": [ROWS - 1],
    "size": [ROWS],
}


def body(p: str, v: str) -> onnx.GraphProto:
    """One block of queries; keys and values come from outside."""
    block, out = p + "block", p + "out"
    nodes = [
        helper.make_node("MatMul", [block, p + "keys"], [p + "scores"]),
        helper.make_node("Softmax", [p + "scores"], [p + "weights"], axis=-1),
        helper.make_node("MatMul", [p + "weights", v], [out]),
    ]
    shape = ["b", "heads", "height", "width"]
    return helper.make_graph(
        nodes,
        p + "body",
        [helper.make_tensor_value_info(block, TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(out, TensorProto.FLOAT, shape)],
    )
