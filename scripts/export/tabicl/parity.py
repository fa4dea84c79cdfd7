"""Compare the program with the `tabicl` package's regressor or classifier.

    python -m scripts.export.tabicl.parity --program build/bin/pfnamp --data folder

Networks have random weights and are made here; any --checkpoint comes too. Quantiles are in
standard deviations of the target, probabilities as they are: `inside` are the quantiles between the
network's outermost levels, `tails` those beyond, beside the package's distribution in float64, and
`tails32` beside what it returns, which computes 1 - level in float32. `class` counts the rows whose
most probable class is another one. The exit status is 1 if a gate is exceeded by a table on which
both mean the same.
"""

from pathlib import Path

import numpy as np

from scripts.export.bundle import cases, parity
from scripts.export.bundle.cases import Table
from scripts.export.bundle.parity import GOLDEN, Found, Program, Report
from scripts.export.tabicl import classes, quantiles
from scripts.export.tabicl.make_checkpoint import make
from scripts.export.tabicl.quantiles import QUANTILE_LEVELS, estimate

GOLDEN_ROWS = 8  # query rows of golden vectors
NUMBERS = Report("tabicl", GOLDEN | {"inside": 5e-6, "tails": 2e-5}, own=("tails32",))
CLASSES = Report("tabicl-classes", GOLDEN | {"csv": 2e-6, "class": 0.0}, counts=("K", "B"))
SMALL = "the package shrinks columns with deviations near 1e-6"


def compare(program: Program, checkpoint: Path, bundle: Path, t: Table, folder: Path) -> Found:
    """The regressor."""
    estimator = quantiles.fit(str(checkpoint), t)
    case, rows = quantiles.golden_case(estimator, t.head(GOLDEN_ROWS)), t.spread(GOLDEN_ROWS)
    golden = program.golden(bundle, case, folder)
    names = [f"q{p}" for p in QUANTILE_LEVELS]
    more = ("--functional", ",".join(names), "--members", str(t.members))
    more += ("--posterior", "limit", "--target-values", "any")
    got = program.predict(bundle, t, folder, *more)[names].to_numpy(float)
    want, exact = estimate(estimator, t), np.array(case["expect"]["quantiles"])
    inside = 1 / (want.raw.shape[1] + 1)
    tail = np.array([not inside <= p <= 1 - inside for p in QUANTILE_LEVELS])
    gaps = abs(got - want.quantiles) / want.sd
    row = {
        "inside": gaps[:, ~tail].max(),
        "tails": abs(got[rows] - exact)[:, tail].max(initial=0.0) / want.sd,
        "tails32": gaps[:, tail].max(initial=0.0),
    }
    grain = parity.grain(t.y)
    return Found.of(golden, row, dict.fromkeys(("inside", "tails"), grain), (t.members,), grain)


def compare_classes(
    program: Program, checkpoint: Path, bundle: Path, t: Table, folder: Path
) -> Found:
    """The classifier."""
    estimator = classes.fit(str(checkpoint), t)
    golden = program.golden(bundle, classes.golden_case(estimator, t.head(GOLDEN_ROWS)), folder)
    out = program.predict(bundle, t, folder, "--members", str(t.members))
    labels, want = estimator.classes_, estimator.predict_proba(t.test)
    row = parity.compared(out, labels, want, t.name)
    return Found.of(golden, row, {}, (len(labels), t.members))


def small_units() -> Table:
    """A column with a deviation near the 1e-6 that the package adds to deviations."""
    x, y = cases.normal(9, 40, 3)
    x[:, 1] *= 2e-6
    return cases.split("column in small units", x, y, 4, differs=SMALL)


def main() -> None:
    o = parity.options(__doc__, "tiny,small,full").parse_args()
    made, good = cases.made() + [cases.with_members(n) for n in (1, 2, 5, 64)], True
    for task in [o.task] if o.task else parity.TASKS:

        def checkpoint(size: str, task: str = task) -> dict:
            return make(size, parity.SEED, task=task)

        if task == "regression":
            tables = [*cases.real(o.data, parity.ROWS, parity.QUERIES), *made, small_units()]
            tables += [cases.numbers(), cases.few(2)]
            good &= parity.run(o, "tabicl", checkpoint, tables, NUMBERS, compare)
            continue
        tables = cases.real_classes(o.data, parity.ROWS, parity.QUERIES) + cases.made_classes(made)
        tables += [cases.many(*s) for s in ((11, 44), (26, 78, 5), (100, 220), (101, 210, 2))]
        good &= parity.run(o, "tabicl", checkpoint, tables, CLASSES, compare_classes)
    parity.end(good)


if __name__ == "__main__":
    main()
