"""Intervals of every functional where the truth is known, by the surface of a bundle.

    python -m scripts.evaluation.surface --bundle BUNDLE --scores surface.csv

Ten families of functions outside the prior (`simulated.py`) with 2, 5, 10 and 20 features
and 50, 200 and 800 rows. Scores are the share of truths inside the 90 % interval, its
width, its interval score (width + 2 / 0.1 x the distance of a truth outside) and the error
of the point, the last three in standard deviations of the target (not for the event, the
probability to exceed the training target's 0.7-quantile). Rows of the file of scores that
exist are kept; those of the surface are made anew. The file also has the program's posteriors
(`auto`, `paper`, `limit`), made by this script of commit ee0b3c29, and BART, a Gaussian process
(`gp`, of at most 200 rows) and the bootstrap, made by that of commit e0c24740.

The scale of the normal score at which the limits are read is chosen so that the intervals
of all functionals cover 90 % on the average family; what is scored is, for every family,
the scale that the other nine choose (`surface`), beside the surface as it comes (`raw`) and at
the scale of the bundle's manifest (`bundle`), which is what the program writes by itself (`auto`).
"""

import argparse
import json
import os
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri

from scripts.evaluation.simulated import FAMILIES, Array, Simulated, all_simulated
from scripts.export.tabicl.graphs import OnnxNetwork
from scripts.reference.posterior import PosteriorSurface
from scripts.reference.regression import Ensemble, Prediction, predict

KEYS = ("family", "features", "rows", "seed")
SCORES = ("coverage", "width", "score", "error")
LIMITS = (0.05, 0.5, 0.95)
FUNCTIONALS = ("mean", "q0.5", "q0.9", "event")
LEVEL = 0.9
BINS = 10
SURFACES = ("raw", "surface", "bundle")


def truth(task: Simulated) -> dict[str, Array]:
    values = task.mean(), task.quantile(0.5), task.quantile(0.9), task.exceeds(task.threshold)
    return dict(zip(FUNCTIONALS, values))


def scored(found: Array, want: Array, unit: float) -> dict[str, float]:
    """Scores of intervals [M,3] for the truth [M]; widths are divided by `unit`."""
    low, point, high = found.T
    slack = 1e-9 * (1 + np.abs(want))
    outside = np.maximum(low - want, 0) + np.maximum(want - high, 0)
    return {
        "coverage": (outside <= slack).mean(),
        "width": (high - low).mean() / unit,
        "score": (high - low + 2 / (1 - LEVEL) * outside).mean() / unit,
        "error": np.abs(point - want).mean() / unit,
    }


class Predictions:
    """What a bundle's graphs predict, and its posterior surface in units of the target."""

    def __init__(self, bundle: Path):
        manifest = json.loads((bundle / "manifest.json").read_text())
        self.entry = manifest["surface"]
        self.network = OnnxNetwork(bundle)
        self.ensemble = Ensemble.of(manifest["ensemble"])

    def both(self, *table: Array) -> tuple[PosteriorSurface, Prediction]:
        """x_train [N,H], y_train [N], x_test [M,H] -> the surface and all of the prediction."""
        p = predict(self.network, self.ensemble, *table)
        levels = (np.array(self.entry[k]) for k in ("levels", "posterior_levels"))
        return PosteriorSurface(p.surface * p.sd + p.mu, *levels, label=p), p


def label_error(p: Prediction, task: Simulated) -> list[float]:
    """Mean errors of the functionals of the label's own distribution, scaled as in `scored`."""
    event = 1 - p.cdf(np.full(len(p.distribution.knots), task.threshold))
    points = [p.mean(), *p.quantiles((0.5, 0.9)).T, event]
    gaps = [np.abs(v - truth(task)[name]).mean() for name, v in zip(FUNCTIONALS, points)]
    return [gap / (1.0 if n == "event" else task.scale) for n, gap in zip(FUNCTIONALS, gaps)]


def intervals(surface: PosteriorSurface, scale: float, t: float) -> dict[str, Array]:
    """Lower limit, point and upper limit [M,3] of the 90 % interval of every functional."""
    read = replace(surface, scale=scale)
    ways = {
        "mean": read.mean,
        "q0.5": lambda tau: read.quantile(0.5, tau),
        "q0.9": lambda tau: read.quantile(0.9, tau),
        "event": lambda tau: read.exceeds(t, tau),
    }
    return {name: np.stack([way(a) for a in LIMITS], axis=1) for name, way in ways.items()}


def ranks(surface: PosteriorSurface, task: Simulated) -> dict[str, Array]:
    """Normal scores of the posterior level of the truth, [M] for the mean and two quantiles."""
    want, at = truth(task), surface.levels
    row = {"mean": -1} | {f"q{u}": int(np.argmin(np.abs(at - u))) for u in (0.5, 0.9)}
    return {name: surface.rank(k, want[name]) for name, k in row.items()}


