"""One graph from labelled rows and query rows to predictions, for other programs.

The program reads the context once and keeps it, so it needs the two graphs of a
bundle alone. `joint.onnx` is both in one, with the weights that they share stored
once; it reads the context anew in every run.
"""

from pathlib import Path

import numpy as np
import onnx
from onnx import compose

from scripts.export.bundle.graphs import Graphs, session
from scripts.export.bundle.tables import largest

CHECKS = ((1, 30, 5, 9), (2, 12, 1, 1), (1, 300, 14, 33))  # tables, rows, features, queries


def write_joint(folder: Path) -> None:
    """Join context.onnx and query.onnx of a folder; ValueError if the result differs."""
    context, query = (onnx.load(folder / f"{what}.onnx") for what in ("context", "query"))
    passed = [value.name for value in context.graph.output]
    context, query = (
        compose.add_prefix(model, prefix, rename_inputs=False, rename_outputs=False)
        for model, prefix in ((context, "context."), (query, "query."))
    )
    model = compose.merge_models(
        context, query, io_map=[(name, name) for name in passed], producer_name="pfnamp"
    )
    share_weights(model.graph)
    model.graph.name, model.doc_string = "joint", ""
    del model.graph.value_info[:]  # names of sizes that both graphs use for different ones
    for value in (*model.graph.input, *model.graph.output):
        value.doc_string = ""
    onnx.checker.check_model(model)
    path = folder / "joint.onnx"
    path.write_bytes(model.SerializeToString(deterministic=True))
    worst = check(folder, path)
    print(f"largest difference between the joint graph and the two: {worst:.2g}")
    if not worst <= 1e-5:
        path.unlink()
        raise ValueError(f"the joint graph differs by {worst:.2g} from the two that it joins")


def share_weights(graph: onnx.GraphProto) -> None:
    """Keep one of equal initialisers."""
    kept: dict[bytes, str] = {}
    names: dict[str, str] = {}
    for tensor in list(graph.initializer):
        key = onnx.TensorProto()
        key.CopyFrom(tensor)
        key.name = ""
        first = kept.setdefault(key.SerializeToString(deterministic=True), tensor.name)
        if first != tensor.name:
            names[tensor.name] = first
            graph.initializer.remove(tensor)
    rename(graph, names)


def rename(graph: onnx.GraphProto, names: dict[str, str]) -> None:
    """Give the inputs of nodes other names, in the bodies of loops too."""
    for node in graph.node:
        for i, name in enumerate(node.input):
            node.input[i] = names.get(name, name)
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                rename(attribute.g, names)


def check(folder: Path, path: Path) -> float:
    """Largest difference between the joint graph and the two graphs, relative to max(1, |x|)."""
    graphs, joint = Graphs(folder), session(path)
    rng, worst = np.random.default_rng(5), 0.0
    tables = graphs.context.get_inputs()[0].shape[0]  # a number if the graph takes so many alone
    for b, n, h, m in CHECKS:
        b = tables if isinstance(tables, int) else b
        x, queries = (rng.standard_normal((b, k, h)).astype(np.float32) for k in (n, m))
        y = rng.standard_normal((b, n)).astype(np.float32)
        one = joint.run(None, {"X_train": x, "y_train": y, "X_test": queries})
        for got, want in zip(one, graphs(x, y, queries)):
            worst = max(worst, largest(got, want))
    return worst
