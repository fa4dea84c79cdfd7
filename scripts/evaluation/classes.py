"""How a classifier's probabilities and their intervals do, where the truth is known and where not.

    python -m scripts.evaluation.classes --checkpoint scripts/pretrain/checkpoints/classes.pt

Simulated: ten families of functions outside the prior (`simulated.py`), cut into two or three
classes at random quantiles, so that the class probabilities are known exactly. Scores are the
share of true probabilities inside the 90 % interval, its width, the error of the predicted
probability, and the log loss of the truth: of the prediction, of the classes' shares in the
context, and its least, the entropy of the truth.

Public: log loss of tables that scikit-learn ships, 20 % and 80 % of the rows, beside logistic
regression, random forest and histogram boosting at library defaults, as they come and
calibrated by cross-validation (sigmoid, 5 folds where a class has so many rows).
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections import defaultdict

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch
from scipy.special import ndtri
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from scripts.evaluation.simulated import Simulated, all_simulated
from scripts.pretrain.checkpoint import load_network
from scripts.pretrain.class_reference import ClassPrediction, Rules, predict_classes
from scripts.pretrain.reference import Array, Ensemble
from scripts.tabicl.graphs import torch_network

TAILS = (0.05, 0.95)
FLOOR = 1e-6  # of probabilities in log losses of public tables
FEATURES = 50
ROWS = 2000


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


def simulated_scores(task: Simulated, classes: int, network, rules: Rules) -> list[float]:
    y, truth = cut(task, classes)
    p = predict_classes(network, rules, task.x_train, y, task.x_test)
    low, high = limits(p, rules.levels)
    inside = ((truth >= low - 1e-6) & (truth <= high + 1e-6)).mean()
    shares = np.bincount(y, minlength=classes) / len(y)
    losses = [cross(truth, q) for q in (p.probabilities, np.tile(shares, (len(truth), 1)), truth)]
    return [inside, (high - low).mean(), np.abs(p.probabilities - truth).mean(), *losses]


def simulated_report(network, rules: Rules, seeds: int, few: bool) -> None:
    found = defaultdict(list)
    for i, task in enumerate(all_simulated(seeds)):
        if few and task.rows > 200:
            continue
        scores = simulated_scores(task, 2 + i % 2, network, rules)
        for name in (task.family, f"{task.rows} rows", f"{task.features} features", "all"):
            found[name].append(scores)
    print("| part | tables | coverage | width | error | log loss | shares | truth |")
    print("|---|---|---|---|---|---|---|---|")
    for name, rows in found.items():
        line(f"{name} | {len(rows)}", np.mean(rows, axis=0))


RIVALS = {
    "logistic": lambda: make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    "forest": lambda: RandomForestClassifier(random_state=1),
    "boosting": lambda: HistGradientBoostingClassifier(random_state=1),
}
TABLES = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}
TABLES |= {"digits": load_digits}


def log_loss(y: Array, p: Array) -> float:
    q = np.clip(p, FLOOR, 1)
    q = q / q.sum(1, keepdims=True)
    return float(-np.log(q[np.arange(len(y)), y]).mean())


def rival_losses(x: Array, y: Array, x_test: Array, y_test: Array) -> dict[str, float]:
    """Log loss of every rival, as it comes and calibrated."""
    folds = min(5, int(np.bincount(y).min()))
    found = {}
    for name, make in RIVALS.items():
        found[name] = log_loss(y_test, make().fit(x, y).predict_proba(x_test))
        if folds > 1:
            model = CalibratedClassifierCV(make(), cv=folds).fit(x, y)
            found[f"{name}, calibrated"] = log_loss(y_test, model.predict_proba(x_test))
    return found


def line(name: str, values) -> None:
    """One row of a table."""
    print(f"| {name} |", " | ".join(f"{v:.3f}" for v in values), "|", flush=True)


def public_report(network, rules: Rules, seeds: int) -> None:
    rows = []
    for name, load in TABLES.items():
        x, y = load(return_X_y=True)
        if x.shape[1] > FEATURES:  # the network was trained with at most so many
            x = x[:, np.argsort(-x.var(0))[:FEATURES]]
        for share in (0.2, 0.8):
            parts = []
            for seed in range(seeds):
                order = np.random.default_rng(seed).permutation(len(y))[:ROWS]
                n = round(share * len(order))
                a, b = order[:n], order[n:]
                p = predict_classes(network, rules, x[a], y[a], x[b]).probabilities
                ours = {"network": log_loss(y[b], p)}
                parts.append(ours | rival_losses(x[a], y[a], x[b], y[b]))
            rows.append({k: np.mean([p[k] for p in parts]) for k in parts[0]})
            if len(rows) == 1:
                print("| table |", " | ".join(rows[0]), "|")
                print("|---" * (1 + len(rows[0])) + "|")
            line(f"{name}, {share:.0%}", rows[-1].values())
    line("mean", [np.mean([row[k] for row in rows]) for k in rows[0]])


def main() -> None:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--checkpoint", required=True, help="classifier with a posterior")
    p.add_argument("--scale", type=float, default=1.0, help="as --surface-scale of the exporter")
    p.add_argument("--temperature", type=float, default=1.0)
    p.add_argument("--members", type=int, default=4)
    p.add_argument("--seeds", type=int, default=1, help="of the simulated tables; 0: none")
    p.add_argument("--few", action="store_true", help="simulated tables of at most 200 rows")
    p.add_argument("--splits", type=int, default=2, help="of every public table; 0: none")
    o = p.parse_args()
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    net, _ = load_network(o.checkpoint)
    levels = net.config["class_posterior"]["posterior_levels"]
    rules = Rules(Ensemble(o.members), o.temperature, levels, o.scale)
    if o.seeds:
        simulated_report(torch_network(net), rules, o.seeds, o.few)
    if o.splits:
        public_report(torch_network(net), rules, o.splits)


if __name__ == "__main__":
    main()
