"""Compare intervals of the conditional median where the noise-free truth is known.

    python -m scripts.evaluation.median --program build/bin/pfnamp --scores median.csv

Runs `pfnamp predict` with every kind of posterior on Friedman's functions, on
fresh tables of the prior and on the additive B-spline model of the paper's
simulation (Nagler & Rügamer, section 5), and reports the share of rows whose
interval covers the truth, the mean width of the intervals and the error of the
PPD's median, the last two in units of the target's standard deviation. Rows of
the prior with unknown truth are left out. Standard errors are over tables.
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Iterator

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from scipy.interpolate import BSpline

from scripts.evaluation.tasks import Array, Task, friedman_tasks, prior_task

FIELDS = ["suite", "task", "seed", "posterior", "coverage", "width", "bias"]
POSTERIORS = ("paper", "limit", "direct")
ADDITIVE = ((1, 1), (5, 2), (5, 5), (10, 10))
PRIOR_ROWS = (50, 200, 800)


def spline_effects(x: Array, rng: np.random.Generator) -> Array:
    """Sum of random cubic B-splines, 20 functions and N(0, 2) coefficients per column of x."""
    knots = np.concatenate(([0] * 3, np.linspace(0, 1, 18), [1] * 3))
    total = np.zeros(len(x))
    for column in x.T:
        design = BSpline.design_matrix(column, knots, 3).toarray()
        total += design @ rng.normal(0, np.sqrt(2), design.shape[1])
    return total


def additive_task(d: int, relevant: int, rows: int, seed: int) -> Task:
    rng = np.random.default_rng([seed, d, relevant])
    x = rng.random((1000, d))
    f = spline_effects(x[:, :relevant], rng)
    y = f + rng.standard_normal(len(x))
    a, b = slice(0, rows), slice(900, None)
    name = f"d {d}, J {relevant}, n {rows}"
    parts = x[a], y[a], x[b], y[b], f[b]
    return Task("additive", name, seed, *parts, [False] * d, float(y.std()))


def all_tasks(seeds: int) -> Iterator[Task]:
    for d, relevant in ADDITIVE:
        for rows in (50, 150, 400, 800):
            yield from (additive_task(d, relevant, rows, s) for s in range(seeds))
    yield from friedman_tasks(seeds)
    for rows in PRIOR_ROWS:
        yield from (prior_task(s, rows) for s in range(4 * seeds))


def write_table(path: Path, x: Array, y: Array | None) -> None:
    names = [f"x{j}" for j in range(x.shape[1])] + (["y"] if y is not None else [])
    columns = x if y is None else np.column_stack((x, y))
    with open(path, "w", newline="") as f:
        writer = csv.writer(f)
        writer.writerow(names)
        writer.writerows([["" if np.isnan(v) else repr(float(v)) for v in r] for r in columns])


def intervals(program: str, model: list[str], task: Task, posterior: str) -> Array:
    """[M,3] point estimate and limits of the 90 % interval of the median."""
    with tempfile.TemporaryDirectory() as folder:
        train, test, out = (Path(folder) / f"{n}.csv" for n in ("train", "test", "out"))
        write_table(train, task.x_train, task.y_train)
        write_table(test, task.x_test, None)
        command = [program, "predict", str(train), str(test), "--target", "y", "-o", str(out)]
        options = ["--functional", "q0.5", "--posterior", posterior, "--quiet"]
        subprocess.run(command + options + model, check=True)
        with open(out, newline="") as f:
            rows = list(csv.DictReader(f))
    return np.array([[float(r[c]) for c in ("q0.5", "q0.5_lo", "q0.5_hi")] for r in rows])


def score(task: Task, estimate: Array) -> dict | None:
    known = ~np.isnan(task.median)
    if known.mean() < 0.2:
        return None
    truth, (point, low, high) = task.median[known], estimate[known].T
    return {
        "coverage": ((low <= truth) & (truth <= high)).mean(),
        "width": (high - low).mean() / task.scale,
        "bias": np.abs(point - truth).mean() / task.scale,
    }


def summary(rows: list[dict]) -> None:
    """Coverage / width ± standard error per task and posterior."""
    posteriors = list(dict.fromkeys(r["posterior"] for r in rows))
    print("| task | tables | " + " | ".join(posteriors) + " | error of the median |")
    print("|---" * (len(posteriors) + 3) + "|")
    for suite, task in dict.fromkeys((r["suite"], r["task"]) for r in rows):
        cells = []
        for posterior in posteriors:
            match = [r for r in rows if (r["task"], r["posterior"]) == (task, posterior)]
            values = np.array([[r["coverage"], r["width"], r["bias"]] for r in match])
            error = values.std(0, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else values[0]
            mean = values.mean(0)
            cells.append(f"{mean[0]:.2f} ± {error[0]:.2f} / {mean[1]:.3f}")
        label = task if suite != "additive" else f"additive {task}"
        print(f"| {label} | {len(match)} | " + " | ".join(cells) + f" | {mean[2]:.3f} |")


def main() -> None:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--program", required=True, help="pfnamp, built")
    p.add_argument("--model", help="bundle other than the program's default")
    p.add_argument("--posteriors", nargs="*", default=list(POSTERIORS))
    p.add_argument("--seeds", type=int, default=5, help="tables per task, 4 times for the prior")
    p.add_argument("--scores", required=True, help="CSV file to write")
    o = p.parse_args()
    model = ["--model", o.model] if o.model else []
    rows = []
    for task in all_tasks(o.seeds):
        for posterior in o.posteriors:
            result = score(task, intervals(o.program, model, task, posterior))
            if result:
                key = {"suite": task.suite, "task": task.name, "seed": task.seed}
                rows.append(key | {"posterior": posterior} | result)
    with open(o.scores, "w", newline="") as f:
        writer = csv.DictWriter(f, FIELDS)
        writer.writeheader()
        for row in rows:
            writer.writerow({k: f"{v:.5g}" if k in FIELDS[4:] else v for k, v in row.items()})
    summary(rows)


if __name__ == "__main__":
    main()
