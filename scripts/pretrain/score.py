"""Score a checkpoint beside simple baselines by CRPS.

    python scripts/pretrain/score.py CHECKPOINT --csv data/*.csv --friedman 10 --prior 40

CRPS is twice the mean pinball loss over an even grid of levels, divided by the
standard deviation of the target (of the test rows of a prior table, of the whole
file otherwise). Baselines: the unconditional distribution of the training
targets, ridge regression with Gaussian residuals (penalty and residual spread by
leave-one-out), and the quantiles of a random forest's leaves.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "2")

import numpy as np
import torch
from scipy.special import ndtri
from sklearn.datasets import (
    load_breast_cancer,
    load_iris,
    load_wine,
    make_friedman1,
    make_friedman2,
    make_friedman3,
)
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import RidgeCV

from checkpoint import load_network
from prior import Draw, sample_tables, sample_width
from reference import Encoder, Ensemble, predict

LEVELS = (np.arange(199) + 0.5) / 199
RIDGE_PENALTIES = np.logspace(-3, 4, 29)


@dataclass
class Split:
    """One task: training and test rows, and the scale that scores are divided by."""

    name: str
    x_train: np.ndarray
    y_train: np.ndarray
    x_test: np.ndarray
    y_test: np.ndarray
    categorical: list[bool]
    scale: float


def crps(quantiles: np.ndarray, y: np.ndarray) -> float:
    """Mean CRPS of quantiles [M, levels] at the even grid LEVELS."""
    e = y[:, None] - quantiles
    return float(2 * np.maximum(LEVELS * e, (LEVELS - 1) * e).mean())


def coverage(quantiles: np.ndarray, y: np.ndarray) -> float:
    """Share of targets inside the central 90% interval."""
    low, high = (np.searchsorted(LEVELS, a) for a in (0.05, 0.95))
    return float(((y >= quantiles[:, low]) & (y <= quantiles[:, high])).mean())


# --- tasks --------------------------------------------------------------------


def read_csv(path: str) -> tuple[np.ndarray, np.ndarray, list[bool]]:
    """Features, target (last column) and which features are words."""
    with open(path, newline="") as f:
        rows = list(csv.reader(f))[1:]
    columns, words = [], []
    for values in zip(*rows):
        try:
            columns.append([float(v) if v else np.nan for v in values])
            words.append(False)
        except ValueError:
            codes = {v: i for i, v in enumerate(sorted(set(values)))}
            columns.append([float(codes[v]) for v in values])
            words.append(True)
    table = np.array(columns).T
    return table[:, :-1], table[:, -1], words[:-1]


def csv_splits(path: str, repeats: int, train_rows: list[int]) -> list[Split]:
    """Random 80/20 splits, and splits with few training rows."""
    x, y, words = read_csv(path)
    splits = []
    for seed in range(repeats):
        order = np.random.default_rng(seed).permutation(len(y))
        for rows in [0] + train_rows:
            n = rows or int(round(0.8 * len(y)))
            if n > 0.8 * len(y) + 1:
                continue
            a, b = order[:n], order[n:] if rows == 0 else order[n : n + 300]
            name = f"{Path(path).stem} {rows or '80%'}"
            splits.append(Split(name, x[a], y[a], x[b], y[b], words, float(y.std())))
    return splits


def friedman_splits(repeats: int, features: int, train_rows: int = 200) -> list[Split]:
    """Friedman #1: five relevant features, the others are noise."""
    splits, name = [], f"friedman1 {train_rows}, {features} features"
    for seed in range(repeats):
        x, y = make_friedman1(train_rows + 500, n_features=features, noise=1.0, random_state=seed)
        a, b = slice(0, train_rows), slice(train_rows, None)
        splits.append(Split(name, x[a], y[a], x[b], y[b], [False] * features, float(y.std())))
    return splits


