"""How far the rows of one table hang together, and which --length of `predict` says the same.

    python -m scripts.evaluation.length

In the additive B-spline model of Nagler & Rügamer's simulation (section 5) the joint posterior of
the median at many rows is known: it is normal with a known covariance. For random tables the
script compares it with the dependence that `pfnamp predict --joint` assumes (package amp,
JointSampler) at the same standard deviations: the posterior standard deviation of the average
over 100 rows, and of the difference of two random rows, both as a share of what they would be if
all rows moved together (average) or independently of each other (difference).
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.interpolate import BSpline

CELLS = ((1, 1, 50), (1, 1, 200), (1, 1, 800), (10, 5, 50), (10, 5, 200), (10, 5, 800),
         (10, 10, 200), (10, 10, 800), (20, 20, 200), (20, 20, 800))  # fmt: skip
LENGTHS = (0.25, 0.5, 1.0, 2.0)
PRIOR_VARIANCE = 2.0  # of a spline coefficient; the noise has variance 1
ROWS = 100


def splines(x: np.ndarray, signals: int) -> np.ndarray:
    """Cubic B-splines with 20 functions for each of the first columns of x."""
    knots = np.concatenate(([0] * 3, np.linspace(0, 1, 18), [1] * 3))
    parts = [BSpline.design_matrix(x[:, j], knots, 3).toarray() for j in range(signals)]
    return np.hstack(parts)


def shares(covariance: np.ndarray) -> tuple[float, float]:
    """Standard deviation of the average and of differences, as shares (see above)."""
    deviation = np.sqrt(np.diag(covariance))
    apart = np.add.outer(deviation**2, deviation**2)
    other = ~np.eye(len(covariance), dtype=bool)
    difference = (apart - 2 * covariance)[other].mean() / apart[other].mean()
    return np.sqrt(covariance.mean()) / deviation.mean(), np.sqrt(difference)


def cell(features: int, signals: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """[1 + len(LENGTHS), 2] shares of one table: exact, then by length."""
    train, query = rng.random((n, features)), rng.random((ROWS, features))
    design, at = splines(train, signals), splines(query, signals)
    precision = design.T @ design + np.eye(design.shape[1]) / PRIOR_VARIANCE
    exact = at @ np.linalg.solve(precision, at.T)
    deviation = np.sqrt(np.diag(exact))
    spread = 12 * ((query[:, None] - query[None]) ** 2).sum(-1)  # in units of the variance
    found = [shares(exact)]
    for length in LENGTHS:
        kernel = np.exp(-spread / (2 * length**2 * features))
        found.append(shares(kernel * np.outer(deviation, deviation)))
    return np.array(found)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=5, help="tables per cell")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    heads = ["exact", *(f"length {length:g}" for length in LENGTHS)]
    print("| d, J, n | " + " | ".join(heads) + " |")
    print("|---" + "|---:" * len(heads) + "|")
    for features, signals, n in CELLS:
        rng = np.random.default_rng([args.seed, features, signals, n])
        mean = np.mean([cell(features, signals, n, rng) for _ in range(args.tables)], axis=0)
        row = " | ".join(f"{average:.2f} / {difference:.2f}" for average, difference in mean)
        print(f"| {features}, {signals}, {n} | {row} |")


if __name__ == "__main__":
    main()
