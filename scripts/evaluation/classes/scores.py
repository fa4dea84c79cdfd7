"""Score classifiers on public tables, one row per task and model.

    python -m scripts.evaluation.classes.scores --model FOLDER --program build/bin/pfnamp \\
        --scores scripts/evaluation/classes/scores.csv

A model is a bundle, a folder or the name of an imported one, that `pfnamp predict` runs; or a
checkpoint, a file that `scripts/export_onnx.py` makes a bundle of first (that needs the packages of
scripts/requirements.txt). Rows that the file of scores has already are kept, so an interrupted run
goes on; `--again MODEL` drops the rows of a model first. Tables that a model refuses, such as those
of too many classes, have no scores of it, and are left out of the means. The file has the rows of
baselines too, made by this script of commit 0144518d.

Scores are the log loss in nats (probabilities at least 1e-15), the Brier score (sum over classes),
the AUC of one class against the rest, the accuracy, and the calibration error: ten bins of equal
width, of the second of two classes, otherwise of the probabilities of all classes. `bins` has
for every one of them "n:p:share": how many probabilities, their mean, and the share of labels.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

from scripts.evaluation.classes.tasks import Array, ClassTask, tasks
from scripts.evaluation.kept import Scores, options
from scripts.evaluation.program import predicted

METRICS = ("log_loss", "brier", "auc", "accuracy", "calibration_error")
FIELDS = ["table", "share", "seed", "model", *METRICS, "seconds", "bins"]
LEAST, BINS = 1e-15, 10
Model = Callable[[ClassTask], Array | None]


def frame(x: Array, words: list[bool]) -> pd.DataFrame:
    """Features as a table, with texts for the codes of words."""
    columns = {f"x{j}": pd.Series(column) for j, column in enumerate(x.T)}
    for name, word in zip(columns, words):
        if word:
            columns[name] = columns[name].map("c{:.0f}".format, na_action="ignore")
    return pd.DataFrame(columns)


def program_model(program: str, bundle: str) -> Model:
    """`pfnamp predict` with a bundle; None where it refuses the table."""
    flags = ["--model", bundle, "--task", "classification", "--chains", "2", "--steps", "1"]

    def probabilities(task: ClassTask) -> Array | None:
        train, test = (frame(x, task.categorical) for x in (task.x_train, task.x_test))
        train = train.assign(label=[f"k{y:04}" for y in task.y_train])
        try:
            _, made = predicted(program, train, test, "label", *flags)
        except subprocess.CalledProcessError as err:
            print(err.stderr.strip(), file=sys.stderr)
            return None
        labels = [f"p=k{k:04}" for k in range(task.classes)]
        return made.reindex(columns=labels, fill_value=0.0).to_numpy()

    return probabilities


def exported(model: str, folder: str) -> str:
    """The bundle of a checkpoint; a bundle is its own."""
    if not Path(model).is_file():
        return model
    out = Path(folder) / Path(model).stem
    command = [sys.executable, "-m", "scripts.export_onnx", "--family", "tabicl"]
    subprocess.run([*command, "--checkpoint", model, "--out", str(out)], check=True)
    return str(out)


def calibration(p: Array, hits: Array) -> Array:
    """[BINS,3] number of probabilities in a bin, their sum, and the number of labels."""
    bins = np.minimum(BINS - 1, (p * BINS).astype(int))
    return np.stack([np.bincount(bins, weights, BINS) for weights in (None, p, hits)], axis=1)


def scores(p: Array | None, task: ClassTask) -> dict:
    """Scores of probabilities; none of a table that a model refuses."""
    if p is None:
        return {}
    y, rows = task.y_test, np.arange(len(task.y_test))
    truth = np.zeros_like(p)
    truth[rows, y] = 1
    scored = [1] if task.classes == 2 else range(task.classes)
    pooled = np.concatenate([p[:, k] for k in scored])
    bins = calibration(pooled, np.concatenate([truth[:, k] for k in scored]))
    figures = {
        "log_loss": float(-np.log(np.maximum(p[rows, y], LEAST)).mean()),
        "brier": float(((p - truth) ** 2).sum(1).mean()),
        "auc": float(np.mean([roc_auc_score(truth[:, k], p[:, k]) for k in scored])),
        "accuracy": float((p.argmax(1) == y).mean()),
        "calibration_error": float(np.abs(bins[:, 2] - bins[:, 1]).sum() / len(pooled)),
    }
    count = np.maximum(bins[:, :1], 1)
    cells = [
        f"{n:.0f}:{p:.4g}:{share:.4g}"
        for n, p, share in np.hstack((bins[:, :1], bins[:, 1:] / count))
    ]
    return figures | {"bins": " ".join(cells)}


def run(o: argparse.Namespace, models: dict[str, Model]) -> None:
    file = Scores(o.scores, FIELDS, ("table", "share", "seed", "model"), o.again)
    for task in tasks():
        for name, model in models.items():
            row = {"table": task.name, "share": task.share, "seed": task.seed, "model": name}
            file.add(row, lambda task=task, model=model: scores(model(task), task))


def summary(rows: pd.DataFrame) -> list[str]:
    """Means over the tables that all models have, by share, as a Markdown table."""
    lines = [
        "| rows read | model | log loss | best in | Brier | AUC | accuracy | calibration error |"
    ]
    lines.append("|---|---|---:|---:|---:|---:|---:|---:|")
    for share, part in rows.groupby("share"):
        models = list(part.model.unique())
        part = part.dropna(subset="log_loss")
        count = part.groupby(["table", "seed"]).model.transform("nunique")
        means = part[count == len(models)].groupby(["model", "table"])[list(METRICS)].mean()
        if means.empty:
            continue
        best = means.log_loss.unstack("model")[models].idxmin(axis=1)
        for model in models:
            first, *others = means.loc[model].mean()
            cells = [f"{first:.3f}", f"{(best == model).sum()} of {len(best)}"]
            cells += [f"{v:.3f}" for v in others]
            lines.append(f"| {share:.0%} | {model} | " + " | ".join(cells) + " |")
    return lines


def parse_options() -> argparse.Namespace:
    p = options(__doc__)
    p.add_argument("--model", nargs="*", default=[], help="bundles, or checkpoints to export")
    p.add_argument("--program", default="build/bin/pfnamp", help="the program that runs bundles")
    return p.parse_args()


def main() -> None:
    o = parse_options()
    with tempfile.TemporaryDirectory() as folder:
        models = {m: program_model(o.program, exported(m, folder)) for m in o.model}
        run(o, models)
    print("\n".join(summary(pd.read_csv(o.scores))))


if __name__ == "__main__":
    main()
