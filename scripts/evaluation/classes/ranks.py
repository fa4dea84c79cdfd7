"""A classifier on the fixed validation tables of the prior, by kind of table.

    python -m scripts.evaluation.classes.ranks --checkpoint models/classifier

Printed are the log loss expected under the truth, that of the shares of the context's classes,
and its least, the entropy of the truth; the share of true probabilities inside the 90 %
intervals of one member, as the network says them, their width, and the histogram of the levels
of the truths in ten bins, which is flat where the posterior is calibrated (truths of 0 and 1
beyond the outermost levels are in the outer bins).
"""

from __future__ import annotations

import argparse
import os
from collections import defaultdict

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch
from torch import Tensor

from scripts.training.network.class_posterior import ABSENT, anchored, cells, mirrored
from scripts.training.network.network import TabICL
from scripts.training.train.batches import SUITES, Validation
from scripts.training.train.checkpoint import load_network
from scripts.training.train.class_batches import ClassBatch, ClassSource, class_losses

BINS = 10


def cross(p: Tensor, q: Tensor) -> Tensor:
    """Log loss [M] of predictions q [M,K] expected under p [M,K]."""
    return -(p * q.clamp_min(1e-9).log()).sum(-1)


def table_scores(batch: ClassBatch, i: int, logits: Tensor, offsets: Tensor, levels: Tensor):
    """What is known of table i: three log losses [M], and of rows and classes the level of the
    truth and the width of the interval [M*K]. None if its truth is unknown."""
    n, k = batch.rows, int(batch.classes[i])
    truth = batch.p[i, n:, :k]
    known = ~torch.isnan(truth).any(-1)
    if not known.any():
        return None
    truth, o = truth[known], offsets[i, known, :k]
    p = torch.softmax(logits[i, known, :k].clamp_min(ABSENT), dim=-1)
    shares = torch.bincount(batch.y[i, :n], minlength=k)[:k] / n
    q = torch.sigmoid(anchored(mirrored(o) if k == 2 else o, p, cells(levels))).sort(-1).values
    grid = levels.numpy()
    pairs = zip(truth.flatten().numpy(), q.flatten(0, 1).numpy())
    at = [np.interp(t, row, grid) for t, row in pairs]
    ends = [int((levels - tau).abs().argmin()) for tau in (0.05, 0.95)]
    low, high = torch.minimum(q[..., ends[0]], p), torch.maximum(q[..., ends[1]], p)
    inside = (truth >= low - 1e-4) & (truth <= high + 1e-4)
    losses = (cross(truth, v) for v in (p, shares.expand_as(truth), truth))
    return [v.numpy() for v in (*losses, inside.float(), high - low)] + [np.array(at)]


def report(name: str, parts: list) -> None:
    means = [np.mean([np.mean(part[j]) for part in parts]) for j in range(5)]
    levels = np.concatenate([part[5] for part in parts])
    counts = np.histogram(levels, bins=BINS, range=(0, 1))[0] / len(levels)
    print(f"| {name} | {len(parts)} |", " | ".join(f"{v:.3f}" for v in means), "|",
          " ".join(f"{v:.2f}" for v in counts), "|", flush=True)  # fmt: skip


def scores(net: TabICL, validation: Validation) -> dict[str, list]:
    """The scores of every table by kind, family of functions and suite."""
    levels = torch.tensor(net.config["class_posterior"]["posterior_levels"])
    found = defaultdict(list)
    for suite in SUITES:
        for batch in validation.suites[suite]:
            with torch.no_grad():
                out = net(batch.x, batch.y[:, : batch.rows].to(batch.x.dtype))
            for i, family in enumerate(batch.family):
                row = table_scores(batch, i, out.quantiles, out.posterior, levels)
                for name in (suite, *family.split("/"), "all") if row else ():
                    found[name].append(row)
    return found


def main() -> None:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--checkpoint", required=True, help="classifier with a posterior")
    o = p.parse_args()
    torch.set_num_threads(1)
    net, _ = load_network(o.checkpoint)
    print("| part | tables | log loss | shares | truth | coverage | width | levels of the truth |")
    print("|---|---|---|---|---|---|---|---|")
    for name, parts in scores(net, Validation(ClassSource(), class_losses)).items():
        report(name, parts)


if __name__ == "__main__":
    main()
