"""How narrow an interval of a class probability can be: who knows the law, and who does not.

    python -m scripts.evaluation.classes.limit --program build/bin/pfnamp

Two classes with log odds o + x'b, b ~ N(0, 4/d), o ~ N(0, 1/2), features standard normal. The exact
posterior of the probability is that of logistic regression under this very prior, by importance
sampling from a Student-t law about the mode. Beside it stand, on the same tables, the classifier's
learned posterior and the published schedule: coverage, width, and width as a share of the
published one's. No interval that covers 90 % can be narrower on average than the exact one, and
only one that has been told that the log odds are linear reaches it.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from scipy.special import expit

Array = np.ndarray
FEATURES, ROWS, QUERIES = (2, 5, 10), (50, 200, 800), 100
SPREAD, OFFSET = 4.0, 0.5  # variances of x'b, where x is standard normal, and of o
DRAWS, KEPT, FREEDOM = 20_000, 4_000, 8
METHODS = ("exact", "learned", "published")


def drawn(rng: np.random.Generator, n: int, d: int) -> tuple[Array, Array, Array]:
    """Features [N+M,d], labels [N+M] and their probabilities."""
    x = rng.normal(size=(n + QUERIES, d))
    p = expit(rng.normal() * OFFSET**0.5 + x @ rng.normal(size=d) * (SPREAD / d) ** 0.5)
    return x, (rng.random(len(x)) < p).astype(int), p


def exact(rng: np.random.Generator, x: Array, y: Array, queries: Array) -> Array:
    """[M,2] limits of the 90 % interval of the probability, under the prior of `drawn`."""
    design, asked = (np.column_stack([np.ones(len(v)), v]) for v in (x, queries))
    precision = np.array([1 / OFFSET] + [x.shape[1] / SPREAD] * x.shape[1])
    b = np.zeros(len(precision))
    for _ in range(100):  # Newton's method
        mu = expit(design @ b)
        hessian = (design * (mu * (1 - mu))[:, None]).T @ design + np.diag(precision)
        step = np.linalg.solve(hessian, design.T @ (y - mu) - precision * b)
        b += step
        if abs(step).max() < 1e-9:
            break
    root = np.linalg.cholesky(np.linalg.inv(hessian))
    normal = rng.normal(size=(DRAWS, len(b)))
    u = normal / np.sqrt(rng.chisquare(FREEDOM, size=(DRAWS, 1)) / FREEDOM)
    draws = b + u @ root.T
    sign = np.where(y == 1, 1, -1)
    log_posterior = -np.logaddexp(0, -sign * (draws @ design.T)).sum(1)
    log_posterior -= 0.5 * (precision * draws**2).sum(1)
    log_proposal = -(FREEDOM + len(b)) / 2 * np.log1p((u**2).sum(1) / FREEDOM)
    w = log_posterior - log_proposal
    w = np.exp(w - w.max())
    chosen = draws[rng.choice(DRAWS, KEPT, p=w / w.sum())]
    return np.quantile(expit(asked @ chosen.T), (0.05, 0.95), axis=1).T


def predicted(program: str, folder: Path, x: Array, y: Array) -> list[Array]:
    """[M,2] limits of the learned posterior and of the published schedule."""
    paths = [folder / name for name in ("train.csv", "queries.csv", "out.csv")]
    names = [f"x{j}" for j in range(x.shape[1])]
    labels = np.where(y == 1, "yes", "no")
    table = np.column_stack([x.astype(str), labels])
    for path, rows, head in (
        (paths[0], table[: len(x) - QUERIES], names + ["y"]),
        (paths[1], table[len(x) - QUERIES :, :-1], names),
    ):
        with open(path, "w", newline="") as f:
            csv.writer(f).writerows([head, *rows])
    paths[2].unlink(missing_ok=True)
    command = [program, "predict", paths[0], paths[1], "-y", "y", "-o", paths[2], "-q"]
    subprocess.run([*command, "--posterior", "auto,paper"], check=True)
    with open(paths[2], newline="") as f:
        rows = list(csv.DictReader(f))
    return [
        np.array([[float(r[f"p=yes{infix}_{end}"]) for end in ("lo", "hi")] for r in rows])
        for infix in ("", "_paper")
    ]


def main() -> None:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--program", required=True)
    p.add_argument("--seeds", type=int, default=8, help="tables of every kind")
    o = p.parse_args()
    print(f"| features, rows | {' | '.join(METHODS)} | shares of the published width |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for d in FEATURES:
            for n in ROWS:
                found = []
                for seed in range(o.seeds):
                    rng = np.random.default_rng([seed, n, d])
                    x, y, truth = drawn(rng, n, d)
                    limits = [exact(rng, x[:n], y[:n], x[n:])]
                    limits += predicted(o.program, Path(folder), x, y)
                    t = truth[n:]
                    found.append(
                        [
                            (((v[:, 0] <= t) & (t <= v[:, 1])).mean(), np.ptp(v, 1).mean())
                            for v in limits
                        ]
                    )
                means = np.mean(found, axis=0)
                cells = " | ".join(f"{covered:.2f}, {width:.3f}" for covered, width in means)
                exact_share, learned_share = means[:2, 1] / means[2, 1]
                print(
                    f"| {d}, {n} | {cells} | {exact_share:.2f}, {learned_share:.2f} |", flush=True
                )


if __name__ == "__main__":
    main()
