"""Effects of columns where the truth is known: does the band hold it?

    python -m scripts.evaluation.questions.effects build/pfnamp runs/effects.jsonl --seeds 3

Of every family of functions and number of columns one table a seed. The truth of a column's effect
at a value is the mean over the rows of the table of the conditional mean with the column set to
that value. Beside `pfnamp explain`: linear regression, the percentile interval of 40 bootstrapped
forests, and BART (`stochtree`). One line per table, column and method: the share of values whose 90
% interval holds the truth, whether the simultaneous band does at all of them, whether the interval
of the last value minus the first does, and widths in standard deviations of the target. Lines that
are there are not made again. Without a program it prints means of the file.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestRegressor

from scripts.evaluation.kept import Lines
from scripts.evaluation.simulated import FAMILIES, Array, world

ROWS, FEATURES, LEVEL = 200, (2, 5, 10), 0.9
TREES, BOOTSTRAPS = 60, 40


def changed(x: Array, column: int, values: Array) -> Array:
    """[values, rows, columns] of the rows with one column set."""
    all_rows = np.repeat(x[None], len(values), 0)
    all_rows[:, :, column] = values[:, None]
    return all_rows


def effect(predict, x: Array, column: int, values: Array) -> Array:
    rows = changed(x, column, values)
    return predict(rows.reshape(-1, x.shape[1])).reshape(len(values), len(x)).mean(1)


def summary(draws: Array, truth: Array, unit: float) -> dict:
    """Of draws [draws, values]; the band is that of the largest standardised deviation."""
    tail = (1 - LEVEL) / 2
    lo, hi = np.quantile(draws, (tail, 1 - tail), axis=0)
    middle, spread = draws.mean(0), draws.std(0) + 1e-12
    far = np.quantile((np.abs(draws - middle) / spread).max(1), LEVEL)
    first, last = np.quantile(draws[:, -1] - draws[:, 0], (tail, 1 - tail))
    return measures(
        lo, hi, middle - far * spread, middle + far * spread, (first, last), truth, unit
    )


def measures(lo, hi, band_lo, band_hi, change, truth: Array, unit: float) -> dict:
    gap = truth[-1] - truth[0]
    return {
        "held": float(((lo <= truth) & (truth <= hi)).mean()),
        "width": float((hi - lo).mean() / unit),
        "band": bool(((band_lo <= truth) & (truth <= band_hi)).all()),
        "change": bool(change[0] <= gap <= change[1]),
        "change_width": float((change[1] - change[0]) / unit),
    }


def linear_draws(x: Array, y: Array, column: int, values: Array, rng) -> Array:
    design = np.column_stack([np.ones(len(x)), x])
    inverse = np.linalg.inv(design.T @ design)
    beta = inverse @ design.T @ y
    free = len(y) - design.shape[1]
    variance = ((y - design @ beta) ** 2).sum() / free
    heavy = np.sqrt(free / rng.chisquare(free, size=(2000, 1)))  # multivariate t
    scale = np.sqrt(variance) * np.linalg.cholesky(inverse)
    draws = beta + heavy * (rng.normal(size=(2000, len(beta))) @ scale.T)
    at = np.repeat(design.mean(0)[None], len(values), 0)
    at[:, 1 + column] = values
    return draws @ at.T


def forest_draws(x: Array, y: Array, columns: list, grids: list, rng) -> list[Array]:
    found = [[] for _ in columns]
    for b in range(BOOTSTRAPS):
        rows = rng.integers(len(x), size=len(x))
        forest = RandomForestRegressor(TREES, min_samples_leaf=3, random_state=b, n_jobs=1)
        forest.fit(x[rows], y[rows])
        for k, column in enumerate(columns):
            found[k].append(effect(forest.predict, x, column, grids[k]))
    return [np.array(f) for f in found]


def bart_draws(x: Array, y: Array, columns: list, grids: list, seed: int) -> list[Array]:
    from stochtree import BARTModel

    model = BARTModel()
    model.sample(
        X_train=x,
        y_train=y,
        num_gfr=10,
        num_burnin=50,
        num_mcmc=150,
        general_params={"random_seed": seed + 1},
    )
    draws = []
    for k, column in enumerate(columns):
        rows = changed(x, column, grids[k]).reshape(-1, x.shape[1])
        answer = model.predict(rows, terms="y_hat") if hasattr(model, "predict") else None
        if isinstance(answer, dict):
            answer = answer["y_hat"]
        draws.append(np.asarray(answer).reshape(len(grids[k]), len(x), -1).mean(1).T)
    return draws


def ours(program: str, x: Array, y: Array, columns: list, folder: Path) -> tuple[list, list]:
    """The grid of every column, and tables with the change of the last value from the first."""
    names = [f"x{j}" for j in range(x.shape[1])]
    table = pd.DataFrame(x, columns=names).assign(y=y)
    table.to_csv(folder / "t.csv", index=False)
    asked = ",".join(names[c] for c in columns)
    done = subprocess.run(
        [
            program,
            "explain",
            folder / "t.csv",
            "-y",
            "y",
            "--effect",
            asked,
            "-o",
            folder / "e.csv",
            "--json",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    told = {c["column"]: c for c in json.loads(done.stdout)["changes"]}
    effects = pd.read_csv(folder / "e.csv")
    parts = [effects[effects.column == names[c]] for c in columns]
    return parts, [told[names[c]] for c in columns]


def one(program: str, family, features: int, seed: int, folder: Path) -> list[dict]:
    rng = np.random.default_rng([seed, list(FAMILIES).index(family), features, 17])
    x, w = world(family, (ROWS, features), rng)
    y = w.f(x) + w.s(x) * w.law.ppf(rng.random(len(x)))
    columns = [0, 1] if features == 2 else [0, 1, features - 1]
    parts, changes = ours(program, x, y, columns, folder)
    grids = [p.value.to_numpy(float) for p in parts]
    truths = [effect(w.mean, x, c, g) for c, g in zip(columns, grids)]
    unit, lines = y.std(), []
    forests = forest_draws(x, y, columns, grids, rng)
    barts = bart_draws(x, y, columns, grids, seed)
    for k, column in enumerate(columns):
        p, truth = parts[k], truths[k]
        change = (changes[k]["lo"], changes[k]["hi"])
        of = {
            "pfnamp": measures(
                p.mean_lo.to_numpy(),
                p.mean_hi.to_numpy(),
                p.mean_band_lo.to_numpy(),
                p.mean_band_hi.to_numpy(),
                change,
                truth,
                unit,
            )
        }
        of["pfnamp"]["error"] = float((p.mean_error / (p.mean_hi - p.mean_lo)).max())
        of["linear"] = summary(linear_draws(x, y, column, grids[k], rng), truth, unit)
        of["forest"] = summary(forests[k], truth, unit)
        of["bart"] = summary(barts[k], truth, unit)
        for method, m in of.items():
            lines.append(
                {
                    "family": family.__name__,
                    "features": features,
                    "seed": seed,
                    "column": column,
                    "method": method,
                    **m,
                }
            )
    return lines


def tell(path: Path) -> None:
    data = pd.read_json(path, lines=True)
    measured = ["held", "width", "band", "change", "change_width"]
    for by in (["method"], ["family", "method"], ["features", "method"]):
        print(data.groupby(by)[measured].mean().round(3).to_string(), "\n")
    print(len(data) // data.method.nunique(), "effects")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?")
    parser.add_argument("runs", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    asked = parser.parse_args()
    if asked.program is None:
        return tell(asked.runs)
    runs = Lines(asked.runs, "family", "features", "seed")
    for seed in range(asked.seeds):
        for family in FAMILIES:
            for features in FEATURES:
                if (family.__name__, features, seed) in runs.done:
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    lines = one(asked.program, family, features, seed, Path(folder))
                runs.add(lines)
    return tell(asked.runs)


if __name__ == "__main__":
    main()
