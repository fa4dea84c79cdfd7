"""Counts, shares, yes/no and grades as numbers: predictions with and without the possible values.

    python -m scripts.evaluation.targets build/pfnamp --tables 4

Simulated tables of every kind, whose conditional mean is known, are predicted twice: with
`--target-values any` and with what the program recognises. One line per kind and setting: the share
of labels in 90 % predictive intervals and their mean width, the share of rows whose interval
reaches beyond what is possible, CRPS, the error of the mean (RMSE beside the truth, in standard
deviations of the label), and of an event the mean probability claimed, the share that is true, and
the Brier score. `--csv FILE` takes the lines.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from scripts.evaluation.score_file import write_scores

TRAIN, TEST, FEATURES = 150, 1000, 4


def kinds() -> dict[str, tuple[Callable, Callable, float]]:
    """By name: the mean of a linear predictor, the label of a mean, the threshold of the event."""

    def log_link(e: np.ndarray) -> np.ndarray:
        return np.exp(0.4 + 0.9 * e)

    def logit(e: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-1.2 * e))

    def negative(m: np.ndarray, r: np.random.Generator) -> np.ndarray:
        return r.negative_binomial(1.5, 1.5 / (1.5 + m))

    return {
        "poisson": (log_link, lambda m, r: r.poisson(m), 0),
        "negative binomial": (log_link, negative, 0),
        "rare counts": (lambda e: np.exp(-1 + 0.7 * e), lambda m, r: r.poisson(m), 0),
        "large counts": (lambda e: np.exp(3 + 0.5 * e), lambda m, r: r.poisson(m), 20),
        "shares": (logit, lambda m, r: r.beta(4 * m, 4 * (1 - m)), 0.5),
        "shares near 0": (lambda e: 0.1 * logit(e), lambda m, r: r.beta(9 * m, 9 * (1 - m)), 0.05),
        "yes/no": (logit, lambda m, r: r.binomial(1, m), 0),
        "rare yes": (lambda e: 0.2 * logit(e), lambda m, r: r.binomial(1, m), 0),
        "grades 0 to 4": (lambda e: 4 * logit(e), lambda m, r: r.binomial(4, m / 4), 2),
        "positive": (lambda e: np.exp(e), lambda m, r: m * r.gamma(1.2, 1 / 1.2, len(m)), 1),
        "normal": (lambda e: 2 * e, lambda m, r: r.normal(m, 1), 0),
    }


def table(kind: str, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """A table of TRAIN + TEST rows and their conditional means."""
    link, label, _ = kinds()[kind]
    r = np.random.default_rng([seed, *kind.encode()])
    x = r.normal(size=(TRAIN + TEST, FEATURES))
    e = x @ r.normal(size=FEATURES) / 2 + 0.4 * np.sin(2 * x[:, 0])
    m = link(e)
    frame = pd.DataFrame(x, columns=[f"x{i}" for i in range(FEATURES)])
    return frame.assign(y=label(m, r)), m


def predict(program: str, frame: pd.DataFrame, event: float, values: str) -> pd.DataFrame:
    """The answers about the rows after TRAIN, and their scores in attrs."""
    with tempfile.TemporaryDirectory() as folder:
        train, test, out = (Path(folder) / name for name in ("train.csv", "test.csv", "out.csv"))
        frame[:TRAIN].to_csv(train, index=False)
        frame[TRAIN:].to_csv(test, index=False)
        command = [program, "predict", str(train), str(test), "-y", "y", "-o", str(out), "--json"]
        command += ["--task", "regression", "-f", f"mean,p>{event:g}", "--target-values", values]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        answers = pd.read_csv(out)
        answers.attrs["crps"] = json.loads(done.stdout)["scores"]["crps"]
    return answers


def possible(kind: str) -> tuple[float, float]:
    """The range of the labels of a kind."""
    if kind == "normal":
        return -np.inf, np.inf
    top = {"shares": 1, "shares near 0": 1, "yes/no": 1, "rare yes": 1, "grades 0 to 4": 4}
    return 0, top.get(kind, np.inf)


def scores(kind: str, program: str, values: str, tables: int) -> dict[str, float]:
    """Means over tables."""
    lo, hi = possible(kind)
    event, rows = kinds()[kind][2], []
    for seed in range(tables):
        frame, mean = table(kind, seed)
        a = predict(program, frame, event, values)
        y, m = frame.y[TRAIN:].to_numpy(), mean[TRAIN:]
        true, p = y > event, a[f"p>{event:g}"].to_numpy()
        rows.append(
            {
                "held": np.mean((a.pi_lo <= y) & (y <= a.pi_hi)),
                "width": np.mean(a.pi_hi - a.pi_lo),
                "beyond": np.mean((a.pi_lo < lo) | (a.pi_hi > hi)),
                "crps": a.attrs["crps"],
                "mean": np.sqrt(np.mean((a["mean"] - m) ** 2)) / y.std(),
                "mean held": np.mean((a["mean_lo"] <= m) & (m <= a["mean_hi"])),
                "claimed": p.mean(),
                "true": true.mean(),
                "brier": np.mean((p - true) ** 2),
            }
        )
    return pd.DataFrame(rows).mean().to_dict()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--kinds", nargs="*", default=list(kinds()))
    parser.add_argument("--csv", type=Path, help="file that takes the lines")
    options, rows = parser.parse_args(), []
    print(
        "| kind | values | "
        + " | ".join(
            [
                "held",
                "width",
                "beyond",
                "CRPS",
                "mean, RMSE",
                "mean, held",
                "event claimed",
                "true",
                "Brier",
            ]
        )
        + " |"
    )
    print("|---|---|" + "---:|" * 9)
    for kind in options.kinds:
        for values in ("any", "auto"):
            s = scores(kind, options.program, values, options.tables)
            cells = {name: f"{v:.3f}" for name, v in s.items()}
            rows.append({"kind": kind, "values": values} | cells)
            print(
                f"| {kind} | {values} | " + " | ".join(f"{v:.3f}" for v in s.values()) + " |",
                flush=True,
            )
    if options.csv:
        write_scores(options.csv, list(rows[0]), rows)


if __name__ == "__main__":
    main()
