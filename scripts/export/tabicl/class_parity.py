"""Compare the program with the `tabicl` package's classifier; see parity.py.

    python -m scripts.export.tabicl.class_parity --program build/bin/pfnamp --data folder

Differences are of probabilities and logits as they are, those of encoded features
and of logits relative to max(1, |value|). `csv` is end to end: a file with labels
through `pfnamp predict`, all probabilities of all query rows; `class` counts the
rows whose most probable class is another one.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from scripts.export.bundle import parity
from scripts.export.bundle.labels import compared
from scripts.export.bundle.parity import Program, Report
from scripts.export.tabicl.class_tables import made_tables, real_tables
from scripts.export.tabicl.classes import fit, golden_case
from scripts.export.tabicl.make_checkpoint import make
from scripts.export.tabicl.parity import empty_columns, head, options, run
from scripts.export.tabicl.tables import Table

# Columns of the report: its name, the stages of `models verify` in it, and the gate.
STAGES = (
    ("members", ("members",), 0.0),
    ("target", ("y_train",), 0.0),
    ("encoded", ("x_train", "x_test"), 1e-6),
    ("network", ("network",), 2e-5),
    ("logits", ("post-processing: logits",), 1e-6),
    ("read-out", ("post-processing: probabilities",), 1e-6),
    ("mass", ("result: probabilities",), 2e-6),
)
GATES = {name: gate for name, _, gate in STAGES} | {"csv": 2e-6, "class": 0.0}
REPORT = Report("tabicl-classes", GATES, counts=("K", "B"), width=46, remark="gate")


def predict(program: Program, bundle: Path, table: Table, folder: Path) -> pd.DataFrame:
    """What the program writes for a CSV file."""
    more = ("--members", str(table.members), *empty_columns(table))
    out = program.predict(bundle, table.labelled(), table.test, folder, *more)
    return pd.read_csv(out, dtype={"class": str})


def compare(program: Program, checkpoint: Path, bundle: Path, table: Table) -> dict[str, float]:
    """Largest differences of one table: stages, then end to end."""
    estimator = fit(str(checkpoint), table)
    with tempfile.TemporaryDirectory(dir=bundle) as name:
        folder = Path(name)
        case = golden_case(estimator, head(table))
        stages = program.verify(parity.with_golden(bundle, case, folder))
        out = predict(program, bundle, table, folder)
    row = parity.worst(STAGES, stages)
    want = estimator.predict_proba(table.test)
    return row | compared(out, estimator.classes_, want, table.name)


def report(table: Table, row: dict[str, float]) -> bool:
    """Print one line; whether every gate holds."""
    return REPORT.line(table, (len(np.unique(table.y)), table.members), row, {})


def main() -> None:
    o = options(__doc__).parse_args()
    tables = real_tables(o.data, o.queries, o.most) + made_tables()
    found = parity.networks(o, lambda size: make(size, o.seed, task="classification"), "-classes")
    run(o, found, tables, REPORT, lambda *of: report(of[-1], compare(*of)))


if __name__ == "__main__":
    main()
