"""Score the program beside its rivals on real tables, one row per table and method.

    python -m scripts.evaluation.wild build/bin/pfnamp --tables tables.csv classes.csv \\
        --every 4 --first 0 --scores wild.csv --page docs/evidence/wild.md

The program predicts with its defaults, and `--method NAME=FLAGS` adds it with other flags. Rows
that the file of scores has are kept, so an interrupted run goes on; `--again METHOD` makes those of
a method anew.

Numbers: CRPS, the mean pinball loss over 99 levels times two (the program reports the exact one),
and the interval score and coverage of 90 % predictive intervals, all in standard deviations of the
target in TRAIN. Labels: log loss in nats (probabilities at least 0.0001) and accuracy.
"""

import argparse
import csv
import json
import os
import shlex
import subprocess
import warnings
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from scripts.evaluation.kept import Scores, options
from scripts.evaluation.program import predicted
from scripts.evaluation.wild.page import filled
from scripts.evaluation.wild.rivals import CLASSIFIERS, LEVELS, REGRESSORS, Array
from scripts.evaluation.wild.tables import WildTable, listed

PROGRAM = "pfnamp"
LEAST = 1e-4
MISS = 2 / 0.1  # what the interval score of 90 % intervals adds for a unit outside
FIELDS = ["table", "task", "kinds", "rows", "features", "method"]
FIELDS += ["crps", "interval_score", "coverage", "log_loss", "accuracy", "seconds"]
Method = Callable[[WildTable], dict]


def of_intervals(lo: Array, hi: Array, table: WildTable) -> dict:
    y, scale = table.y_test, table.y_train.std()
    outside = np.maximum(lo - y, 0) + np.maximum(y - hi, 0)
    score = (hi - lo + MISS * outside).mean() / scale
    return {"interval_score": score, "coverage": (outside == 0).mean()}


def of_quantiles(q: Array, table: WildTable) -> dict:
    e = table.y_test[:, None] - q
    crps = 2 * np.maximum(LEVELS * e, (LEVELS - 1) * e).mean() / table.y_train.std()
    return {"crps": crps} | of_intervals(q[:, 4], q[:, 94], table)


def of_probabilities(p: Array, labels: Array, table: WildTable) -> dict:
    """Scores of probabilities [M, K] of sorted labels."""
    at = np.searchsorted(labels, table.y_test)
    true = p[np.arange(len(p)), at]
    return {
        "log_loss": -np.log(np.maximum(true, LEAST)).mean(),
        "accuracy": (labels[p.argmax(1)] == table.y_test).mean(),
    }


def rival(model: Callable[[WildTable], Array]) -> Method:
    def score(table: WildTable) -> dict:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            said = model(table)
        if table.labels:
            return of_probabilities(said, np.unique(table.y_train), table)
        return of_quantiles(said, table)

    return score


def program(path: str, flags: list[str]) -> Method:
    """`pfnamp predict` on the two parts as CSV files."""

    def score(table: WildTable) -> dict:
        task = "classification" if table.labels else "regression"
        words = ["--task", task, "--json", *flags]
        told, made = predicted(path, table.train, table.test, table.target, *words)
        if table.labels:
            labels = np.unique(table.y_train)
            p = made[[f"p={label}" for label in labels]].to_numpy()
            return of_probabilities(p, labels, table)
        scores = json.loads(told)["scores"]
        if scores["rows"] != len(table.test):
            raise ValueError(
                f"{table.name}: {scores['rows']} of {len(table.test)} rows have scores"
            )
        intervals = of_intervals(made.pi_lo.to_numpy(), made.pi_hi.to_numpy(), table)
        return {"crps": scores["crps"] / table.y_train.std()} | intervals

    return score


def methods(o: argparse.Namespace, labels: bool) -> dict[str, Method]:
    found = {PROGRAM: program(o.program, [])}
    for given in o.method:
        name, flags = given.split("=", 1)
        found[name] = program(o.program, shlex.split(flags))
    rivals = CLASSIFIERS if labels else REGRESSORS
    return found | {name: rival(model) for name, model in rivals.items() if name not in o.without}


def run(o: argparse.Namespace) -> None:
    file = Scores(o.scores, FIELDS, ("table", "task", "method"), o.again)
    for table in (t for given in o.tables for t in listed(Path(given), o.every, o.first)):
        row = {"table": table.name, "task": "labels" if table.labels else "numbers"}
        row |= {"kinds": "|".join(table.kinds()), "rows": len(table.train)}
        row["features"] = len(table.features)
        for name, method in methods(o, table.labels).items():
            try:
                file.add(row | {"method": name}, lambda m=method, t=table: m(t))
            except (subprocess.CalledProcessError, ValueError) as err:
                print(table.name, name, getattr(err, "stderr", "") or err, flush=True)


def parse_options() -> argparse.Namespace:
    p = options(__doc__)
    p.add_argument("program", help="the program")
    p.add_argument("--tables", nargs="+", required=True, help="lists of tables")
    p.add_argument("--every", type=int, default=1, help="read every so many-th table")
    p.add_argument("--first", type=int, default=0, help="the first table to read, from 0")
    p.add_argument("--method", nargs="*", default=[], help="NAME=FLAGS: the program with flags")
    p.add_argument("--without", nargs="*", default=[], help="rivals to leave out")
    p.add_argument("--page", help="Markdown page whose tables are made anew")
    return p.parse_args()


def main() -> None:
    o = parse_options()
    run(o)
    if o.page:
        page = Path(o.page)
        with open(o.scores, newline="") as file:
            rows = list(csv.DictReader(file))
        page.write_text(filled(page.read_text(encoding="utf-8"), rows), encoding="utf-8")


if __name__ == "__main__":
    main()
