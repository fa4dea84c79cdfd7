"""A small bundle that classifies, for the tests: a kernel estimator in place of a network.

    python -m python.tests.kernel FOLDER

The probability of a class is the share of the training rows with it, each weighted by
exp(-distance^2 / 2h^2) of its standardised features (Nadaraya and Watson). It has no random
weights, so that what scikit-learn expects of a classifier can be tested.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ROOT = Path(__file__).resolve().parents[2]
LIKE = ROOT / "testdata" / "tabicl-classes"  # whose manifest it has, but for what is its own
CLASSES = 10
BANDWIDTH = 0.25


def floats(name: str, *shape: object) -> onnx.ValueInfoProto:
    """An input or output of a graph."""
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def graph(name: str, nodes: list, inputs: list, outputs: list, **constants: object) -> bytes:
    """An ONNX file with float32 or int64 constants."""
    values = [numpy_helper.from_array(np.asarray(v), k) for k, v in constants.items()]
    built = helper.make_graph(nodes, name, inputs, outputs, values)
    opset = helper.make_opsetid("", 17)
    model = helper.make_model(built, opset_imports=[opset], ir_version=8)
    onnx.checker.check_model(model, full_check=True)
    return model.SerializeToString()


def context() -> bytes:
    """X_train and y_train to the rows and their classes, one-hot."""
    nodes = [
        helper.make_node("Identity", ["X_train"], ["colkv.0"]),
        helper.make_node("Cast", ["y_train"], ["codes"], to=TensorProto.INT64),
        helper.make_node("OneHot", ["codes", "depth", "off_on"], ["iclkv.0"]),
    ]
    rows = ("tables", "rows")
    return graph(
        "context",
        nodes,
        [floats("X_train", *rows, "features"), floats("y_train", *rows)],
        [floats("colkv.0", *rows, "features"), floats("iclkv.0", *rows, CLASSES)],
        depth=np.int64(CLASSES),
        off_on=np.array([0, 1], np.float32),
    )


def query() -> bytes:
    """X_test, the rows and their classes to logits: the logarithms of the weighted shares."""
    node = helper.make_node
    nodes = [
        node("Transpose", ["colkv.0"], ["turned"], perm=[0, 2, 1]),
        node("MatMul", ["X_test", "turned"], ["product"]),
        node("Mul", ["colkv.0", "colkv.0"], ["squares"]),
        node("ReduceSum", ["squares", "last"], ["lengths"], keepdims=0),
        node("Unsqueeze", ["lengths", "middle"], ["length"]),
        node("Mul", ["length", "half"], ["halved"]),
        node("Sub", ["product", "halved"], ["near"]),  # -distance^2 / 2, but for the query's own
        node("Mul", ["near", "narrow"], ["scores"]),
        node("Softmax", ["scores"], ["weights"], axis=-1),
        node("MatMul", ["weights", "iclkv.0"], ["shares"]),
        node("Add", ["shares", "least"], ["positive"]),
        node("Log", ["positive"], ["logits"]),
    ]
    keys = ("tables", "rows", "features")
    return graph(
        "query",
        nodes,
        [
            floats("X_test", "tables", "queries", "features"),
            floats("colkv.0", *keys),
            floats("iclkv.0", "tables", "rows", CLASSES),
        ],
        [floats("logits", "tables", "queries", CLASSES)],
        last=np.array([2], np.int64),
        middle=np.array([1], np.int64),
        half=np.float32(0.5),
        narrow=np.float32(BANDWIDTH**-2),
        least=np.float32(1e-4),
    )


def write(folder: Path) -> None:
    """Write the bundle to a folder that does not exist."""
    shutil.copytree(LIKE, folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for name, data in (("context", context()), ("query", query())):
        (folder / f"{name}.onnx").write_bytes(data)
        manifest["graphs"][name]["sha256"] = hashlib.sha256(data).hexdigest()
    manifest |= {"name": "kernel-classes", "description": __doc__.splitlines()[0]}
    manifest["provenance"] |= {"weights": "none: python/tests/kernel.py", "parameters": 0}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
