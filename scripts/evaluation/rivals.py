"""Intervals of functionals by `pfnamp predict`, and functionals of the label's distribution.

Intervals are {functional: [M,3]} limits and point: lower, point, upper, of the 90 % interval of
`mean`, `q0.5`, `q0.9` and `event`, the probability to exceed a threshold.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from scripts.evaluation.program import predicted
from scripts.evaluation.simulated import Array, Simulated
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
    train, test = (pd.DataFrame(x).add_prefix("x") for x in (task.x_train, task.x_test))
    flags = ["--functional", ",".join(names), "--posterior", posterior]
    _, made = predicted(binary, train.assign(y=task.y_train), test, "y", *flags)
    found = {}
    for name, functional in zip(names, FUNCTIONALS):
        point = next(c for c in made if c == name or (c.startswith("p>") and name[:2] == "p>"))
        found[functional] = made[[f"{point}_lo", point, f"{point}_hi"]].to_numpy()
    return found
