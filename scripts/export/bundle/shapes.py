"""Shapes inside a graph: targets of Reshape nodes, and names of sizes.

A traced network asks for the shape of a tensor, takes its parts and joins them
before nearly every Reshape; in small runs a third of the time goes there. A target
of which all but one size is a constant or a size of the node's own input is
written down (ONNX: -1 and 0); others that are always equal are computed once.
What is always so is found by running the graph on tables of several sizes; the
exporter then compares the graphs with torch on further sizes.

Sizes that are equal in every probe get the same name, in the shapes of all values
between nodes. onnxruntime looks for a buffer that a value can reuse among all buffers
that are free; where it cannot tell that two sizes are equal it finds none, and their
number grows with the graph. That search took 0.4 of the time to load a graph.
"""

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

# Sizes of the inputs' dimensions, in order of appearance, chosen to differ everywhere.
PROBES = ((2, 7, 3, 5), (1, 11, 5, 13), (3, 17, 6, 9), (1, 610, 2, 523), (5, 29, 19, 23))

KINDS = {
    "tensor(float)": TensorProto.FLOAT,
    "tensor(int64)": TensorProto.INT64,
    "tensor(int32)": TensorProto.INT32,
    "tensor(bool)": TensorProto.BOOL,
}

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
    name_sizes(model)


def name_sizes(model: onnx.ModelProto) -> None:
    """Give all values between nodes outside of loops their shapes, with names for sizes."""
    given = {value.name for value in model.graph.output}
    made = [n for node in model.graph.node for n in node.output if n and n not in given]
    kinds = onnx.ModelProto()
    kinds.CopyFrom(model)
    del kinds.graph.value_info[:]
    probe = onnx.ModelProto()
    probe.CopyFrom(kinds)
    del probe.graph.output[:]
    for i, name in enumerate(made):
        kinds.graph.output.append(helper.make_empty_tensor_value_info(name))
        probe.graph.node.append(helper.make_node("Shape", [name], [f"shape{i}"]))
        probe.graph.output.append(helper.make_empty_tensor_value_info(f"shape{i}"))
    found = {output.name: output.type for output in plain(kinds).get_outputs()}
    session = plain(probe)
    names: dict[tuple[int, ...], str] = {}
    runs = []
    for sizes in PROBES:
        inputs = tables(session, sizes)
        runs.append([tuple(shape) for shape in session.run(None, inputs)])
    del model.graph.value_info[:]
    for name, shapes in zip(made, zip(*runs)):
        if len({len(shape) for shape in shapes}) > 1:
            continue
        dims = [
            int(seen[0]) if len(set(seen)) == 1 else names.setdefault(seen, f"size{len(names)}")
            for seen in zip(*(map(int, shape) for shape in shapes))
        ]
        value = helper.make_tensor_value_info(name, KINDS[found[name]], dims)
        model.graph.value_info.append(value)


def plain(model: onnx.ModelProto) -> onnxruntime.InferenceSession:
    """The graph as it is, without optimisation."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def observe(model: onnx.ModelProto, nodes: list[onnx.NodeProto]) -> list[Seen]:
    """What every node gets in every probe."""
    probe = onnx.ModelProto()
    probe.CopyFrom(model)
    given = {value.name for value in (*model.graph.input, *model.graph.output)}
    for name in dict.fromkeys(name for node in nodes for name in node.input):
        if name not in given:
            probe.graph.output.append(helper.make_empty_tensor_value_info(name))
    session = plain(probe)
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
