"""From a network to the two graphs of a bundle, and what traced networks are written with."""

from pathlib import Path

import torch
from torch import Tensor, nn

from scripts.export.bundle.graphs import Axes, Part, trace

TABLES, ROWS, TESTS, FEATURES = "tables", "rows", "queries", "features"
CONTEXT = {  # what `fit` returns, with its dynamic axes; a network may have others
    "columns": {0: TABLES, 2: "padded"},
    "target": {0: TABLES},
    "cache": {1: TABLES, 2: "tokens", 3: "labelled"},
}


def trace_network(net: nn.Module, folder: Path, tables: int, output: str = "logits") -> None:
    """Write both graphs; the traced tables have an odd number of columns.

    tables: how many are traced together, 1 for networks that take one at a time. output: the name
    of what query rows get.
    """
    x, y, queries = torch.randn(tables, 15, 5), torch.randn(tables, 15), torch.randn(tables, 4, 5)
    if net.classes:
        y = (y > 0).float()
    x[0, 3, 1] = torch.nan
    with torch.no_grad():
        context = net.fit(x, y)
    shared = net.axes() if hasattr(net, "axes") else CONTEXT
    rows = {0: TABLES, 1: ROWS}
    first = {"X_train": rows | {2: FEATURES}, "y_train": rows}
    second = {"X_test": {0: TABLES, 1: TESTS, 2: FEATURES}} | shared
    said = {output: {0: TABLES, 1: TESTS}}
    if tables == 1:
        first, second, shared, said = map(single, (first, second, shared, said))
    trace(Part(net, net.fit), (x, y), folder / "context.onnx", first, shared)
    trace(Part(net, net.predict), (queries, *context), folder / "query.onnx", second, said)


def single(axes: Axes) -> Axes:
    """The axes without that of the tables."""
    return {
        name: {axis: length for axis, length in of.items() if length != TABLES}
        for name, of in axes.items()
    }


def finite(x: Tensor) -> Tensor:
    return x.abs() < torch.inf


def total(x: Tensor) -> Tensor:
    """Sums over the rows, rounded once, as those of the packages nearly are."""
    return x.double().sum(1).float()


def padded(x: Tensor, group: int) -> Tensor:
    """Zero columns up to a multiple of the group's size."""
    columns = (x.shape[2] + group - 1) // group * group
    spare = torch.zeros_like(x[:, :, :1]).expand(-1, -1, group - 1)
    return torch.cat((x, spare), 2)[:, :, :columns]


def parameter(x: Tensor) -> nn.Parameter:
    return nn.Parameter(x.clone().contiguous(), requires_grad=False)
