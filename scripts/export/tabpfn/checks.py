"""Whether the graphs of a bundle compute what the package's own network computes."""

from collections.abc import Callable

import numpy as np

from scripts.export.bundle.graphs import Graphs
from scripts.export.bundle.tables import KINDS, check_table, largest

TOLERANCE = 2e-5  # of logits, relative to max(1, |logit|)
NOISE = 3.0  # times what the package differs from itself is allowed on top of that
# tables, labelled rows, query rows, features; the traced shape is none of them
CHECK_SHAPES = (
    (1, 20, 1, 1),
    (1, 60, 9, 2),
    (1, 33, 17, 7),
    (2, 25, 3, 5),
    (1, 250, 30, 20),
    (1, 2, 2, 3),
)
LONG_SHAPES = ((1, 2100, 3, 5), (1, 12, 2100, 2))  # more rows than the package reads at once
# In one pass the package of v2 to v2.6 looks at the query rows for columns that vary: a column
# that varies there alone gives other results than with the cached context.
ONE_PASS = ("plain", "constant", "outliers")
# x [B, N, C], y [B, N], queries [B, M, C], whether from a cached context -> logits [B, M, K]
Logits = Callable[[np.ndarray, np.ndarray, np.ndarray, bool], np.ndarray]


def check_graphs(
    logits: Logits, graphs: Graphs, tables: int, classes: int = 0, long: bool = False
) -> tuple[float, float]:
    """Largest difference of onnxruntime from the package, and of the package from itself.

    The package differs from itself between one pass and its cached context. Both are the same but
    for the order of sums in float32, whose rounding errors grow with the layers of a network and
    the size of its weights.

    tables: how many the graphs read together at most. long: with LONG_SHAPES too, for networks that
    the package reads piece by piece. They take half of the time, so the package reads them once.
    """
    worst = noise = 0.0
    rng = np.random.default_rng(7)
    for shape in CHECK_SHAPES + LONG_SHAPES * long:
        for kind in KINDS[:1] if shape in LONG_SHAPES else KINDS:
            x, y, queries = check_table(rng, (min(shape[0], tables), *shape[1:]), kind, classes)
            got = graphs(x, y, queries)[0]
            cached = logits(x, y, queries, True)
            worst = max(worst, largest(got, cached))
            if kind not in ONE_PASS or shape in LONG_SHAPES:
                continue
            whole = logits(x, y, queries, False)
            worst = max(worst, largest(got, whole))
            if kind == "plain":
                noise = max(noise, largest(whole, cached))
    return worst, noise
