"""Answers beyond the range of the context: simulated tables cut at a quantile of one column.

    python -m scripts.evaluation.beyond --program build/bin/pfnamp --summary beyond.md

The context has the rows below the 0.8-quantile of the first column, the query rows are the others.
By family: how often the 90 % predictive interval holds the label and the 90 % credible intervals
hold the mean and the median, and the rows where label and posterior contradict each other, that is
where a limit of a 90 % credible interval of the median lies outside of the 95 % predictive
interval.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np

from scripts.evaluation.simulated import FAMILIES, drawn

Array = np.ndarray
SIZES = (2, 60), (5, 200), (10, 200)  # features and rows
QUERIES, CUT = 100, 0.8


def cut_table(family, features: int, rows: int, seed: int) -> dict[str, Array]:
    """Features, labels, means and medians of a table in two parts: x, y, mean, median and `far`."""
    number = list(FAMILIES).index(family)
    rng = np.random.default_rng([seed, number, features, rows, 77])
    x, f, s, law, y = drawn(family, (3 * rows + 200, features), rng)
    far = x[:, 0] > np.quantile(x[:, 0], CUT)
    kept = np.concatenate([np.flatnonzero(~far)[:rows], np.flatnonzero(far)[:QUERIES]])
    return {
        "x": x[kept],
        "y": y[kept],
        "mean": (f + s * law.mean())[kept],
        "median": (f + s * law.ppf(0.5))[kept],
        "far": far[kept],
    }


def write(path: Path, x: Array, y: Array | None) -> None:
    names = [f"x{j}" for j in range(x.shape[1])] + ([] if y is None else ["y"])
    rows = x if y is None else np.column_stack([x, y])
    np.savetxt(path, rows, delimiter=",", header=",".join(names), comments="", fmt="%.9g")


def answers(program: str, table: dict[str, Array], level: float) -> dict[str, Array]:
    """The columns that the program writes for the query rows."""
    with tempfile.TemporaryDirectory() as folder:
        train, test, out = (Path(folder) / f"{name}.csv" for name in ("train", "test", "out"))
        far = table["far"]
        write(train, table["x"][~far], table["y"][~far])
        write(test, table["x"][far], None)
        command = [program, "predict", train, test, "-y", "y", "-f", "mean,q0.5", "-o", out]
        subprocess.run([*command, "--level", str(level), "--quiet"], check=True)
        with open(out, newline="") as file:
            rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def holds(a: dict[str, Array], name: str, truth: Array) -> Array:
    return (a[f"{name}_lo"] <= truth) & (truth <= a[f"{name}_hi"])


def scored(program: str, table: dict[str, Array]) -> dict[str, float]:
    far = table["far"]
    a, wide = answers(program, table, 0.9), answers(program, table, 0.95)
    outside = (a["q0.5_lo"] < wide["pi_lo"]) | (a["q0.5_hi"] > wide["pi_hi"])
    sd = table["y"][~far].std()
    return {
        "label": holds(a, "pi", table["y"][far]).mean(),
        "mean": holds(a, "mean", table["mean"][far]).mean(),
        "median": holds(a, "q0.5", table["median"][far]).mean(),
        "width of the label": (a["pi_hi"] - a["pi_lo"]).mean() / sd,
        "width of the mean": (a["mean_hi"] - a["mean_lo"]).mean() / sd,
        "error of the mean": np.abs(a["mean"] - table["mean"][far]).mean() / sd,
        "contradictions": outside.mean(),
    }


def summary(scores: dict[str, list[dict[str, float]]]) -> str:
    """One row a family, and one of all tables."""
    names = list(next(iter(scores.values()))[0])
    every = dict(scores) | {"all": [s for part in scores.values() for s in part]}
    lines = ["| family | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for family, part in every.items():
        means = (f"{np.mean([s[name] for s in part]):.3f}" for name in names)
        lines.append(f"| {family} | " + " | ".join(means) + " |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/bin/pfnamp")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--summary", type=Path)
    o = parser.parse_args()
    scores = defaultdict(list)
    for seed in range(o.seeds):
        for features, rows in SIZES:
            for family in FAMILIES:
                table = cut_table(family, features, rows, seed)
                scores[family.__name__].append(scored(o.program, table))
    text = summary(scores)
    print(text)
    if o.summary:
        o.summary.write_text(text)


if __name__ == "__main__":
    main()
