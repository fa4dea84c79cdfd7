"""The ONNX graphs of a network: traced, tidied, and compared with torch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from scripts.bundle.shapes import fix_shapes
from scripts.pretrain.network import TabICL
from scripts.pretrain.reference import Network
from scripts.tabicl.attention import fused

OPSET = 17
TOLERANCE = 2e-5
CHECK_SHAPES = (
    (2, 30, 5, 9),
    (1, 3, 1, 1),
    (3, 60, 2, 17),
    (1, 25, 13, 1),
    (2, 400, 7, 33),
    (1, 3, 2, 2),
    (1, 520, 3, 4),
)


class ContextGraph(nn.Module):
    def __init__(self, net: TabICL):
        super().__init__()
        self.net = net

    def forward(self, x, y):
        colkv, iclkv = self.net.context(x, y)
        return (*colkv, *iclkv)


class QueryGraph(nn.Module):
    """The second graph.

    Every key and value is an input: as a single tensor they would be copied part by
    part in every run, a third of the time of a single query row.
    """

    def __init__(self, net: TabICL):
        super().__init__()
        self.net = net

    def forward(self, x, *cache):
        columns = 2 * len(self.net.columns)
        out = self.net.query(x, cache[:columns], cache[columns:])
        return tuple(v for v in out if v is not None)


def trace(net: TabICL, folder: Path) -> None:
    """Write float32 graphs of the network."""
    x, y, queries = torch.randn(2, 20, 5), torch.randn(2, 20), torch.randn(2, 10, 5)
    with torch.no_grad():
        colkv, iclkv = net.context(x, y)
    rows, table, features, tests = "rows", "tables", "features", "queries"
    outputs = net.outputs()
    cache = {f"colkv.{i}": {0: table, 1: features} for i in range(len(colkv))}
    cache |= {f"iclkv.{i}": {0: table, 2: rows} for i in range(len(iclkv))}
    common = {"opset_version": OPSET, "dynamo": False, "do_constant_folding": True}
    with fused(net, cached=False):
        torch.onnx.export(
            ContextGraph(net),
            (x, y),
            folder / "context.onnx",
            input_names=["X_train", "y_train"],
            output_names=[*cache],
            dynamic_axes={"X_train": {0: table, 1: rows, 2: features}}
            | {"y_train": {0: table, 1: rows}}
            | cache,
            **common,
        )
    with fused(net, cached=True):
        torch.onnx.export(
            QueryGraph(net),
            (queries, *colkv, *iclkv),
            folder / "query.onnx",
            input_names=["X_test", *cache],
            output_names=outputs,
            dynamic_axes={"X_test": {0: table, 1: tests, 2: features}}
            | {name: {0: table, 1: tests} for name in outputs}
            | cache,
            **common,
        )


def half_weights(model: onnx.ModelProto) -> None:
    """Store initialisers that lose nothing by it as float16 followed by a Cast to float32."""
    graph, casts = model.graph, []
    for tensor in graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < 64:
            continue
        half = values.astype(np.float16)
        if not np.array_equal(half.astype(np.float32), values):
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(half, name + ".half"))
        casts.append(helper.make_node("Cast", [name + ".half"], [name], to=TensorProto.FLOAT))
    nodes = list(graph.node)
    del graph.node[:]
    graph.node.extend(casts + nodes)


def tidy(model: onnx.ModelProto, what: str) -> None:
    """Stable descriptions without paths or module names."""
    model.producer_name, model.producer_version = "pfnamp", ""
    model.graph.name, model.doc_string = what, ""
    for i, node in enumerate(model.graph.node):
        node.name, node.doc_string = f"{node.op_type}_{i}", ""


def fold(path: Path) -> onnx.ModelProto:
    """The graph after onnxruntime's basic, standard-operator optimisations.

    They are done once here instead of at every load, which takes 0.7 times as long.
    """
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = str(path)
    onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
    model = onnx.load(path)
    used = {node.domain for node in model.graph.node}
    imports = [opset for opset in model.opset_import if opset.domain in used]
    del model.opset_import[:]
    model.opset_import.extend(imports)
    return model


def finish_graphs(folder: Path) -> None:
    for what in ("context", "query"):
        path = folder / f"{what}.onnx"
        model = onnx.load(path)
        model = fold(path)
        fix_shapes(model)
        half_weights(model)
        tidy(model, what)
        onnx.checker.check_model(model)
        path.write_bytes(model.SerializeToString(deterministic=True))


class OnnxNetwork:
    """The two graphs behind the interface of `reference.predict`."""

    def __init__(self, folder: Path):
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        self.context, self.query = (
            onnxruntime.InferenceSession(
                str(folder / f"{what}.onnx"), options, providers=["CPUExecutionProvider"]
            )
            for what in ("context", "query")
        )

    def __call__(self, x_train, y, x_test):
        targets = np.ascontiguousarray(np.broadcast_to(y, x_train.shape[:2]))
        made = self.context.run(None, {"X_train": x_train, "y_train": targets})
        cache = dict(zip((output.name for output in self.context.get_outputs()), made))
        out = self.query.run(None, {"X_test": x_test} | cache)
        return out[0], (out[1] if len(out) > 1 else None)


def torch_network(net: TabICL) -> Network:
    """The torch network behind the interface of `reference.predict`."""

    def run(x_train, y, x_test):
        x = torch.from_numpy(np.concatenate((x_train, x_test), axis=1))
        with torch.no_grad():
            out = net(x, torch.from_numpy(y).expand(len(x), -1))
        return tuple(None if v is None else v.numpy() for v in out)

    return run


def difference(got: tuple, want: tuple) -> float:
    """Largest absolute difference over the outputs."""
    return max(float(np.abs(g - w).max()) for g, w in zip(got, want) if w is not None)


def check_graphs(plain: Network, folder: Path, classes: int = 0) -> float:
    """Largest |onnxruntime - torch| over shapes other than the traced one.

    The target of a network with `classes` is a class.
    """
    graphs, worst = OnnxNetwork(folder), 0.0
    rng = np.random.default_rng(7)
    for b, n, h, m in CHECK_SHAPES:
        x, queries = (rng.standard_normal((b, k, h)).astype(np.float32) for k in (n, m))
        y = rng.integers(classes, size=n) if classes else rng.standard_normal(n)
        y = y.astype(np.float32)
        worst = max(worst, difference(graphs(x, y, queries), plain(x, y, queries)))
    return worst


def require(worst: float, what: str) -> None:
    print(f"largest difference between onnxruntime and torch, {what}: {worst:.2g}")
    if not worst <= TOLERANCE:
        raise SystemExit(f"the graphs disagree with torch by {worst:.2g} > {TOLERANCE}")
