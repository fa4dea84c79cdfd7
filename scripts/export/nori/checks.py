"""Check that the graphs of a bundle agree with the package's own network."""

from pathlib import Path

import numpy as np
import torch

from scripts.export.bundle.graphs import Graphs
from scripts.export.bundle.tables import KINDS, check_table, largest

TOLERANCE = 2e-5  # of quantiles, relative to max(1, |quantile|)
NOISE = 3.0  # on top of that, times the difference of the package from itself
# labelled rows, query rows, features; the traced shape is not among them
SHAPES = ((20, 1, 1), (60, 9, 2), (33, 17, 7), (250, 30, 20), (3, 2, 3), (700, 3, 41))
CLIP = 100  # the package clips standardised numbers to ± this
BORDER = 1e-6  # how close to a power of ten a standardised number may be


def quantiles(model, x: np.ndarray, y: np.ndarray, queries: np.ndarray, cached: bool) -> np.ndarray:
    """Quantiles of the package's network, in one pass or from a cached context."""
    x, y, queries = map(torch.from_numpy, (x, y, queries))
    with torch.no_grad():
        if cached:
            return model.apply_context_cache(queries, model.build_context_cache(x, y)).numpy()
        return model(torch.cat((x, queries), 1), y, x.shape[1], task_type="reg").numpy()


def border(model, x: np.ndarray, queries: np.ndarray) -> float:
    """How close a standardised number is to a power of ten.

    Near a power of ten a rounding error, for example from sums in another order, changes the
    exponent that the network reads, and so the whole cell. Clipped numbers and constant columns do
    not count: the first are always powers of ten, the second always 0.
    """
    rows = torch.from_numpy(np.concatenate((x, queries), 1))
    given, _ = model._build_x_preprocess_inputs(rows, x.shape[1])
    z = model.x_preprocess(given)["data"].double().abs()
    z = z[given["mask"].bool().logical_not() & (z[:, : x.shape[1]].amax(1, keepdim=True) > 0)]
    away = (z - 10 ** z.clamp(min=1e-30).log10().round()).abs()[z != CLIP]
    return float(away.min()) if len(away) else 1.0


def away_from_borders(model, rng: np.random.Generator, shape: tuple, kind: str) -> tuple:
    """Draw a table whose numbers all keep their exponents if their last digits change."""
    for _ in range(100):
        x, y, queries = check_table(rng, (1, *shape), kind)
        if border(model, x, queries) > BORDER:
            return x, y, queries
    raise RuntimeError(f"no table of the shape {shape} without numbers at powers of ten")


def compare(model, folder: Path) -> tuple[float, float]:
    """Largest difference between graphs and package, and of the package from itself.

    The package runs with a cached context, and with the context rows in another order. Only the
    order of sums in float32 differs, but numbers near 0 then have other leading digits.
    """
    graphs, rng = Graphs(folder), np.random.default_rng(7)
    worst = own = 0.0
    for shape in SHAPES:
        for kind in KINDS:
            x, y, queries = away_from_borders(model, rng, shape, kind)
            got = graphs(x, y, queries)[0]
            once, cached = (quantiles(model, x, y, queries, c) for c in (False, True))
            turned = quantiles(model, x[:, ::-1].copy(), y[:, ::-1].copy(), queries, False)
            worst = max(worst, largest(got, once), largest(got, cached))
            own = max(own, largest(once, cached), largest(once, turned))
    return worst, own