def best_scale(scores: list[Array]) -> float:
    """The scale with which the average part is covered as it should be."""
    grid = np.arange(0.4, 1.6, 0.005)
    wanted = ndtri((1 + LEVEL) / 2)
    covered = [np.mean([(np.abs(z) <= c * wanted).mean() for z in scores]) for c in grid]
    return float(grid[np.argmin(np.abs(np.array(covered) - LEVEL))])


def scales(tasks: list[Simulated], found: list[PosteriorSurface]) -> tuple[dict, float]:
    """The scale chosen without each family, and by all of them."""
    parts = {f.__name__: [] for f in FAMILIES}
    for task, surface in zip(tasks, found):
        parts[task.family] += list(ranks(surface, task).values())
    without = {
        name: best_scale([z for other, zs in parts.items() if other != name for z in zs])
        for name in parts
    }
    everything = [z for zs in parts.values() for z in zs]
    counts = np.histogram(ndtr(np.concatenate(everything)), bins=BINS, range=(0, 1))[0]
    print("ranks of the truth, mean and quantiles:", np.round(counts / counts.sum(), 3))
    for name, zs in parts.items():
        counts = np.histogram(ndtr(np.concatenate(zs)), bins=BINS, range=(0, 1))[0]
        print(f"  {name:10s}", np.round(counts / counts.sum(), 3), f"scale {best_scale(zs):.3f}")
    return without, best_scale(everything)


def rows_of(task: Simulated, posterior: str, found: dict[str, Array]) -> list[dict]:
    want, rows = truth(task), []
    for name in FUNCTIONALS:
        unit = 1.0 if name == "event" else task.scale
        key = {k: getattr(task, k) for k in KEYS} | {"posterior": posterior, "functional": name}
        rows.append(key | scored(found[name], want[name], unit))
    return rows


def surface_rows(bundle: Path, tasks: list[Simulated]) -> list[dict]:
    predictions = Predictions(bundle)
    pairs = [predictions.both(t.x_train, t.y_train, t.x_test) for t in tasks]
    found = [surface for surface, _ in pairs]
    errors = np.mean([label_error(p, task) for task, (_, p) in zip(tasks, pairs)], axis=0)
    print("errors of the label's own functionals:", dict(zip(FUNCTIONALS, errors.round(3))))
    without, scale = scales(tasks, found)
    print(f"scale by all families: {scale:.3f}; left out: {without}")
    rows = []
    for task, surface in zip(tasks, found):
        t = task.threshold
        rows += rows_of(task, "raw", intervals(surface, 1.0, t))
        rows += rows_of(task, "surface", intervals(surface, without[task.family], t))
        rows += rows_of(task, "bundle", intervals(surface, predictions.entry.get("scale", 1.0), t))
    return rows


def write_rows(path: Path, rows: pd.DataFrame) -> None:
    names = ["posterior", "functional"]
    rows = rows.sort_values([*names, *KEYS], key=lambda column: column.astype(str))
    how = {"float_format": "%.5g", "lineterminator": "\r\n", "index": False}
    rows.to_csv(path, columns=[*KEYS, *names, *SCORES], **how)


def summary(rows: pd.DataFrame) -> None:
    """Per functional and posterior the means over tables that all posteriors have."""
    print("| functional | posterior | tables | coverage | lowest family | width | score | error |")
    print("|---" * 8 + "|")
    posteriors = rows.posterior.unique()
    shared = rows.groupby(list(KEYS)).posterior.transform("nunique") == len(posteriors)
    for functional in FUNCTIONALS:
        for posterior in posteriors:
            part = rows[shared & (rows.functional == functional) & (rows.posterior == posterior)]
            mean = part[list(SCORES)].mean()
            family = part.groupby("family").coverage.agg(lambda v: v.to_numpy().mean())
            cells = f"{mean.coverage:.3f} | {family.min():.3f} {family.idxmin()} | {mean.width:.3f}"
            print(f"| {functional} | {posterior} | {len(part)} | {cells} | "
                  f"{mean.score:.3f} | {mean.error:.3f} |")  # fmt: skip


def main() -> None:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--bundle", help="bundle with a surface")
    p.add_argument("--scores", required=True, help="CSV file to write")
    o = p.parse_args()
    rows = pd.read_csv(o.scores)
    if o.bundle:
        made = pd.DataFrame(surface_rows(Path(o.bundle), list(all_simulated())))
        rows = pd.concat([rows[~rows.posterior.isin(SURFACES)], made], ignore_index=True)
        write_rows(Path(o.scores), rows)
    few = rows.posterior == "gp"
    summary(rows[~few])
    if few.any():
        print("\nof these with at most 200 rows:\n")
        summary(rows)


if __name__ == "__main__":
    main()
