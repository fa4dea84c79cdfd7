"""Compare the program with the `tabicl` package, stage by stage and end to end.

    python -m scripts.export.tabicl.parity --program build/bin/pfnamp --data folder

For networks with random weights, made here, and any --checkpoint, the package's
estimator predicts every table. Its stages become golden vectors, which
`pfnamp models verify` replays, and the labelled table goes as a CSV file through
`pfnamp predict`. Differences are in standard deviations of the target, those of
encoded features relative to max(1, |value|). The exit status is 1 if a gate is
exceeded by a table on which both mean the same.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from scripts.export.bundle import parity
from scripts.export.bundle.parity import Program, Report
from scripts.export.tabicl.make_checkpoint import make
from scripts.export.tabicl.quantiles import QUANTILE_LEVELS, estimate, fit, golden_case
from scripts.export.tabicl.tables import Table, data_tables, made_tables

# Columns of the report: its name, the stages of `models verify` in it, and the gate.
STAGES = (
    ("members", ("members",), 0.0),
    ("target", ("mu", "sd", "y_train"), 1e-6),
    ("encoded", ("x_train", "x_test"), 1e-6),
    ("network", ("network",), 2e-5),
    ("knots", ("result: knots",), 5e-6),
    ("mean", ("result: mean",), 5e-6),
    ("beta", ("result: tails",), 2e-5),
    ("read-out", ("post-processing: quantiles", "post-processing: mean"), 1e-6),
)
INSIDE, TAILS = 5e-6, 2e-5
GOLDEN_ROWS = 8  # query rows whose stages are compared


def empty_columns(table: Table) -> tuple[str, ...]:
    """What `predict` is told of columns without any value, which it cannot tell to be numbers."""
    empty = [c for c in table.train.columns if table.train[c].isna().all()]
    return ("--numeric", ",".join(empty)) if empty else ()


def predict(program: Program, bundle: Path, table: Table, folder: Path) -> dict[str, np.ndarray]:
    """Mean and quantiles of every query row, from CSV files."""
    names = ["mean"] + [f"q{p}" for p in QUANTILE_LEVELS]
    more = ("--functional", ",".join(names), "--members", str(table.members))
    more += ("--posterior", "limit", "--target-values", "any", *empty_columns(table))
    out = pd.read_csv(program.predict(bundle, table.labelled(), table.test, folder, *more))
    return {name: out[name].to_numpy(float) for name in names}


def head(table: Table) -> Table:
    """The table with a few of its queries, spread evenly."""
    rows = np.linspace(0, len(table.test) - 1, min(GOLDEN_ROWS, len(table.test))).astype(int)
    test = table.test.iloc[np.unique(rows)].reset_index(drop=True)
    return Table(table.name, table.train, table.y, test, table.members)


def compare(program: Program, checkpoint: Path, bundle: Path, table: Table) -> dict[str, float]:
    """Largest differences of one table: stages, then end to end."""
    estimator = fit(str(checkpoint), table)
    case = golden_case(estimator, head(table))
    with tempfile.TemporaryDirectory(dir=bundle) as name:
        folder = Path(name)
        stages = program.verify(parity.with_golden(bundle, case, folder))
        got = predict(program, bundle, table, folder)
    row = parity.worst(STAGES, stages)
    want = estimate(estimator, table)
    diff = [abs(got[f"q{p}"] - want.quantiles[:, k]) for k, p in enumerate(QUANTILE_LEVELS)]
    worst = [float(d.max()) / want.sd for d in diff]
    levels = want.raw.shape[1]
    outside = [p < 1 / (levels + 1) or p > levels / (levels + 1) for p in QUANTILE_LEVELS]
    row["inside"] = max(d for d, out in zip(worst, outside) if not out)
    # The package computes 1 - level in float32: exact tails are in the golden vectors.
    row["tails"] = exact_tails(case, got, table, outside)
    row["tails32"] = max((d for d, out in zip(worst, outside) if out), default=0.0)
    return row


def exact_tails(case: dict, got: dict, table: Table, outside: list[bool]) -> float:
    """Largest difference in the tails from the package's distribution in float64."""
    expect = case["expect"]
    rows = np.linspace(0, len(table.test) - 1, min(GOLDEN_ROWS, len(table.test))).astype(int)
    want, worst = np.array(expect["quantiles"]), 0.0
    for k, p in enumerate(QUANTILE_LEVELS):
        if outside[k]:
            worst = max(worst, float(abs(got[f"q{p}"][np.unique(rows)] - want[:, k]).max()))
    return worst / expect["sd"]


def grain(table: Table) -> float:
    """Rounding of the target and of the results to float32, in deviations of the target."""
    return float(np.spacing(np.float32(abs(table.y).max()))) / (float(np.std(table.y)) or 1.0)


GATES = {name: gate for name, _, gate in STAGES} | {"inside": INSIDE, "tails": TAILS}
REPORT = Report("tabicl", GATES, own=("tails32",))


def report(table: Table, row: dict[str, float]) -> bool:
    """Print one line; whether every gate holds."""
    late = dict.fromkeys(GATES, grain(table)) | {"encoded": 0.0}
    return REPORT.line(table, (table.members,), row, late)


def options(doc: str) -> argparse.ArgumentParser:
    """The command line of this comparison and of class_parity.py."""
    p = parity.options(doc, sizes="tiny,small,full")
    p.add_argument("--most", type=int, default=1000, help="most context rows of real tables")
    p.set_defaults(work="build/parity/tabicl")
    return p


def run(
    o: argparse.Namespace,
    found: list[tuple[str, Path]],
    tables: list[Table],
    form: Report,
    row: Callable[..., bool],
) -> None:
    """Compare all networks on all tables, and exit with 1 if a row exceeds a gate."""
    torch.set_num_threads(o.threads)
    os.environ["PFNAMP_THREADS"] = str(o.threads)
    program, good = Program(o.program), True
    for name, checkpoint in found:
        bundle = Path(o.work) / name
        parity.export("tabicl", checkpoint, bundle)
        form.header(f"network {name}")
        for table in parity.chosen(o, tables):
            good &= row(program, checkpoint, bundle, table)
        form.save(o.csv, name)
    parity.end(good)


def main() -> None:
    o = options(__doc__).parse_args()
    tables = data_tables(o.data, o.queries, o.most) + made_tables()
    found = parity.networks(o, lambda size: make(size, o.seed))
    run(o, found, tables, REPORT, lambda *of: report(of[-1], compare(*of)))


if __name__ == "__main__":
    main()
