"""How a classifier's probabilities and their intervals do where the truth is known.

    python -m scripts.evaluation.classes.simulated --checkpoint models/classifier

Ten families of functions outside the prior (`simulated.py`), cut into two or three
classes at random quantiles, so that the class probabilities are known exactly. Scores are the
share of true probabilities inside the 90 % interval, the share inside or within .01 of it (a
probability may be 1e-9, and the limit 1e-3), its width, its score (the width, and 20 times the
distance of a truth outside), the error of the predicted probability, and the log loss of the
truth: of the prediction, of the classes' shares in the context, and its least, the entropy of
the truth. With several scales or temperatures every pair has a line.
"""

from __future__ import annotations

import argparse
import os
from collections import defaultdict

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch
from scipy.special import ndtri

from scripts.evaluation.simulated import Simulated, all_simulated
from scripts.export.tabicl.graphs import torch_network
from scripts.export.tabicl.manifest import listed
from scripts.reference.classes import ClassPrediction, Rules, predict_classes
from scripts.reference.regression import Array, Ensemble, Network
from scripts.training.train.checkpoint import load_network

TAILS = (0.05, 0.95)
NEAR = 0.01
COLUMNS = ("coverage", "near", "width", "score", "error", "log loss", "shares", "truth")


def cut(task: Simulated, classes: int) -> tuple[Array, Array]:
    """Labels [N] of the context and true probabilities [M,K] of the queries."""
    rng = np.random.default_rng([task.seed, task.features, task.rows, classes])
    levels = np.sort(rng.uniform(0.15, 0.85, size=classes - 1))
    cuts = np.quantile(task.y_train, levels)
    below = [task.law.cdf((c - task.f) / task.s) for c in cuts]
    edges = np.stack([np.zeros(len(task.f)), *below, np.ones(len(task.f))], axis=1)
    return np.searchsorted(cuts, task.y_train), np.diff(edges, axis=1)


def cross(p: Array, q: Array) -> float:
    """Log loss of predictions q [M,K] expected under the truth p [M,K]."""
    return float(-(p * np.log(np.maximum(q, 1e-12))).sum(1).mean())


def limits(p: ClassPrediction, levels: list[float]) -> tuple[Array, Array]:
    """90 % intervals [M,K] that hold the predicted probability."""
    grid = ndtri(levels)
    low, high = (
        np.apply_along_axis(lambda row, z=ndtri(tau): np.interp(z, grid, row), -1, p.posterior)
        for tau in TAILS
    )
    return np.minimum(low, p.probabilities), np.maximum(high, p.probabilities)


class Remembered:
    """A network that keeps its last answer: the next rules need not ask again."""

    def __init__(self, network: Network):
        self.network, self.answers = network, {}

    def __call__(self, *inputs: Array):
        key = tuple(hash(i.tobytes()) for i in inputs)
        if key not in self.answers:
            self.answers = {key: self.network(*inputs)}
        return self.answers[key]


def scored(p: ClassPrediction, y: Array, truth: Array, levels: list[float]) -> list[float]:
    """The scores of one table whose context has the labels y; see `COLUMNS`."""
    low, high = limits(p, levels)
    outside = np.maximum(low - truth, truth - high)
    inside, near = ((outside <= slack).mean() for slack in (1e-6, NEAR))
    width, penalty = (high - low).mean(), 2 / (1 - TAILS[1] + TAILS[0])
    score = width + penalty * np.maximum(outside, 0).mean()
    shares = np.bincount(y, minlength=truth.shape[1]) / len(y)
    losses = [cross(truth, q) for q in (p.probabilities, np.tile(shares, (len(truth), 1)), truth)]
    return [inside, near, width, score, np.abs(p.probabilities - truth).mean(), *losses]


def simulated_report(network: Network, every: list[Rules], seeds: int, few: bool) -> None:
    """A table for the first rules by part, and a line for each of the others."""
    found, asked = defaultdict(list), Remembered(network)
    for i, task in enumerate(all_simulated(seeds)):
        if few and task.rows > 200:
            continue
        y, truth = cut(task, 2 + i % 2)
        for rules in every:
            p = predict_classes(asked, rules, task.x_train, y, task.x_test)
            scores = scored(p, y, truth, rules.levels)
            names = [f"temperature {rules.temperature}, scale {rules.scale}"]
            if rules is every[0]:
                names += [task.family, f"{task.rows} rows", f"{task.features} features"]
            for name in names:
                found[name].append(scores)
    print(f"| part | tables | {' | '.join(COLUMNS)} |")
    print("|---|---" + "|---" * len(COLUMNS) + "|")
    for name, rows in found.items():
        line(f"{name} | {len(rows)}", np.mean(rows, axis=0))


def line(name: str, values) -> None:
    """One row of a table."""
    print(f"| {name} |", " | ".join(f"{v:.3f}" for v in values), "|", flush=True)


def main() -> None:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--checkpoint", required=True, help="classifier with a posterior")
    p.add_argument(
        "--scales", type=float, nargs="+", default=[1.0], help="as --surface-scale of the exporter"
    )
    p.add_argument("--temperatures", type=float, nargs="+", default=[1.0])
    p.add_argument("--members", type=int, default=3)
    p.add_argument("--trends", default="kernel,none,linear", help="as those of the exporter")
    p.add_argument("--seeds", type=int, default=1, help="tables of every kind")
    p.add_argument("--few", action="store_true", help="tables of at most 200 rows")
    o = p.parse_args()
    torch.set_num_threads(1)
    net, _ = load_network(o.checkpoint)
    levels = net.config["class_posterior"]["posterior_levels"]
    ensemble = Ensemble(o.members, shuffle="latin_diagonal", trends=listed(o.trends))
    every = [
        Rules(ensemble, temperature, levels, scale)
        for temperature in o.temperatures
        for scale in o.scales
    ]
    simulated_report(torch_network(net), every, o.seeds, o.few)


if __name__ == "__main__":
    main()
