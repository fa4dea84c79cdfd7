"""How far 8-bit products may take a network from its golden vectors.

`pfnamp --precision int8` rounds the constant matrices of the context graph, and of a large query
graph, while it loads the graphs (pfn/internal/quantized). This module rounds the same matrices, and
computes the products in float32 from the rounded numbers. So the exporter needs no processor with
8-bit instructions.
"""

import numpy as np
import onnx
from onnx import helper, numpy_helper

from scripts.export.bundle.graphs import Graphs, session
from scripts.export.bundle.shapes import prune
from scripts.export.bundle.tables import largest

LEAST = 32  # rows and columns of a matrix that is rounded
LEAST_BY_ROW = 128  # the same, in a query graph
LEAST_GRAPH = 16 << 20  # bytes of a query graph that is rounded
MARGIN = 2.0  # other processors round sums differently
WORST = 1.0  # beyond it answers in 8 bits are of no use, and the manifest may not say more


def constants(graph: onnx.GraphProto) -> dict[str, np.ndarray]:
    """The float matrices and vectors of a graph by name, also those stored as float16."""
    stored = {t.name: t for t in graph.initializer}
    names = {name: name for name, t in stored.items() if t.data_type == onnx.TensorProto.FLOAT}
    for node in graph.node:
        half = stored.get(node.input[0]) if node.op_type == "Cast" else None
        if half is not None and half.data_type == onnx.TensorProto.FLOAT16:
            names[node.output[0]] = half.name
    return {
        name: numpy_helper.to_array(stored[of]).astype(np.float32) for name, of in names.items()
    }


def rounds(node: onnx.NodeProto, known: dict[str, np.ndarray], least: int = LEAST) -> bool:
    """Whether pfnamp computes a node with 8-bit products."""
    if node.domain or node.op_type not in ("MatMul", "Gemm"):
        return False
    matrix = known.get(node.input[1])
    if matrix is None or matrix.ndim != 2 or min(matrix.shape) < least:
        return False
    settings = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    if settings.get("transA", 0) or settings.get("alpha", 1) != 1 or settings.get("beta", 1) != 1:
        return False
    bias = node.input[2] if len(node.input) > 2 else ""
    outputs = matrix.shape[0 if settings.get("transB", 0) else 1]
    return bool(np.isfinite(matrix).all()) and (
        not bias or (bias in known and known[bias].shape == (outputs,))
    )


def in_8_bits(matrix: np.ndarray, transposed: bool) -> np.ndarray:
    """A matrix of whole multiples of a scale per output, at most 127 of them."""
    scale = np.abs(matrix).max(axis=1 if transposed else 0, keepdims=True) / np.float32(127)
    scale[scale == 0] = 1
    return np.clip(np.rint(matrix / scale), -127, 127) * scale


def by_tensor(x: str) -> list[onnx.NodeProto]:
    """The nodes that round a tensor with one scale."""
    parts = [f"{x}/8bit/{part}" for part in ("values", "scale", "zero")]
    return [
        helper.make_node("DynamicQuantizeLinear", [x], parts),
        helper.make_node("DequantizeLinear", parts, [f"{x}/8bit"]),
    ]


def by_row(x: str) -> list[onnx.NodeProto]:
    """The nodes that round a tensor with a scale for every row."""
    size, most, step, scale, units, whole = (
        f"{x}/8bit/{part}" for part in ("size", "most", "step", "scale", "units", "whole")
    )
    return [
        helper.make_node("Abs", [x], [size]),
        helper.make_node("ReduceMax", [size], [most], axes=[-1], keepdims=1),
        helper.make_node("Mul", [most, "8bit/share"], [step]),
        helper.make_node("Max", [step, "8bit/least"], [scale]),
        helper.make_node("Div", [x, scale], [units]),
        helper.make_node("Round", [units], [whole]),
        helper.make_node("Mul", [whole, scale], [f"{x}/8bit"]),
    ]


def round_products(model: onnx.ModelProto, rows: bool = False) -> int:
    """Round the products that pfnamp computes with 8-bit integers; returns their number.

    With `rows`, every row of an input has a scale of its own, as in the query graph, and the last
    product is not rounded.
    """
    graph, known = model.graph, constants(model.graph)
    nodes, made, count = [], set(), 0
    if rows:
        for name, value in (("share", 1 / 127), ("least", 1e-30)):
            graph.initializer.append(numpy_helper.from_array(np.float32(value), f"8bit/{name}"))
    all_products = [node.output[0] for node in graph.node if node.op_type in ("MatMul", "Gemm")]
    plain = all_products[-1:] if rows else []
    for node in graph.node:
        if node.output[0] not in plain and rounds(node, known, LEAST_BY_ROW if rows else LEAST):
            count += 1
            x, w = node.input[:2]
            transposed = any(a.name == "transB" and a.i for a in node.attribute)
            matrix = f"{w}/8bit/transposed" if transposed else f"{w}/8bit"
            if x not in made:
                nodes.extend(by_row(x) if rows else by_tensor(x))
            if matrix not in made:
                values = in_8_bits(known[w], transposed)
                graph.initializer.append(numpy_helper.from_array(values, matrix))
            made |= {x, matrix}
            node.input[0], node.input[1] = f"{x}/8bit", matrix
        nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)
    prune(graph)  # a file of protobuf ends at 2 GiB, which both matrices of a product may exceed
    return count


class Rounding:
    """Graphs with rounded products, beside the graphs that golden vectors come from."""

    def __init__(self, graphs: Graphs):
        self.graphs, self.query, self.worst = graphs, graphs.query, 0.0
        context, query = graphs.folder / "context.onnx", graphs.folder / "query.onnx"
        model = onnx.load(context)
        self.products = round_products(model)
        if not self.products:
            return
        self.context = session(model.SerializeToString())
        if query.stat().st_size >= LEAST_GRAPH:
            model = onnx.load(query)
            round_products(model, rows=True)
            self.query = session(model.SerializeToString())
        graphs.watchers.append(self.compare)

    def compare(self, inputs: dict, queries: np.ndarray, out: list[np.ndarray]) -> None:
        """Note how far the outputs of a table are from those of the rounded graph."""
        got = self.graphs.ask(self.context, self.query, inputs, queries)
        self.worst = max(self.worst, *map(largest, got, out))

    def tolerances(self) -> dict:
        """The manifest's entry: nothing for a network without products, or of no use in 8 bits."""
        tolerance = float(f"{MARGIN * self.worst:.2g}")
        if self.products and not 0 < tolerance <= WORST:
            print(f"with --precision int8 its output differs by {self.worst:.2g}: use float32")
        if not self.products or not 0 < tolerance <= WORST:
            return {}
        print(f"largest difference with --precision int8: {self.worst:.2g}")
        return {"golden_tolerances": {"int8": tolerance}}
