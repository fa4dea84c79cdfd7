"""The graphs of a classifier for more classes than it has outputs; see
scripts/reference/hierarchy.py.

`rows_context` makes keys and values of the columns, and rows, of one table and its labels by
digits; `rows_query` makes the rows of queries. `icl_context` makes keys and values of rows and
their labels, those of one node; `icl_query` makes the outputs of the rows of queries.
"""

from pathlib import Path

import numpy as np
import torch

from scripts.export.bundle.graphs import Part, finish, session, trace
from scripts.export.bundle.shapes import fix_shapes
from scripts.export.tabicl.attention import fused
from scripts.export.tabicl.graphs import difference
from scripts.reference.hierarchy import Hierarchy, Parts
from scripts.reference.regression import Network
from scripts.training.network.network import TabICL

NAMES = ("rows_context", "rows_query", "icl_context", "icl_query")
CHECKS = ((2, 60, 5, 9, 11), (1, 130, 2, 3, 26), (2, 230, 3, 2, 111))  # tables, ..., classes


def trace_many(net: TabICL, folder: Path) -> None:
    """Write float32 graphs of the parts of a network."""
    x, y, queries = torch.randn(1, 20, 5), torch.zeros(2, 20), torch.randn(1, 10, 5)
    with torch.no_grad():
        colkv, rows = net.context_digits(x, y)
        asked, iclkv = net.query_digits(queries, colkv), net.read_rows(rows, y[:1])
    table, tests = {1: "rows"}, {1: "queries"}
    columns = {f"colkv.{i}": {0: "digits", 1: "features"} for i in range(len(colkv))}
    memory = {f"iclkv.{i}": {2: "rows"} for i in range(len(iclkv))}

    def context(x, y):
        colkv, rows = net.context_digits(x, y)
        return (*colkv, rows)

    def query(x, *colkv):
        return net.query_digits(x, colkv)

    def answer(rows, *iclkv):
        return tuple(v for v in net.query_rows(rows, iclkv) if v is not None)

    def write(name, run, values, inputs, outputs):
        trace(Part(net, run), values, folder / f"{name}.onnx", inputs, outputs)

    wide = {1: "rows", 2: "features"}
    with fused(net, cached=False):
        inputs = {"X_train": wide, "y_train": {0: "digits", 1: "rows"}}
        write("rows_context", context, (x, y), inputs, columns | {"rows": table})
        inputs = {"rows": table, "y_train": table}
        write("icl_context", lambda *v: tuple(net.read_rows(*v)), (rows, y[:1]), inputs, memory)
    with fused(net, cached=True):
        inputs = {"X_test": {1: "queries", 2: "features"}} | columns
        write("rows_query", query, (queries, *colkv), inputs, {"rows": tests})
        outputs = {name: tests for name in net.outputs()}
        write("icl_query", answer, (asked, *iclkv), {"rows": tests} | memory, outputs)
    for name in NAMES:
        finish(folder / f"{name}.onnx", half=True, simplify=fix_shapes)


def onnx_parts(folder: Path) -> Parts:
    """The graphs of a folder."""
    graphs = {name: session(folder / f"{name}.onnx") for name in NAMES}

    def run(name: str, given: list) -> list:
        inputs = (value.name for value in graphs[name].get_inputs())
        return graphs[name].run(None, dict(zip(inputs, given)))

    def rows(x, y, queries):
        *colkv, made = run("rows_context", [x, y])
        return made, run("rows_query", [queries, *colkv])[0]

    def answers(rows, y, asked):
        return run("icl_query", [asked, *run("icl_context", [rows, y])])[0]

    return Parts(rows, answers)


def check_many(plain: Network, graphs: Hierarchy) -> float:
    """Largest difference of what both return for random tables of many classes."""
    worst, rng = 0.0, np.random.default_rng(8)
    for b, n, h, m, count in CHECKS:
        x, queries = (rng.standard_normal((b, k, h)).astype(np.float32) for k in (n, m))
        y = rng.permutation(np.arange(n) % count).astype(np.float32)
        worst = max(worst, difference(graphs(x, y, queries)[:1], plain(x, y, queries)[:1]))
    return worst
