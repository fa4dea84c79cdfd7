"""Compare the program with the `tabicl` package, stage by stage and end to end.

    python -m scripts.tabicl.parity --program build/bin/pfnamp --data folder

For networks with random weights, made here, and any --checkpoint, the package's
estimator predicts every table. Its stages become golden vectors, which
`pfnamp models verify` replays, and the labelled table goes as a CSV file through
`pfnamp predict`. Differences are in standard deviations of the target, those of
encoded features relative to max(1, |value|). The exit status is 1 if a gate is
exceeded by a table on which both mean the same.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Callable

import numpy as np
import pandas as pd
import torch

from scripts.tabicl.make_checkpoint import SIZES, make
from scripts.tabicl.stages import QUANTILE_LEVELS, estimate, fit, golden_case
from scripts.tabicl.tables import Table, data_tables, made_tables

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


class Program:
    """The built program."""

    def __init__(self, path: str):
        self.path = str(Path(path).resolve())

    def run(self, *args: str, statuses: tuple[int, ...] = (0,)) -> str:
        done = subprocess.run([self.path, *args], capture_output=True, text=True)
        if done.returncode not in statuses:
            raise SystemExit(f"pfnamp {' '.join(args)}: {done.stderr.strip()}")
        return done.stdout

    def verify(self, bundle: Path) -> dict[str, float]:
        """Largest difference of every stage of a bundle's only case."""
        found = {}
        for line in self.run("models", "verify", str(bundle), statuses=(0, 6)).splitlines()[1:]:
            case, difference, _, _ = line.rsplit(maxsplit=3)
            found[case.split("  ")[-1].strip()] = float(difference)
        return found

    def predict(self, bundle: Path, table: Table, folder: Path) -> dict[str, np.ndarray]:
        """Mean and quantiles of every query row, from CSV files."""
        table.labelled().to_csv(folder / "train.csv", index=False)
        table.test.to_csv(folder / "test.csv", index=False)
        names = ["mean"] + [f"q{p}" for p in QUANTILE_LEVELS]
        empty = empty_columns(table)
        self.run(
            *("predict", str(folder / "train.csv"), str(folder / "test.csv")),
            *("--model", str(bundle), "--target", "target", "--output", str(folder / "out.csv")),
            *("--functional", ",".join(names), "--members", str(table.members)),
            *("--chains", "2", "--steps", "1", "--posterior", "limit", "--quiet"),
            *(("--numeric", ",".join(empty)) if empty else ()),
        )
        out = pd.read_csv(folder / "out.csv")
        return {name: out[name].to_numpy(float) for name in names}


def empty_columns(table: Table) -> list[str]:
    """Columns without any value, which the program cannot tell to be numbers."""
    return [c for c in table.train.columns if table.train[c].isna().all()]


def with_golden(bundle: Path, case: dict, folder: Path) -> Path:
    """A copy of a bundle (graphs are linked) whose golden vectors are one case."""
    copy = folder / "bundle"
    copy.mkdir(exist_ok=True)
    manifest = json.loads((bundle / "manifest.json").read_text())
    for name in ("context.onnx", "query.onnx", "LICENSE"):
        if not (copy / name).exists():
            os.link(bundle / name, copy / name)
    text = json.dumps({"format": 1, "cases": [case]})
    (copy / "golden.json").write_text(text)
    manifest["golden"]["sha256"] = sha256(text.encode())
    (copy / "manifest.json").write_text(json.dumps(manifest))
    return copy


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


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
        stages = program.verify(with_golden(bundle, case, folder))
        got = program.predict(bundle, table, folder)
    row = {name: max(stages[s] for s in parts) for name, parts, _ in STAGES if parts}
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


def report(table: Table, row: dict[str, float]) -> bool:
    """Print one line; whether every gate holds."""
    late = grain(table)
    over = [n for n, gate in GATES.items() if row[n] > gate + (late if n != "encoded" else 0)]
    remark = f"over: {', '.join(over)}" if over else "ok"
    if over and table.differs:
        remark = f"meant: {table.differs}"
    size = f"{len(table.train)}x{table.train.shape[1]}"
    cells = " ".join(f"{row[name]:8.1e}" for name in [*GATES, "tails32"])
    print(f"{table.name:34} {size:>9} {table.members:3} {cells}  {remark}", flush=True)
    return not over or bool(table.differs)


def header(name: str) -> None:
    cells = " ".join(f"{n:>8}" for n in [*GATES, "tails32"])
    print(f"\n{name}\n{'table':34} {'context':>9} {'B':>3} {cells}")
    gates = " ".join(f"{gate:8.0e}" for gate in GATES.values())
    print(f"{'gate (plus float32 of the target)':34} {'':>9} {'':3} {gates}", flush=True)


def export(checkpoint: Path, bundle: Path) -> None:
    command = [sys.executable, "-W", "ignore", "-m", "scripts.export_onnx", "--family", "tabicl"]
    command += ["--checkpoint", str(checkpoint), "--out", str(bundle)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr.strip() or done.stdout.strip())


def networks(o: argparse.Namespace) -> list[tuple[str, Path]]:
    """Name and checkpoint of every network to compare."""
    work, found = Path(o.work), []
    work.mkdir(parents=True, exist_ok=True)
    for size in o.sizes.split(",") if o.sizes else []:
        path = work / f"{size}.ckpt"
        if not path.exists():
            torch.save(make(size, o.seed), path)
        found.append((size, path))
    return found + [(Path(c).stem, Path(c)) for c in o.checkpoint]


def options(description: str) -> argparse.ArgumentParser:
    """The command line of this comparison and of class_parity.py."""
    p = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--program", required=True, help="the built pfnamp")
    p.add_argument("--data", default="", help="folder of CSV files, the last column the target")
    p.add_argument("--sizes", default="tiny,small,full", help=f"of {', '.join(SIZES)}")
    p.add_argument("--checkpoint", action="append", default=[], help="an official checkpoint")
    p.add_argument("--queries", type=int, default=60, help="query rows of real tables")
    p.add_argument("--most", type=int, default=1000, help="most context rows of real tables")
    p.add_argument("--only", default="", help="part of the names of tables to compare")
    p.add_argument("--work", default="build/parity/tabicl", help="folder of networks and bundles")
    p.add_argument("--seed", type=int, default=0, help="seed of the random weights")
    p.add_argument("--threads", type=int, default=2)
    return p


def run(
    o: argparse.Namespace,
    found: list[tuple[str, Path]],
    tables: list[Table],
    begin: Callable[[str], None],
    row: Callable[..., bool],
) -> None:
    """Compare all networks on all tables, and exit with 1 if a row exceeds a gate."""
    torch.set_num_threads(o.threads)
    os.environ["PFNAMP_THREADS"] = str(o.threads)
    program, good = Program(o.program), True
    for name, checkpoint in found:
        bundle = Path(o.work) / name
        if not (bundle / "manifest.json").exists():
            export(checkpoint, bundle)
        begin(f"network {name}")
        for table in tables:
            if o.only in table.name:
                good &= row(program, checkpoint, bundle, table)
    print("\nevery gate holds" if good else "\na gate is exceeded")
    raise SystemExit(0 if good else 1)


def main() -> None:
    o = options(__doc__).parse_args()
    tables = data_tables(o.data, o.queries, o.most) + made_tables()
    run(o, networks(o), tables, header, lambda *of: report(of[-1], compare(*of)))


if __name__ == "__main__":
    main()
