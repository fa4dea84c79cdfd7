"""From a network to the two graphs of a bundle."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

OPSET = 17
TABLES, ROWS, TESTS, FEATURES = "tables", "rows", "queries", "features"
CONTEXT = {  # what `fit` returns, with its dynamic axes; a network may have others
    "columns": {0: TABLES, 2: "padded"},
    "target": {0: TABLES},
    "cache": {1: TABLES, 2: "tokens", 3: "labelled"},
}


class ContextGraph(nn.Module):
    def __init__(self, net: nn.Module):
        super().__init__()
        self.net = net

    def forward(self, x: Tensor, y: Tensor):
        return self.net.fit(x, y)


class QueryGraph(nn.Module):
    def __init__(self, net: nn.Module):
        super().__init__()
        self.net = net

    def forward(self, x: Tensor, *context: Tensor):
        return self.net.predict(x, *context)


def trace(net: nn.Module, folder: Path, tables: int) -> None:
    """Write both graphs; the traced tables have an odd number of columns.

    tables: how many are traced together, 1 for networks that take one at a time.
    """
    x, y, queries = torch.randn(tables, 15, 5), torch.randn(tables, 15), torch.randn(tables, 4, 5)
    x[0, 3, 1] = torch.nan
    with torch.no_grad():
        context = net.fit(x, y)
    shared = net.axes() if hasattr(net, "axes") else copy.deepcopy(CONTEXT)
    first = {"X_train": {0: TABLES, 1: ROWS, 2: FEATURES}, "y_train": {0: TABLES, 1: ROWS}}
    second = {"X_test": {0: TABLES, 1: TESTS, 2: FEATURES}, "logits": {0: TABLES, 1: TESTS}}
    if tables == 1:
        for axes in (*shared.values(), *first.values(), *second.values()):
            for axis in [axis for axis, name in axes.items() if name == TABLES]:
                del axes[axis]
    common = {"opset_version": OPSET, "dynamo": False, "do_constant_folding": True}
    torch.onnx.export(
        ContextGraph(net),
        (x, y),
        folder / "context.onnx",
        input_names=["X_train", "y_train"],
        output_names=list(shared),
        dynamic_axes=first | shared,
        **common,
    )
    torch.onnx.export(
        QueryGraph(net),
        (queries, *context),
        folder / "query.onnx",
        input_names=["X_test", *shared],
        output_names=["logits"],
        dynamic_axes=second | shared,
        **common,
    )


def finish(path: Path, half: bool) -> None:
    """Fold constants, drop names and paths, and store weights as float16 if asked."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = str(path)
    onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
    model = onnx.load(path)
    used = {node.domain for node in model.graph.node}
    imports = [opset for opset in model.opset_import if opset.domain in used]
    del model.opset_import[:]
    model.opset_import.extend(imports)
    if half:
        half_weights(model)
    model.producer_name, model.producer_version = "pfnamp", ""
    model.graph.name, model.doc_string = path.stem, ""
    for i, node in enumerate(model.graph.node):
        node.name, node.doc_string = f"{node.op_type}_{i}", ""
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString(deterministic=True))


def half_weights(model: onnx.ModelProto) -> None:
    """Store initialisers that lose nothing by it as float16 followed by a Cast to float32."""
    casts = []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        half = values.astype(np.float16) if values.dtype == np.float32 else None
        if half is None or values.size < 64 or not np.array_equal(half.astype(np.float32), values):
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(half, name + ".half"))
        casts.append(helper.make_node("Cast", [name + ".half"], [name], to=TensorProto.FLOAT))
    nodes = casts + list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
