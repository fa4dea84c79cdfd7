"""Treatment effects where the truth is known: do 90 % intervals hold it?

    python -m scripts.evaluation.questions.treatment build/pfnamp runs/treatment.jsonl --tables 40

Tables of 300 rows and 5 columns. The probability of the treatment and the label depend on the same
columns, so that raw means are confounded. The outcome without treatment is a function of one of
five families, the effect one that varies between rows, and the truth its average over the
population (200,000 rows). `overlap` is good (probabilities mostly between 0.1 and 0.9), or poor
(many below 0.05 or above 0.95). Beside the one-step correction of `pfnamp explain --treatment` and
the same model without it: linear regression, BART (stochtree), a T-learner of forests with the
bootstrap, and AIPW with cross-fitted forests and logistic propensities. One line per table and
method; lines that are there are not made again. Without a program it prints means of the file.
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
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from scripts.evaluation.kept import Lines
from scripts.evaluation.simulated import Array, friedman, growth, hinges, linear, wave

ROWS, FEATURES, LEVEL, POPULATION = 300, 5, 0.9, 200_000
FAMILIES = (linear, friedman, growth, hinges, wave)
STEEP = {"good": 1.0, "poor": 6.0}


def drawn(family, overlap: str, seed: int) -> tuple[Array, Array, Array, float]:
    """x, the arm, y, and the average effect over the population."""
    rng = np.random.default_rng([seed, FAMILIES.index(family), len(overlap), 31])
    x = rng.normal(size=(POPULATION, FEATURES))
    base = family(x, rng)
    base = (base - base.mean()) / base.std()
    effect = rng.normal(0, 0.7) + 0.4 * x[:, 0] + 0.3 * (x[:, 1] > 0)
    direction = 0.7 * x[:, 0] - 0.5 * x[:, 1] + 0.3 * base
    chance = 1 / (1 + np.exp(-STEEP[overlap] * direction))
    rows = slice(0, ROWS)
    arm = rng.random(ROWS) < chance[rows]
    noise = np.exp(rng.uniform(np.log(0.2), np.log(1.0))) * rng.normal(size=ROWS)
    return x[rows], arm.astype(int), base[rows] + effect[rows] * arm + noise, float(effect.mean())


def normal(estimate: float, error: float) -> tuple[float, float, float]:
    return estimate, estimate - 1.645 * error, estimate + 1.645 * error


def regression(x: Array, arm: Array, y: Array) -> tuple[float, float, float]:
    design = np.column_stack([np.ones(len(x)), arm, x])
    inverse = np.linalg.inv(design.T @ design)
    beta = inverse @ design.T @ y
    error = y - design @ beta
    sandwich = (
        inverse @ (design.T * error**2) @ design @ inverse * len(y) / (len(y) - design.shape[1])
    )
    return normal(beta[1], np.sqrt(sandwich[1, 1]))


def forest(seed: int) -> RandomForestRegressor:
    return RandomForestRegressor(30, min_samples_leaf=5, random_state=seed, n_jobs=1)


def t_learner(x: Array, arm: Array, y: Array, seed: int) -> tuple[float, float, float]:
    rng = np.random.default_rng(seed)
    found = []
    for b in range(16):
        rows = rng.integers(len(x), size=len(x)) if b else np.arange(len(x))
        parts = [rows[arm[rows] == k] for k in (0, 1)]
        means = [forest(b).fit(x[p], y[p]).predict(x[rows]).mean() for p in parts]
        found.append(means[1] - means[0])
    lo, hi = np.quantile(found[1:], (0.05, 0.95))
    return found[0], lo, hi


def aipw(x: Array, arm: Array, y: Array, seed: int) -> tuple[float, float, float]:
    score = np.zeros(len(x))
    for read, held in StratifiedKFold(5, shuffle=True, random_state=seed).split(x, arm):
        chance = (
            LogisticRegression()
            .fit(x[read], arm[read])
            .predict_proba(x[held])[:, 1]
            .clip(0.02, 0.98)
        )
        means = [
            forest(seed).fit(x[p], y[p]).predict(x[held])
            for p in (read[arm[read] == 0], read[arm[read] == 1])
        ]
        a = arm[held]
        score[held] = means[1] - means[0] + a / chance * (y[held] - means[1])
        score[held] -= (1 - a) / (1 - chance) * (y[held] - means[0])
    return normal(score.mean(), score.std(ddof=1) / np.sqrt(len(x)))


def bart(x: Array, arm: Array, y: Array, seed: int) -> tuple[float, float, float]:
    """Fit one BART to all columns and the arm; average the change by the arm over the rows."""
    from stochtree import BARTModel

    model = BARTModel()
    model.sample(
        X_train=np.column_stack([arm, x]),
        y_train=y,
        num_gfr=10,
        num_burnin=50,
        num_mcmc=150,
        general_params={"random_seed": seed + 1},
    )
    both = np.vstack([np.column_stack([np.full(len(x), k), x]) for k in (0, 1)])
    answer = model.predict(both, terms="y_hat")
    if isinstance(answer, dict):
        answer = answer["y_hat"]
    means = np.asarray(answer).reshape(2, len(x), -1).mean(1)
    draws = means[1] - means[0]
    lo, hi = np.quantile(draws, (0.05, 0.95))
    return draws.mean(), lo, hi


def ours(program: str, x: Array, arm: Array, y: Array, folder: Path) -> tuple[dict, bool]:
    table = pd.DataFrame(x, columns=[f"x{j}" for j in range(FEATURES)])
    table.assign(treated=np.where(arm, "yes", "no"), y=y).to_csv(folder / "t.csv", index=False)
    done = subprocess.run(
        [
            program,
            "explain",
            folder / "t.csv",
            "-y",
            "y",
            "--treatment",
            "treated",
            "-o",
            folder / "e.csv",
            "--json",
        ],
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        return {}, True
    effects = pd.read_csv(folder / "e.csv").set_index("of")
    names = {
        "yes - no": "pfnamp",
        "yes - no, model alone": "model alone",
        "yes - no, not adjusted": "raw",
    }
    said = any("overlap fails" in note for note in json.loads(done.stdout)["notes"])
    columns = ["mean", "mean_lo", "mean_hi"]
    return {to: tuple(effects.loc[name, columns]) for name, to in names.items()}, said


def one(program: str, family, overlap: str, seed: int, folder: Path) -> list[dict]:
    x, arm, y, truth = drawn(family, overlap, seed)
    found, said = ours(program, x, arm, y, folder)
    found["linear"] = regression(x, arm, y)
    found["BART"] = bart(x, arm, y, seed)
    found["T-learner"] = t_learner(x, arm, y, seed)
    found["AIPW forest"] = aipw(x, arm, y, seed)
    return [
        {
            "family": family.__name__,
            "overlap": overlap,
            "seed": seed,
            "method": method,
            "truth": truth,
            "estimate": e,
            "held": bool(lo <= truth <= hi),
            "width": (hi - lo) / y.std(),
            "error": (e - truth) / y.std(),
            "said": said,
        }
        for method, (e, lo, hi) in found.items()
    ]


def tell(path: Path) -> None:
    data = pd.read_json(path, lines=True)
    data["squared"] = data.error**2
    for by in (["overlap", "method"], ["overlap", "method", "family"]):
        told = data.groupby(by).agg(
            held=("held", "mean"),
            width=("width", "mean"),
            bias=("error", "mean"),
            rmse=("squared", lambda v: v.mean() ** 0.5),
            tables=("held", "size"),
        )
        print(told.round(3).to_string(), "\n")
    tables = data.drop_duplicates(["family", "overlap", "seed"])
    print(
        "overlap said to fail, or refused:",
        tables.groupby("overlap").said.mean().round(2).to_dict(),
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?")
    parser.add_argument("runs", type=Path)
    parser.add_argument("--tables", type=int, default=40, help="of every family with good overlap")
    asked = parser.parse_args()
    if asked.program is None:
        return tell(asked.runs)
    runs = Lines(asked.runs, "family", "overlap", "seed")
    for seed in range(asked.tables):
        for family in FAMILIES:
            for overlap in STEEP:
                if (family.__name__, overlap, seed) in runs.done or overlap == "poor" and seed % 4:
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    lines = one(asked.program, family, overlap, seed, Path(folder))
                runs.add(lines)
    return tell(asked.runs)


if __name__ == "__main__":
    main()