def shipped_tasks() -> dict:
    """Regression tasks made of data that scikit-learn ships: predict one measurement."""
    iris, wine, cancer = (
        load(return_X_y=True)[0] for load in (load_iris, load_wine, load_breast_cancer)
    )
    columns = {
        "iris petal width": (iris, 3),
        "wine alcohol": (wine, 0),
        "wine proline": (wine, 12),
        "wine hue": (wine, 10),
        "cancer texture": (cancer[:, :10], 1),
        "cancer smoothness": (cancer[:, :10], 4),
        "cancer concavity": (cancer[:, :10], 6),
        "cancer fractal": (cancer[:, 10:20], 9),
    }
    tasks = {name: (np.delete(x, j, axis=1), x[:, j]) for name, (x, j) in columns.items()}
    tasks["friedman2"] = make_friedman2(900, noise=50.0, random_state=0)
    tasks["friedman3"] = make_friedman3(900, noise=0.1, random_state=0)
    return tasks


def shipped_splits(repeats: int) -> list[Split]:
    """80/20 splits of the shipped tasks, and splits with 60 training rows."""
    splits = []
    for name, (x, y) in shipped_tasks().items():
        for seed in range(repeats):
            order = np.random.default_rng(seed).permutation(len(y))
            for label, n in (("80%", int(0.8 * len(y))), ("60", 60)):
                a, b = order[:n], order[n : n + 300]
                no = [False] * x.shape[1]
                splits.append(Split(f"{name} {label}", x[a], y[a], x[b], y[b], no, float(y.std())))
    return splits


def prior_splits(count: int, train_rows: int) -> list[Split]:
    """Fresh tables of the prior, the same ones for every number of training rows."""
    splits = []
    for i in range(count):
        seed = 950_000_000 + 10 * i
        h = sample_width(Draw(seed))
        tables = sample_tables(seed + 1, 1, 2200, h)
        x, y = tables.x[0].double().numpy(), tables.y[0].double().numpy()
        a, b = slice(0, train_rows), slice(2000, None)
        splits.append(
            Split(
                f"prior {train_rows}", x[a], y[a], x[b], y[b], [False] * h, float(y[b].std()) + 1e-3
            )
        )
    return splits


# --- models: Split -> quantiles [M, levels] -----------------------------------


def network_model(net, ensemble: Ensemble):
    def run(x_train, y, x_test):
        x, t = torch.from_numpy(x_train), torch.from_numpy(y).expand(len(x_train), -1)
        with torch.no_grad():
            out = net.query(torch.from_numpy(x_test), *net.context(x, t))
        return tuple(None if v is None else v.numpy() for v in out)

    def quantiles(s: Split) -> np.ndarray:
        p = predict(run, ensemble, s.x_train, s.y_train, s.x_test, s.categorical)
        return p.quantiles(LEVELS)

    return quantiles


def unconditional(s: Split) -> np.ndarray:
    return np.tile(np.quantile(s.y_train, LEVELS), (len(s.y_test), 1))


def encoded(s: Split) -> tuple[np.ndarray, np.ndarray]:
    """Imputed and standardised features with categories as indicator columns."""
    encoder = Encoder().fit(s.x_train, s.categorical)
    train, test = encoder.transform(s.x_train), encoder.transform(s.x_test)
    words = sum(c and k for c, k in zip(sorted(s.categorical, reverse=True), encoder.keep))
    columns = [
        np.stack([part[:, j] == c for c in np.unique(train[:, j])], axis=1).astype(float)
        for part in (train, test)
        for j in range(words)
    ]
    train = np.hstack(columns[:words] + [train[:, words:]])
    test = np.hstack(columns[words:] + [test[:, words:]])
    mean, spread = train.mean(0), train.std(0) + 1e-9
    return (train - mean) / spread, (test - mean) / spread


def ridge(s: Split) -> np.ndarray:
    train, test = encoded(s)
    model = RidgeCV(RIDGE_PENALTIES, store_cv_results=True).fit(train, s.y_train)
    best = int(np.argmin(np.abs(RIDGE_PENALTIES - model.alpha_)))
    spread = np.sqrt(model.cv_results_[:, best].mean())
    return model.predict(test)[:, None] + spread * ndtri(LEVELS)


