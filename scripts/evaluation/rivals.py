"""Intervals of functionals by `pfnamp predict`, and functionals of the label's distribution.

Intervals are {functional: [M,3]} limits and point: lower, point, upper, of the 90 % interval of
`mean`, `q0.5`, `q0.9` and `event`, the probability to exceed a threshold.
"""

from __future__ import annotations

import csv
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from scripts.evaluation.simulated import Array, Simulated
from scripts.evaluation.tasks import write_table
from scripts.reference.regression import Prediction

LIMITS = (0.05, 0.5, 0.95)
FUNCTIONALS = ("mean", "q0.5", "q0.9", "event")
Intervals = dict[str, Array]


def label_functionals(p: Prediction, t: float) -> Array:
    """[4,M] functionals of the label's own distribution, in the order of FUNCTIONALS."""
    event = 1 - p.cdf(np.full(len(p.distribution.knots), t))
    return np.stack([p.mean(), *p.quantiles((0.5, 0.9)).T, event])


def program(task: Simulated, binary: str, posterior: str) -> Intervals:
    """`pfnamp predict` with a kind of posterior."""
    t = task.threshold
    names = ("mean", "q0.5", "q0.9", f"p>{t:.12g}")
    with tempfile.TemporaryDirectory() as folder:
        train, test, out = (Path(folder) / f"{n}.csv" for n in ("train", "test", "out"))
        write_table(train, task.x_train, task.y_train)
        write_table(test, task.x_test, None)
        command = [binary, "predict", str(train), str(test), "--target", "y", "-o", str(out)]
        command += ["--functional", ",".join(names), "--posterior", posterior, "--quiet"]
        subprocess.run(command, check=True)
        with open(out, newline="") as file:
            rows = list(csv.DictReader(file))
    columns = list(rows[0])
    found = {}
    for name, functional in zip(names, FUNCTIONALS):
        point = next(c for c in columns if c == name or (c.startswith("p>") and name[:2] == "p>"))
        ends = [f"{point}_lo", point, f"{point}_hi"]
        found[functional] = np.array([[float(r[c]) for c in ends] for r in rows])
    return found
