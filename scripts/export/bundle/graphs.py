"""The two graphs of a bundle: traced from torch, tidied, and run in onnxruntime."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from scripts.export.bundle.tables import largest

OPSET = 17
GRAPH_TOLERANCE = 1e-4  # of golden members, relative to max(1, |value|)
Axes = dict[str, dict[int, str]]  # names of the dynamic axes of every input or output


class Part(nn.Module):
    """A network as one of its graphs computes it."""

    def __init__(self, net: nn.Module, run: Callable):
        super().__init__()
        self.net, self.run = net, run

    def forward(self, *inputs: Tensor):
        return self.run(*inputs)


def trace(part: Part, values: tuple, path: Path, inputs: Axes, outputs: Axes) -> None:
    """Write a graph; `values` are those of its inputs."""
    torch.onnx.export(
        part,
        values,
        path,
        input_names=list(inputs),
        output_names=list(outputs),
        dynamic_axes=inputs | outputs,
        opset_version=OPSET,
        dynamo=False,
        do_constant_folding=True,
    )


def finish(
    path: Path, half: bool, simplify: Callable[[onnx.ModelProto], None] | None = None
) -> None:
    """Fold constants, drop names and paths, and store weights as float16 if asked."""
    model = fold(path)
    if simplify:
        simplify(model)
    if half:
        half_weights(model)
    tidy(model, path.stem)
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString(deterministic=True))


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


def tidy(model: onnx.ModelProto, name: str) -> None:
    """Stable descriptions without paths or module names."""
    model.producer_name, model.producer_version = "pfnamp", ""
    model.graph.name, model.doc_string = name, ""
    for i, node in enumerate(model.graph.node):
        node.name, node.doc_string = f"{node.op_type}_{i}", ""


def session(graph: Path | bytes) -> onnxruntime.InferenceSession:
    """A graph to be run on the CPU."""
    return onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])


class Graphs:
    """Both graphs of a bundle. Watchers get the inputs and the outputs of every run."""

    def __init__(self, folder: Path):
        self.folder, self.watchers = folder, []
        self.context = session(folder / "context.onnx")
        self.query = session(folder / "query.onnx")

    def ask(
        self,
        context: onnxruntime.InferenceSession,
        query: onnxruntime.InferenceSession,
        inputs: dict,
        queries: np.ndarray,
    ) -> list[np.ndarray]:
        """The outputs of queries [B, M, H] from two graphs, of this bundle or like them."""
        made = context.run(None, inputs)
        passed = dict(zip((output.name for output in context.get_outputs()), made))
        return query.run(None, {"X_test": queries} | passed)

    def __call__(self, x: np.ndarray, y: np.ndarray, queries: np.ndarray) -> list[np.ndarray]:
        """The outputs for x [B, N, H], y [B, N] or [N], queries [B, M, H]."""
        y = np.ascontiguousarray(np.broadcast_to(y, x.shape[:2]))
        inputs = {"X_train": x, "y_train": y}
        out = self.ask(self.context, self.query, inputs, queries)
        for watch in self.watchers:
            watch(inputs, queries, out)
        return out


def check_member(case: str, graphs: Graphs, *table: np.ndarray) -> None:
    """Refuse graphs that differ from a package: x [N, H], y [N], queries [M, H], its output."""
    *given, want = table
    inputs = [np.asarray(part, dtype=np.float32)[None] for part in given]
    gap = largest(graphs(*inputs)[0][0][:, : want.shape[1]], want)
    if not gap <= GRAPH_TOLERANCE:
        raise SystemExit(f"golden case {case!r}: the graphs differ from the package by {gap:.2g}")
