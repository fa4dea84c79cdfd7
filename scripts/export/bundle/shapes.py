"""Targets of Reshape nodes, computed once or not at all.

A traced network asks for the shape of a tensor, takes its parts and joins them
before nearly every Reshape; in small runs a third of the time goes there. A target
of which all but one size is a constant or a size of the node's own input is
written down (ONNX: -1 and 0); others that are always equal are computed once.
What is always so is found by running the graph on tables of several sizes; the
exporter then compares the graphs with torch on further sizes.
"""

from __future__ import annotations

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

# Sizes of the inputs' dimensions, in order of appearance, chosen to differ everywhere.
PROBES = ((2, 7, 3, 5), (1, 11, 5, 13), (3, 17, 6, 9), (1, 610, 2, 523), (5, 29, 19, 23))

Seen = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]  # input's shape and target, by probe


def fix_shapes(model: onnx.ModelProto) -> None:
    """Simplify the targets of all Reshape nodes outside of loops."""
    known = {tensor.name for tensor in model.graph.initializer}
    nodes = [n for n in model.graph.node if n.op_type == "Reshape" and n.input[1] not in known]
    equal: dict[tuple, str] = {}
    for number, (node, seen) in enumerate(zip(nodes, observe(model, nodes))):
        target = pattern(seen)
        if target is None:
            targets = tuple(found for _, found in seen)
            node.input[1] = equal.setdefault(targets, node.input[1])
            continue
        name = f"target{number}"
        values = np.array(target, dtype=np.int64)
        model.graph.initializer.append(numpy_helper.from_array(values, name))
        node.input[1] = name
    prune(model.graph)


def observe(model: onnx.ModelProto, nodes: list[onnx.NodeProto]) -> list[Seen]:
    """What every node gets in every probe."""
    probe = onnx.ModelProto()
    probe.CopyFrom(model)
    given = {value.name for value in (*model.graph.input, *model.graph.output)}
    for name in dict.fromkeys(name for node in nodes for name in node.input):
        if name not in given:
            probe.graph.output.append(helper.make_empty_tensor_value_info(name))
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(
        probe.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    names = [output.name for output in session.get_outputs()]
    runs = []
    for sizes in PROBES:
        inputs = tables(session, sizes)
        values = dict(zip(names, session.run(None, inputs))) | inputs
        runs.append([(values[n.input[0]].shape, tuple(values[n.input[1]])) for n in nodes])
    return list(zip(*runs))


def tables(session: onnxruntime.InferenceSession, sizes: tuple[int, ...]) -> dict:
    """Random inputs whose named dimensions have the sizes."""
    names = [d for value in session.get_inputs() for d in value.shape if isinstance(d, str)]
    size = dict(zip(dict.fromkeys(names), sizes))
    rng = np.random.default_rng(0)
    return {
        value.name: rng.standard_normal([size.get(d, d) for d in value.shape]).astype(np.float32)
        for value in session.get_inputs()
    }


def pattern(seen: Seen) -> list[int] | None:
    """The target as constants, 0 for the input's size at that place, and at most one -1."""
    target = []
    for place, sizes in enumerate(zip(*(found for _, found in seen))):
        own = [shape[place] if place < len(shape) else None for shape, _ in seen]
        if len(set(sizes)) == 1:
            target.append(int(sizes[0]))
        else:
            target.append(0 if list(sizes) == own else -1)
    return target if target.count(-1) <= 1 else None


def prune(graph: onnx.GraphProto) -> None:
    """Remove nodes and initialisers that nothing uses."""
    used = {value.name for value in graph.output}
    kept = []
    for node in reversed(graph.node):
        if used.isdisjoint(node.output):
            continue
        kept.append(node)
        used.update(node.input)
        for attribute in node.attribute:
            for inner in attribute.g.node:
                used.update(inner.input)
    tensors = [tensor for tensor in graph.initializer if tensor.name in used]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(reversed(kept))
    graph.initializer.extend(tensors)
