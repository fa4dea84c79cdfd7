"""What a network says of functions that it never saw: families left out of training.

    for f in "" linear forest; do
        python -m scripts.training.train.trainer --out runs/left_out/${f:-none} --without "$f" ...
    done
    python -m scripts.evaluation.left_out --runs runs/left_out

The run `none` knows every family, the others all but the one that names their folder. On
fresh tables of that family both say where the conditional mean, the median and the
0.9-quantile of every query row are. Printed is the share of these inside the 90 % interval,
its width and interval score in standard deviations of the target, and the scale of the
normal score at which the limits would have covered 90 % (1: as they are). One network
alone, without members and trends; what these and the manifest's scale add is measured
by `surface.py` on families outside the prior.
"""

from __future__ import annotations

import argparse
import os
from collections import defaultdict
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch
from scipy.special import ndtri
from torch import Tensor

from scripts.reference.posterior import LEVELS, POSTERIOR_LEVELS
from scripts.training.network.network import TabICL
from scripts.training.train.batches import Source
from scripts.training.train.checkpoint import load_network

ALL = "none"
SEED = 970_000_000  # far from the seeds of training and validation
LIMITS = (0.05, 0.95)
MISS = 2 / (1 - (LIMITS[1] - LIMITS[0]))
ROWS_READ = tuple(LEVELS.index(u) for u in (0.5, 0.9)) + (len(LEVELS),)  # and the mean's


def normal_scores(levels: Tensor, truth: Tensor) -> Tensor:
    """Normal score of the level at which the truth [...] stands among quantiles [...,J]."""
    z = torch.tensor(ndtri(np.array(POSTERIOR_LEVELS)), dtype=levels.dtype)
    above = (levels < truth.unsqueeze(-1)).sum(-1).clamp(1, len(z) - 1)
    low, high = (levels.gather(-1, i.unsqueeze(-1)).squeeze(-1) for i in (above - 1, above))
    share = (truth - low) / (high - low).clamp_min(1e-9)
    return z[above - 1] + share * (z[above] - z[above - 1])


def scores(net: TabICL, x: Tensor, y: Tensor, truth: Tensor) -> list[tuple]:
    """Coverage, width, interval score and normal scores of each table whose truth is known."""
    rows = y.shape[1]
    with torch.no_grad():
        said = net(x, y).posterior[:, :, ROWS_READ].sort(-1).values
    truth = truth[:, rows:, ROWS_READ]
    low, high = (said[..., POSTERIOR_LEVELS.index(a)] for a in LIMITS)
    outside = (low - truth).clamp_min(0) + (truth - high).clamp_min(0)
    z = normal_scores(said, truth)
    found = []
    for b in range(len(x)):
        known = ~truth[b].isnan().any(-1)
        if known.sum() < 5:
            continue
        width, miss = (high - low)[b][known], outside[b][known]
        covered = (miss <= 1e-6).float().mean().item()
        score = (width + MISS * miss).mean().item()
        found.append((covered, width.mean().item(), score, z[b][known].abs().flatten().numpy()))
    return found


def summary(tables: list[tuple]) -> str:
    covered, width, score = (np.mean([t[i] for t in tables]) for i in range(3))
    share = np.concatenate([np.full(len(t[3]), 1 / len(t[3])) for t in tables])
    z = np.concatenate([t[3] for t in tables])
    order = z.argsort()
    reached = np.searchsorted(share[order].cumsum() / share.sum(), LIMITS[1] - LIMITS[0])
    return f"{covered:.3f}, {width:.3f}, {score:.3f}, {z[order][reached] / ndtri(LIMITS[1]):.2f}"


def main() -> None:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--runs", required=True, help=f"folder of runs: {ALL}, and names of families")
    p.add_argument("--batches", type=int, default=600, help="small batches of fresh tables")
    o = p.parse_args()
    runs = {f.parent.name: load_network(str(f))[0] for f in Path(o.runs).glob("*/last.pt")}
    source, found = Source(queries=64, wide=0.25), defaultdict(list)
    for i in range(o.batches):
        batch = source.batch(SEED + 10 * i)
        for family in set(batch.family) & set(runs):
            at = [b for b, name in enumerate(batch.family) if name == family]
            x, y, truth = batch.x[at], batch.y[at, : batch.rows], batch.truth[at]
            for run in (ALL, family):
                found[family, run] += scores(runs[run], x, y, truth)
    families = sorted({family for family, _ in found})
    parts = {f: (found[f, ALL], found[f, f]) for f in families}
    parts["all"] = tuple(sum(every, []) for every in zip(*parts.values()))
    print(
        "| family | tables | known: coverage, width, score, scale | left out |\n|---|---|---|---|"
    )
    for name, (known, unseen) in parts.items():
        print(f"| {name} | {len(known)} | {summary(known)} | {summary(unseen)} |")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
