"""Compare the program with the `tabpfn` package's classifier; see parity.py.

    python -m scripts.export.tabpfn.class_parity --program build/bin/pfnamp --data folder

Differences are of probabilities as they are, those of features and logits relative to
max(1, |value|). `csv` is end to end: a file with labels through `pfnamp predict`, all
probabilities of all query rows; `class` counts the rows whose most probable class is
another one. "own" is how far the package's probabilities are from its own with a cached
context, "permuted" as in parity.py.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from tabpfn import TabPFNClassifier

from scripts.export.bundle import parity
from scripts.export.bundle.labels import compared
from scripts.export.bundle.parity import Program, Report
from scripts.export.tabpfn.cases import Case
from scripts.export.tabpfn.class_cases import made_cases, real_cases, wide_cases
from scripts.export.tabpfn.golden import class_case_of
from scripts.export.tabpfn.parity import (
    GOLDEN_ROWS,
    NETWORKS,
    make,
    parse_options,
    permuted,
    predicted,
    run,
)
from scripts.export.tabpfn.stages import Table, class_stages, estimator, package

# Columns of the report: its name, the stages of `models verify` in it, and the gate.
STAGES = (
    ("members", ("members",), 0.0),
    ("target", ("y_train",), 0.0),
    ("features", ("x_train", "x_test"), 2e-5),
    ("logits", ("network",), 1e-3),
    ("read-out", ("post-processing: probabilities",), 1e-6),
    ("mass", ("result: probabilities",), 1e-4),
)
GATES = {name: gate for name, _, gate in STAGES} | {"csv": 1e-4, "class": 0.0}
REPORT = Report("tabpfn-classes", GATES, own=("own", "permuted"), counts=("K", "B"), width=46)


def compare(
    program: Program, network: Path, bundle: Path, t: Table, members: int
) -> dict[str, float]:
    """Largest differences of one table: stages, then end to end."""
    d = class_stages(network, t, members=members)
    with tempfile.TemporaryDirectory(dir=bundle) as name:
        folder = Path(name)
        case = class_case_of(d, t, GOLDEN_ROWS)
        found = program.verify(parity.with_golden(bundle, case, folder))
        out = predicted(program, bundle, t, folder, members)
        written = pd.read_csv(out, dtype={"class": str})
    row = parity.worst(STAGES, found)
    row |= compared(written, d["labels"], d["probabilities"], t.name)
    row["own"] = own_noise(network, t, d, members)
    row["permuted"] = permuted(t, bundle)
    return row


def own_noise(network: Path, t: Table, d: dict, members: int) -> float:
    """How far the package's probabilities are from its own with a cached context."""
    of = (network, members, 0, False, "fit_with_cache", t.declared)
    model = estimator(TabPFNClassifier, *of).fit(t.x, t.y)
    return float(np.abs(model.predict_proba(t.queries) - d["probabilities"]).max())


def line(program: Program, network: Path, bundle: Path, case: Case, members: int) -> bool:
    """Print one line; whether every gate holds."""
    row = compare(program, network, bundle, case.task, members)
    counts = (len(np.unique(case.task.y)), members)
    return REPORT.line(case, counts, row, {"features": row["permuted"]})


def main() -> None:
    sizes = [name for name in NETWORKS if not name.startswith("products")]
    o = parse_options(__doc__, ",".join(sizes))
    cases = real_cases(o.data, o.rows, o.queries) + made_cases()
    cases += wide_cases() if package.VERSION != "2.0.9" else []
    found = parity.networks(o, lambda size: make(size, o.seed, "classification"), "-classes")
    run(o, found, cases, REPORT, line, "classification")


if __name__ == "__main__":
    main()
