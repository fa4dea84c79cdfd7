"""The ONNX graphs of a network of the TabICLv2 architecture, compared with torch."""

from pathlib import Path

import numpy as np
import torch

from scripts.export.bundle.graphs import Graphs, Part, finish, trace
from scripts.export.bundle.shapes import fix_shapes
from scripts.export.bundle.tables import largest
from scripts.export.tabicl.attention import fused
from scripts.reference.regression import Network
from scripts.training.network.network import TabICL

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


def trace_network(net: TabICL, folder: Path) -> None:
    """Write float32 graphs of the network.

    Every key and value is an input of the second graph: as a single tensor they would be
    copied part by part in every run, a third of the time of a single query row.
    """

    def context(x, y):
        colkv, iclkv = net.context(x, y)
        return (*colkv, *iclkv)

    def query(x, *cache):
        columns = 2 * len(net.columns)
        out = net.query(x, cache[:columns], cache[columns:])
        return tuple(v for v in out if v is not None)

    x, y, queries = torch.randn(2, 20, 5), torch.randn(2, 20), torch.randn(2, 10, 5)
    with torch.no_grad():
        made = context(x, y)
    rows, table, features, tests = "rows", "tables", "features", "queries"
    first = {"X_train": {0: table, 1: rows, 2: features}, "y_train": {0: table, 1: rows}}
    cache = {f"colkv.{i}": {0: table, 1: features} for i in range(2 * len(net.columns))}
    cache |= {f"iclkv.{i}": {0: table, 2: rows} for i in range(2 * len(net.icl))}
    second = {"X_test": {0: table, 1: tests, 2: features}} | cache
    outputs = {name: {0: table, 1: tests} for name in net.outputs()}
    with fused(net, cached=False):
        trace(Part(net, context), (x, y), folder / "context.onnx", first, cache)
    with fused(net, cached=True):
        trace(Part(net, query), (queries, *made), folder / "query.onnx", second, outputs)


def finish_graphs(folder: Path) -> None:
    """What `finish` does, with simpler shapes."""
    for what in ("context", "query"):
        finish(folder / f"{what}.onnx", half=True, simplify=fix_shapes)


class OnnxNetwork(Graphs):
    """The two graphs behind the interface of `reference.predict`."""

    def __call__(self, x_train, y, x_test):
        out = super().__call__(x_train, y, x_test)
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
    """Largest difference over the outputs, relative where they exceed 1 in size."""
    pairs = [(g, w) for g, w in zip(got, want) if w is not None]
    return max(largest(g, w) for g, w in pairs)


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
