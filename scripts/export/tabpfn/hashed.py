"""How closely the program follows package 8.4.0 with the hash of the row.

    python -m scripts.export.tabpfn.hashed --program build/bin/pfnamp --checkpoint tiny25.ckpt \\
        --bundle bundles/tiny25

The package rounds features to 12 decimals before it hashes a row, so that most rows
have the same hash in another implementation. Means by way of files, in standard
deviations of the target: the median and the largest difference over the query rows,
the share of rows within 1e-4, and how far the hash itself moves the package's means.
The bundle must have been exported without --no-fingerprint.
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from pathlib import Path

import numpy as np

from scripts.export.bundle.parity import Program
from scripts.export.tabpfn.cases import made, real
from scripts.export.tabpfn.parity import through_csv
from scripts.export.tabpfn.stages import Table, regressor

MEMBERS = 4


def means(checkpoint: Path, t: Table, fingerprint: bool) -> tuple[np.ndarray, float]:
    """The package's means, and the deviation of the target."""
    model = regressor(checkpoint, MEMBERS, 0, fingerprint, "fit_preprocessors", t.declared)
    return model.fit(t.x, t.y).predict(t.queries), model.y_train_std_


if __name__ == "__main__":
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--program", required=True, help="the built pfnamp")
    p.add_argument("--checkpoint", type=Path, required=True)
    p.add_argument("--bundle", type=Path, required=True)
    p.add_argument("--data", default="", help="folder of CSV files, the last column the target")
    p.add_argument("--rows", type=int, default=300, help="most context rows (default 300)")
    p.add_argument("--queries", type=int, default=40, help="most query rows (default 40)")
    o = p.parse_args()
    warnings.simplefilter("ignore")
    print(f"{'table':34} {'median':>8} {'largest':>8} {'within':>8} {'effect':>8}")
    for case in real(o.data, o.rows, o.queries) + made():
        want, deviation = means(o.checkpoint, case.task, True)
        without, _ = means(o.checkpoint, case.task, False)
        with tempfile.TemporaryDirectory() as folder:
            program = Program(o.program)
            got = through_csv(program, o.bundle, case.task, Path(folder), MEMBERS)
        gap = np.abs(got - want) / deviation
        effect = np.abs(want - without).max() / deviation
        cells = f"{np.median(gap):8.1e} {gap.max():8.1e} {np.mean(gap < 1e-4):8.2f} {effect:8.1e}"
        print(f"{case.task.name:34} {cells}", flush=True)
