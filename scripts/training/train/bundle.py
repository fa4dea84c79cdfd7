"""Read the weights of a bundle of this project's architecture back into the network.

The graphs hold every weight under its name, but for three kinds. Projections of queries, keys
and values are rows of one matrix, found by the norm that feeds them. The projections of labels
are transposed. What the inducing points ask is a constant that the export has worked out, so
that the matrix and the gate behind it are gone: `asked` finds a matrix that asks the same, with
a gate that does nothing. The network computes what the bundle does, and can be trained on.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from scripts.training.network.network import TabICL

HALF = ".half"  # ends the name of an initialiser that is stored as float16
FREQS = r"/Constant_\d+_output_0"
ASKED = r"/collect(?:_\d+)?/Reshape_2_output_0"
GATE = r"/collect/ssmax(?:_\d+)?/Add_output_0"
NORM = re.compile(r"net\.(.+)\.norm1\.weight")
PASSED = ("Reshape", "Slice", "Mul")  # nodes between a norm's weight and a projection


class Graph:
    """The constants of a graph by name, and the nodes that make or read a value."""

    def __init__(self, path: Path):
        graph = onnx.load(path).graph
        self.nodes = list(graph.node)
        self.makers = {name: node for node in self.nodes for name in node.output}
        self.values = {
            t.name.removesuffix(HALF): numpy_helper.to_array(t).astype(np.float32)
            for t in graph.initializer
            if t.data_type in (onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16)
        }

    def weight(self, name: str) -> np.ndarray | None:
        """The constant that an input of a node names."""
        return self.values.get(name.removesuffix(HALF))

    def matching(self, pattern: str) -> list[np.ndarray]:
        """The constants whose names match, in the order of their names."""
        return [self.values[k] for k in sorted(self.values) if re.fullmatch(pattern, k)]

    def norm_before(self, name: str) -> str | None:
        """The block whose first norm makes a value, if one does and little lies between."""
        while (node := self.makers.get(name)) is not None and node.op_type in PASSED:
            for other in node.input:
                if match := NORM.fullmatch(other):
                    return match[1]
            name = node.input[0]
        return None


def projections(graph: Graph) -> dict[str, Tensor]:
    """`PART.in_weight/FIRST` and `PART.in_bias/FIRST`, rows from FIRST on, of all blocks."""
    found = {}
    for node in graph.nodes:
        block = graph.norm_before(node.input[0]) if node.op_type == "Gemm" else None
        weight = None if block is None else graph.weight(node.input[1])
        if weight is None:
            continue
        rows, width = weight.shape
        first = width if rows == 2 * width else 0
        found[f"{block}.in_weight/{first}"] = torch.from_numpy(weight)
        found[f"{block}.in_bias/{first}"] = torch.from_numpy(graph.weight(node.input[2]))
    return found


def labels(graph: Graph) -> dict[str, Tensor]:
    """The weights of `y_cell` and `y_row`, which follow from the bias added next."""
    found = {}
    for node in graph.nodes:
        for bias in ("y_cell", "y_row"):
            if node.op_type == "Add" and f"net.{bias}.bias" in node.input:
                (other,) = (v for v in node.input if v != f"net.{bias}.bias")
                weight = graph.weight(graph.makers[other].input[1])
                found[f"{bias}.weight"] = torch.from_numpy(weight.T.copy())
    return found


def asked(net: TabICL, graph: Graph) -> dict[str, Tensor]:
    """Query rows of the inducing points' projections, and gates that let them pass."""
    found = {}
    for i, isab in enumerate(net.columns):
        query, gate = (graph.matching(pattern)[i].astype(np.float64) for pattern in (ASKED, GATE))
        with torch.no_grad():
            points = isab.collect.norm1(isab.inducing)[0].double().numpy()
        wanted = (query * gate).reshape(points.shape)
        weight = np.linalg.lstsq(points, wanted, rcond=None)[0].T
        part = f"columns.{i}.collect"
        found[f"{part}.in_weight/0"] = torch.from_numpy(weight).float()
        found[f"{part}.in_bias/0"] = torch.zeros(len(weight))
        for name, value in isab.collect.ssmax.gate.state_dict().items():  # as it begins
            found[f"{part}.ssmax.gate.{name}"] = value
    return found


def configuration(manifest: dict, weights: dict[str, Tensor], context: Graph) -> dict:
    """The network's configuration, from what the manifest says and the shapes of weights."""
    shapes = {name: value.shape for name, value in weights.items()}
    width, tokens = shapes["cell.weight"][0], shapes["cls"][2]
    (freqs,) = (v for v in context.matching(FREQS) if v.ndim == 1 and v[0] == 1)

    def blocks(kind: str) -> int:
        return 1 + max(int(name.split(".")[1]) for name in shapes if name.startswith(f"{kind}."))

    found = {
        "embed_dim": width,
        "num_cls": tokens,
        "inducing": shapes["columns.0.inducing"][1],
        "col_blocks": blocks("columns"),
        "row_blocks": blocks("rows"),
        "icl_blocks": blocks("icl"),
        "col_heads": context.matching(ASKED)[0].shape[2],
        "row_heads": width // (2 * len(freqs)),
        "icl_heads": width * tokens // shapes["icl.0.ssmax.gate.first.weight"][1],
        "ff_factor": shapes["rows.0.mlp.first.weight"][0] // width,
        "rope_base": float(f"{float(freqs[1]) ** -len(freqs):.4g}"),
        "norm_bias": "row_norm.bias" in shapes,
    }
    for name in ("surface", "class_posterior"):
        if name in manifest:
            kept = {k: v for k, v in manifest[name].items() if k != "scale"}
            found[name] = kept | {"rank": shapes[f"{name}.basis"][0]}
    head = "classes" if manifest["task"] == "classification" else "quantiles"
    return found | {head: manifest["head"]["levels"]}


def load_bundle(folder: str | Path) -> TabICL:
    """The network of a bundle, in float32."""
    folder = Path(folder)
    context, query = (Graph(folder / f"{what}.onnx") for what in ("context", "query"))
    named = query.values | context.values
    weights = {k[4:]: torch.from_numpy(v) for k, v in named.items() if k.startswith("net.")}
    weights |= labels(context) | projections(query) | projections(context)
    manifest = json.loads((folder / "manifest.json").read_text())
    net = TabICL(configuration(manifest, weights, context))
    for i, isab in enumerate(net.columns):
        part = f"columns.{i}"
        isab.inducing.data = weights[f"{part}.inducing"]
        isab.collect.norm1.weight.data = weights[f"{part}.collect.norm1.weight"]
    weights |= asked(net, context)
    for name, fresh in net.state_dict().items():
        if name not in weights:
            firsts = (0, len(fresh) // 3)
            parts = [weights.pop(f"{name}/{f}") for f in firsts if f"{name}/{f}" in weights]
            weights[name] = torch.cat(parts)
    net.load_state_dict({name: weights[name] for name in net.state_dict()})
    return net.eval()
