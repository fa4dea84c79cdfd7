"""Score a model bundle, one row per task.

    python -m scripts.evaluation.evaluate --bundle models/default --data DATA --scores scores.csv

The bundle's graphs run in onnxruntime; what surrounds them is
`scripts/reference/regression.py`, which the Go program agrees with (golden
vectors). Rows that the file of scores has already are kept, so an interrupted
run goes on; `--again pfnamp` drops those of the bundle first. The file has the rows of baselines
too, made by this script of commit 0144518d.

Scores are CRPS and pinball losses divided by the standard deviation of the
target, R² of the mean, the share of targets inside the central 90 % interval and
the PIT histogram. CRPS is twice the mean pinball loss over an even grid of 199
levels (Gneiting & Raftery 2007).
"""

import argparse
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from scripts.evaluation.kept import Scores, options
from scripts.evaluation.tasks import (
    Array,
    Task,
    file_tasks,
    friedman_tasks,
    prior_task,
    shipped_tasks,
)
from scripts.export.tabicl.graphs import OnnxNetwork
from scripts.reference.regression import Ensemble, predict

NETWORK = "pfnamp"
PIT_BINS = 10
LEVELS = (np.arange(199) + 0.5) / 199
SPLITS, FEW_SPLITS, PRIOR_TABLES = 10, 3, 20
FIELDS = (
    ["suite", "task", "seed", "model", "crps", "pinball05", "pinball50", "pinball95"]
    + ["r2", "cover90", "seconds"]
    + [f"pit{i}" for i in range(PIT_BINS)]
)


def network_model(folder: Path) -> Callable[[Task], Array]:
    """The bundle with its own ensemble."""
    network = OnnxNetwork(folder)
    ensemble = Ensemble.of(json.loads((folder / "manifest.json").read_text())["ensemble"])

    def quantiles(task: Task) -> Array:
        parts = (task.x_train, task.y_train, task.x_test, task.categorical)
        return predict(network, ensemble, *parts).quantiles(LEVELS)

    return quantiles


def pinball(q: Array, y: Array, levels: Array) -> Array:
    """[levels] mean pinball losses of quantiles [M, levels]."""
    e = y[:, None] - q
    return np.maximum(levels * e, (levels - 1) * e).mean(0)


def pit(q: Array, y: Array) -> Array:
    """Probability integral transform of targets, ties spread evenly."""
    below, upto = (q < y[:, None]).mean(1), (q <= y[:, None]).mean(1)
    width = np.maximum(upto - below, 1 / q.shape[1])
    return below + np.random.default_rng(0).random(len(y)) * width


def scores(q: Array, task: Task) -> dict:
    y, scale = task.y_test, task.scale
    losses = pinball(q, y, LEVELS) / scale
    low, median, high = (int(np.argmin(np.abs(LEVELS - a))) for a in (0.05, 0.5, 0.95))
    out = {"crps": 2 * losses.mean(), "pinball05": losses[low], "pinball50": losses[median]}
    out["pinball95"] = losses[high]
    out["r2"] = 1 - ((y - q.mean(1)) ** 2).mean() / (y.var() + 1e-12)
    out["cover90"] = ((y >= q[:, low]) & (y <= q[:, high])).mean()
    counts = np.histogram(pit(q, y).clip(0, 1), bins=PIT_BINS, range=(0, 1))[0] / len(y)
    return out | {f"pit{i}": share for i, share in enumerate(counts)}


def all_tasks(o: argparse.Namespace) -> Iterator[Task]:
    if o.data:
        yield from file_tasks(Path(o.data), 0.2, SPLITS)
    yield from friedman_tasks(SPLITS)
    yield from map(prior_task, range(PRIOR_TABLES))
    yield from shipped_tasks(FEW_SPLITS)
    if o.data:
        yield from file_tasks(Path(o.data), 0.8, FEW_SPLITS)


def run(o: argparse.Namespace) -> None:
    file = Scores(o.scores, FIELDS, ("suite", "task", "seed", "model"), o.again)
    model = network_model(Path(o.bundle))
    for task in all_tasks(o):
        row = {"suite": task.suite, "task": task.name, "seed": task.seed, "model": NETWORK}
        file.add(row, lambda task=task: scores(model(task), task))


def parse_options() -> argparse.Namespace:
    p = options(__doc__)
    p.add_argument("--bundle", required=True, help="folder of the model bundle")
    p.add_argument("--data", help="folder of CSV files whose last column is the target")
    return p.parse_args()


if __name__ == "__main__":
    run(parse_options())
