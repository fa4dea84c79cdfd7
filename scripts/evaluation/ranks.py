"""Where the truth stands in the posterior surface: fresh tables of the prior, by family.

    python -m scripts.evaluation.ranks --bundle BUNDLE --tables 200

For the mean, the median and the 0.9-quantile of every query row the posterior level of the
truth is looked up. Printed per family are the share inside the 90 % interval, its width in
standard deviations of the target, and the histogram of the levels in ten bins, which is
flat where the posterior is calibrated. A network trained by `trainer.py --without FAMILY`
shows how far this holds for functions that it never saw.
"""

from __future__ import annotations

import argparse
import os
from collections import defaultdict
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from scipy.special import ndtr

from scripts.evaluation.surface import BINS, Predictions
from scripts.evaluation.tasks import PRIOR_SEED
from scripts.reference.posterior import LEVELS
from scripts.training.prior.draw import Draw
from scripts.training.prior.tables import sample_tables, sample_width

QUERIES = 100
BATCH = 900  # rows of a table, of which at most 800 are context


def drawn(seed: int) -> tuple | None:
    """Context, queries, truth [M,3] of mean, q0.5 and q0.9, and the family of a fresh table."""
    d = Draw(PRIOR_SEED + 10 * seed)
    rows, width = int(d.log_uniform(1, low=20.0, high=800.0)), sample_width(d)
    t = sample_tables(PRIOR_SEED + 10 * seed + 1, 1, BATCH, width)
    at = [LEVELS.index(u) for u in (0.5, 0.9)]
    truth = np.column_stack((t.mean[0], t.quantiles[0][:, at])).astype(float)
    x, y = t.x[0].double().numpy(), t.y[0].double().numpy()
    queries = np.arange(BATCH - QUERIES, BATCH)
    queries = queries[~np.isnan(truth[queries]).any(1)]
    if len(queries) < QUERIES // 2 or y[:rows].std() < 1e-3:
        return None
    return x[:rows], y[:rows], x[queries], truth[queries], t.family[0]


def main() -> None:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--bundle", required=True, help="bundle with a surface")
    p.add_argument("--tables", type=int, default=200)
    o = p.parse_args()
    predictions = Predictions(Path(o.bundle))
    found = defaultdict(list)
    for seed in range(o.tables):
        table = drawn(seed)
        if table is None:
            continue
        *parts, truth, family = table
        surface, _ = predictions.both(*parts)
        rows = [-1] + [int(np.argmin(np.abs(surface.levels - u))) for u in (0.5, 0.9)]
        scores = np.column_stack([surface.rank(k, v) for k, v in zip(rows, truth.T)])
        limits = [surface.read(a)[:, rows] for a in (0.05, 0.95)]
        width = (limits[1] - limits[0]).mean() / parts[1].std()
        found[family].append((scores.ravel(), width))
    for family, tables in [*sorted(found.items()), ("all", sum(found.values(), []))]:
        levels = ndtr(np.concatenate([scores for scores, _ in tables]))
        shares = np.histogram(levels, bins=BINS, range=(0, 1))[0] / len(levels)
        covered = ((levels >= 0.05) & (levels <= 0.95)).mean()
        width = np.mean([w for _, w in tables])
        print(f"{family:12s} {len(tables):4d} tables, coverage {covered:.3f}, width {width:.3f},",
              np.round(shares, 3))  # fmt: skip


if __name__ == "__main__":
    main()
