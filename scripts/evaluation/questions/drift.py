"""False alarms, power and seconds of `pfnamp check` beside published drift detectors.

    python -m scripts.evaluation.questions.drift --program build/bin/pfnamp --batches 1000

needs `scripts/evaluation/questions/drift.txt`. The rivals: of alibi-detect the Kolmogorov-Smirnov
test in every column with Bonferroni's correction, and a classifier (logistic regression, two folds)
whose probabilities are tested; of frouros the maximum mean discrepancy with a permutation test over
all numbers. Every batch has ten columns of numbers; the first may be shifted.
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

LEVEL = 0.01


def draw(random, rows, shift):
    """Ten columns: correlated, skewed, rounded, without a variance."""
    x = 0.6 * random.normal(size=(rows, 1)) + 0.8 * random.normal(size=(rows, 10))
    x[:, 0] += shift
    x[:, 4] = np.exp(x[:, 4])
    x[:, 5] = np.round(x[:, 5])
    x[:, 6] = random.standard_cauchy(rows)
    return x


def kolmogorov(a, b):
    """Kolmogorov-Smirnov in every column, Bonferroni."""
    from alibi_detect.cd import KSDrift

    return min(1, a.shape[1] * KSDrift(a, p_val=LEVEL).predict(b)["data"]["p_val"].min())


def classifier(a, b):
    """A logistic regression of standardised columns, tested on rows that it has not read."""
    from alibi_detect.cd import ClassifierDrift
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), LogisticRegression())
    options = {"backend": "sklearn", "preds_type": "probs", "n_folds": 2, "seed": 1}
    test = ClassifierDrift(a, model, p_val=LEVEL, **options)
    return test.predict(b)["data"]["p_val"]


def discrepancy(a, b):
    """The maximum mean discrepancy of standardised columns, 200 permutations."""
    from frouros.callbacks import PermutationTestDistanceBased
    from frouros.detectors.data_drift import MMD

    mean, sd = a.mean(0), a.std(0)
    test = PermutationTestDistanceBased(
        num_permutations=200, random_state=1, num_jobs=1, name="p", verbose=False
    )
    detector = MMD(callbacks=[test])
    detector.fit(X=(a - mean) / sd)
    _, log = detector.compare(X=(b - mean) / sd)
    return log["p"]["p_value"]


def pfnamp(program, a, b, folder):
    """The p-value of `pfnamp check`."""
    names = ",".join(f"x{j}" for j in range(a.shape[1]))
    train, batch = folder / "train.csv", folder / "batch.csv"
    target = np.arange(len(a))[:, None] % 7
    np.savetxt(
        train, np.hstack([a, target]), delimiter=",", header=names + ",y", comments="", fmt="%.9g"
    )
    np.savetxt(batch, b, delimiter=",", header=names, comments="", fmt="%.9g")
    out = subprocess.run(
        [program, "check", train, batch, "-y", "y", "--json", "--task", "regression"],
        check=True,
        capture_output=True,
    )
    return json.loads(out.stdout)["p"]


def main():
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default="build/bin/pfnamp")
    parser.add_argument("--batches", type=int, default=200)
    parser.add_argument("--slow", type=int, default=20, help="batches of the permutation test")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tests = {
            "pfnamp check": (lambda a, b: pfnamp(args.program, a, b, Path(folder)), args.batches),
            "alibi-detect KS": (kolmogorov, args.batches),
            "alibi-detect classifier": (classifier, args.batches),
            "frouros MMD": (discrepancy, args.slow),
        }
        print("| rows | shift | " + " | ".join(f"{name}: found, seconds" for name in tests) + " |")
        print("|---:|---:|" + "---:|" * len(tests))
        for rows, shift in ((500, 0), (500, 0.25), (500, 0.5)):
            cells = []
            for name, (test, batches) in tests.items():
                random, found, start = np.random.default_rng(1), 0, time.process_time()
                wall = time.time()
                for _ in range(batches):
                    found += test(draw(random, rows, 0), draw(random, rows, shift)) < LEVEL
                each = (
                    time.time() - wall if name.startswith("pfnamp") else time.process_time() - start
                ) / batches
                cells.append(f"{found / batches:.3f} of {batches}, {each:.2f}")
            print(f"| {rows} | {shift} sd | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
