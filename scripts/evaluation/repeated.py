"""What duplicate rows of TRAIN cost: coverage, errors and scores on tables that are there k times.

    python -m scripts.evaluation.repeated --program build/bin/pfnamp --out repeated.csv

Every table is y = 2x - z + noise, and a class that depends on y. It is read as it is, two, three
and four times, and with copies of 30 of its rows, by predict, conformal prediction, evaluate,
explain, next and check. Every line is a mean over the tables.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np
import pandas as pd

ROWS = 100
KINDS = {"once": 1, "twice": 2, "three times": 3, "four times": 4, "30 rows twice": 1.3}


def table(rng: np.random.Generator, rows: int) -> pd.DataFrame:
    """Rows with their expected label m, label y and class c."""
    x, z = rng.normal(size=(2, rows))
    m = 2 * x - z
    y = m + rng.normal(size=rows)
    c = np.where(rng.random(rows) < 1 / (1 + np.exp(-1.5 * m)), "yes", "no")
    return pd.DataFrame({"x": x, "z": z, "m": m, "y": y, "c": c}).round(6)


class Program:
    """Runs of the program in a folder."""

    def __init__(self, program: str, folder: Path) -> None:
        self.program, self.folder = str(Path(program).resolve()), folder

    def run(self, *words: object) -> str:
        """The standard output of a command; its notes are dropped."""
        command = [self.program, *map(str, words), "--threads", "1", "-q"]
        done = subprocess.run(command, cwd=self.folder, check=False, capture_output=True, text=True)
        if done.returncode not in (0, 6):
            raise RuntimeError(f"{command}: {done.stderr}")
        return done.stdout

    def read(self, out: str, *words: object) -> pd.DataFrame:
        """The table that a command writes."""
        self.run(*words, "-o", out)
        return pd.read_csv(self.folder / out)


def inside(values: pd.Series, lo: pd.Series, hi: pd.Series) -> float:
    return float(((values.to_numpy() >= lo) & (values.to_numpy() <= hi)).mean())


def scores(results: Path) -> dict[str, float]:
    """The model's scores in the results of evaluate."""
    all_scores = pd.read_csv(results)
    model = all_scores[all_scores.method == "ppd"].set_index("metric").value
    return {f"evaluate: {name}": float(model[name]) for name in ("rmse", "coverage")}


def measure(p: Program, train: pd.DataFrame, test: pd.DataFrame, seed: int) -> dict[str, float]:
    """All figures of one table."""
    train = train.sample(frac=1, random_state=seed)
    train.drop(columns=["m", "c"]).to_csv(p.folder / "train.csv", index=False)
    train.drop(columns=["m", "y"]).to_csv(p.folder / "class.csv", index=False)
    test[["x", "z"]].to_csv(p.folder / "test.csv", index=False)
    test[["x", "z", "y"]].to_csv(p.folder / "batch.csv", index=False)
    y = ["train.csv", "test.csv", "-y", "y"]
    out = p.read("out.csv", "predict", *y)
    got = {
        "predictive 90 %": inside(test.y, out.pi_lo, out.pi_hi),
        "credible 90 %": inside(test.m, out.mean_lo, out.mean_hi),
        "RMSE": float(np.sqrt(((out["mean"] - test.y) ** 2).mean())),
    }
    out = p.read("out.csv", "predict", *y, "--predictive", "conformal")
    got["conformal 90 %"] = inside(test.y, out.pi_lo, out.pi_hi)
    out = p.read("out.csv", "predict", "class.csv", "test.csv", "-y", "c")
    chance = np.where(test.c == "yes", out["p=yes"], out["p=no"])
    got["log loss"] = float(-np.log(np.clip(chance, 1e-4, 1)).mean())
    p.run("evaluate", "train.csv", "-y", "y", "-o", "scores")
    got |= scores(p.folder / "scores" / "results.csv")
    out = p.read("out.csv", "explain", "train.csv", "-y", "y", "--effect", "x")
    truth = 2 * pd.to_numeric(out["value"]) - train.z.drop_duplicates().mean()
    got["explain 90 %"] = inside(truth, out.mean_lo, out.mean_hi)
    out = p.read("out.csv", "next", *y, "--for", "maximum").sort_values("row")
    got["next 90 %"] = inside(test.m, out.mean_lo, out.mean_hi)
    labels = json.loads(p.run("check", "train.csv", "batch.csv", "-y", "y", "--json"))["labels"]
    got["check: CRPS at the fit"], got["check: CRPS"] = labels["score_at_fit"], labels["score"]
    return got


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="build/bin/pfnamp")
    parser.add_argument("--out", default="repeated.csv", help="written anew after every table")
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--test", type=int, default=300)
    arguments = parser.parse_args()
    sums: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for seed in range(arguments.tables):
        all_rows = table(np.random.default_rng(seed), ROWS + arguments.test)
        train, test = all_rows[:ROWS], all_rows[ROWS:].reset_index(drop=True)
        for kind, times in KINDS.items():
            copies = pd.concat([train] * 4)[: round(times * ROWS)]
            with tempfile.TemporaryDirectory() as folder:
                program = Program(arguments.program, Path(folder))
                for name, value in measure(program, copies, test, seed).items():
                    sums[name][kind].append(value)
        means = {name: {k: np.mean(v) for k, v in kinds.items()} for name, kinds in sums.items()}
        pd.DataFrame(means).T.round(3).to_csv(arguments.out, index_label="figure")


if __name__ == "__main__":
    main()