def forest(s: Split) -> np.ndarray:
    """Quantile regression forest: targets weighted by shared leaves."""
    train, test = encoded(s)
    model = RandomForestRegressor(200, min_samples_leaf=5, max_features=0.5, random_state=0)
    model.fit(train, s.y_train)
    here, there = model.apply(train), model.apply(test)
    order = np.argsort(s.y_train)
    out = np.empty((len(test), len(LEVELS)))
    for i, leaves in enumerate(there):
        same = here == leaves
        weights = (same / np.maximum(same.sum(0), 1)).mean(1)[order]
        index = np.searchsorted(np.cumsum(weights), LEVELS).clip(0, len(order) - 1)
        out[i] = s.y_train[order][index]
    return out


# --- table --------------------------------------------------------------------


def score(models: dict, splits: list[Split]) -> dict:
    """{task: {model: mean CRPS / scale}}, with coverage of the 90% intervals."""
    sums: dict = {}
    for s in splits:
        for name, model in models.items():
            start = time.perf_counter()
            q = model(s)
            cell = sums.setdefault(s.name, {}).setdefault(name, [])
            cell.append(
                (crps(q, s.y_test) / s.scale, coverage(q, s.y_test), time.perf_counter() - start)
            )
    return {
        task: {
            name: dict(zip(("crps", "cover90", "seconds"), np.mean(c, axis=0)))
            for name, c in row.items()
        }
        for task, row in sums.items()
    }


def markdown(scores: dict) -> str:
    names = list(next(iter(scores.values())))
    lines = ["| task | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for task, row in scores.items():
        cells = [f"{row[n]['crps']:.3f} ({100 * row[n]['cover90']:.0f}%)" for n in names]
        lines.append(f"| {task} | " + " | ".join(cells) + " |")
    means = [np.mean([row[n]["crps"] for row in scores.values()]) for n in names]
    lines.append("| mean | " + " | ".join(f"{m:.4f}" for m in means) + " |")
    return "\n".join(lines)


def gather(o: argparse.Namespace) -> list[Split]:
    splits = []
    for path in o.csv:
        splits += csv_splits(path, o.repeats, o.train_rows)
    for features in o.friedman:
        splits += friedman_splits(o.repeats, features)
    if o.shipped:
        splits += shipped_splits(o.repeats)
    for rows in o.prior_rows if o.prior else []:
        splits += prior_splits(o.prior, rows)
    return splits


def parse_options() -> argparse.Namespace:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("checkpoint")
    p.add_argument("--csv", nargs="*", default=[], help="files whose last column is the target")
    p.add_argument(
        "--train-rows", nargs="*", type=int, default=[], help="also split with so few rows"
    )
    p.add_argument(
        "--friedman",
        nargs="*",
        type=int,
        default=[],
        help="Friedman #1 with so many features, 200 training rows",
    )
    p.add_argument("--shipped", action="store_true", help="tasks from data that scikit-learn ships")
    p.add_argument("--prior", type=int, default=0, help="number of fresh prior tables")
    p.add_argument("--prior-rows", nargs="*", type=int, default=[50, 200, 500, 1000, 2000])
    p.add_argument("--members", nargs="*", type=int, default=[4])
    p.add_argument("--norms", default="none,power")
    p.add_argument("--repeats", type=int, default=3, help="random splits per file")
    p.add_argument("--no-baselines", action="store_true")
    p.add_argument("--json", help="write the scores to this file")
    return p.parse_args()


def main() -> None:
    o = parse_options()
    net, _ = load_network(o.checkpoint)
    norms = tuple(o.norms.split(","))
    models = {f"net x{k}": network_model(net, Ensemble(k, norms)) for k in o.members}
    if not o.no_baselines:
        models |= {"ridge": ridge, "forest": forest, "unconditional": unconditional}
    scores = score(models, gather(o))
    print(markdown(scores))
    if o.json:
        Path(o.json).write_text(json.dumps(scores, indent=1) + "\n")


if __name__ == "__main__":
    main()
