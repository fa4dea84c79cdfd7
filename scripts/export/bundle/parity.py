"""Compare the program with a Python package: runs of both, gates, and the lines of a report.

`golden` is the largest difference of the golden vectors that the package computes for a table and
`pfnamp models verify` replays, in units of their tolerance. The other columns are end to end: the
table goes as CSV files through `pfnamp predict`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from scripts.export.bundle import agreement
from scripts.export.bundle.cases import Array, Table
from scripts.export.bundle.folder import seal

GOLDEN = {"golden": 1.0}  # gate of every comparison
TASKS = ("regression", "classification")
WORK, SEED, THREADS = Path("build/parity"), 1, 2  # of networks and bundles; of random weights
ROWS, QUERIES = 1000, 60  # most of a real table
CLOSE = 8e-6  # two classes are equally probable to the rounding of float32


class Program:
    """The built program."""

    def __init__(self, path: str):
        self.path = str(Path(path).resolve())

    def run(self, *args: str, statuses: tuple[int, ...] = (0,)) -> str:
        done = subprocess.run([self.path, *args], capture_output=True, text=True)
        if done.returncode not in statuses:
            raise SystemExit(f"pfnamp {' '.join(args)}: {done.stderr.strip()}")
        return done.stdout

    def golden(self, bundle: Path, case: dict, folder: Path) -> tuple[float, float]:
        """Difference and tolerance of what is nearest to its tolerance, of golden vectors.

        They stand in a copy of the bundle, whose other files are links.
        """
        copy, written = folder / "bundle", ("golden.json", "manifest.json", "SHA256SUMS")
        copy.mkdir()
        for path in bundle.iterdir():
            if path.is_file() and path.name not in written:
                os.link(path, copy / path.name)
        manifest = json.loads((bundle / "manifest.json").read_text())
        text = json.dumps({"format": 1, "cases": [case]})
        (copy / "golden.json").write_text(text)
        manifest["golden"]["sha256"] = hashlib.sha256(text.encode()).hexdigest()
        (copy / "manifest.json").write_text(json.dumps(manifest))
        seal(copy)
        told = self.run("models", "verify", str(copy), "--json", statuses=(0, 6))
        (found,) = json.loads(told)[0]["cases"]
        difference = found["max_difference"]
        return float("inf") if difference is None else difference, found["tolerance"]

    def predict(self, bundle: Path, table: Table, folder: Path, *more: str) -> pd.DataFrame:
        """What the program writes for a table as CSV files; all but texts are numbers."""
        train, test, out = (str(folder / f"{name}.csv") for name in ("train", "test", "out"))
        x = table.train
        x.assign(target=table.y).to_csv(train, index=False)
        table.test.to_csv(test, index=False)
        numeric = [c for c in x.columns if pd.api.types.is_numeric_dtype(x[c])]
        more += ("--numeric", ",".join(numeric)) if numeric else ()
        self.run(
            *("predict", train, test, "--model", str(bundle), "--target", "target"),
            *("--output", out, "--chains", "2", "--steps", "1", "--quiet", "--repeated", "keep"),
            *more,
        )
        return pd.read_csv(out, dtype={"class": str})


@dataclass
class Found:
    """Differences of one table by column, and what is added to the gates of some of them.

    counts are whole numbers of the line, such as its members.
    """

    row: dict[str, float]
    late: dict[str, float]
    counts: tuple[int, ...]

    @classmethod
    def of(
        cls,
        golden: tuple[float, float],
        row: dict[str, float],
        late: dict[str, float],
        counts: tuple[int, ...],
        noise: float = 0.0,
    ) -> Found:
        """noise: how exact the package's golden vectors are, added to their tolerance."""
        difference, tolerance = golden
        of, more = (v / tolerance if tolerance else v for v in (difference, noise))
        return cls({"golden": of} | row, {"golden": more} | late, counts)


@dataclass
class Report:
    """Lines of differences: a column for every gate, then those without one."""

    file: str  # its name in the folder of --csv
    gates: dict[str, float]
    own: tuple[str, ...] = ()
    counts: tuple[str, ...] = ("B",)  # names of the columns of whole numbers
    rows: list[dict[str, str]] = field(default_factory=list)

    def header(self, name: str) -> None:
        counts = " ".join(f"{c:>3}" for c in self.counts)
        cells = " ".join(f"{n:>8}" for n in [*self.gates, *self.own])
        print(f"\n{name}\n{'table':46} {'context':>9} {counts} {cells}")
        gates = " ".join(f"{gate:8.0e}" for gate in self.gates.values())
        print(f"{'gate (plus float32)':46} {'':>9} {' ' * len(counts)} {gates}", flush=True)
        self.rows = []

    def line(self, table: Table, found: Found) -> bool:
        """Print one line; whether every gate holds."""
        row = found.row
        over = [n for n, gate in self.gates.items() if not row[n] <= gate + found.late.get(n, 0.0)]
        remark = f"over: {', '.join(over)}" if over else "ok"
        if over and table.differs:
            remark = f"meant: {table.differs}"
        numbers = " ".join(f"{c:3}" for c in found.counts)
        cells = " ".join(f"{row[name]:8.1e}" for name in [*self.gates, *self.own])
        print(f"{table.name:46} {table.size:>9} {numbers} {cells}  {remark}", flush=True)
        written = {"table": table.name, "context": table.size, "differs": table.differs}
        written |= {"classes": str(found.counts[0])} if "K" in self.counts else {}
        self.rows.append(written | {n: agreement.cell(row[n]) for n in [*self.gates, *self.own]})
        return not over or bool(table.differs)

    def save(self, folder: str, network: str) -> None:
        """Put the lines since the last header into the file of a folder, if one was named."""
        if folder:
            path = Path(folder) / f"{self.file}.csv"
            gates = {name: agreement.cell(gate) for name, gate in self.gates.items()}
            agreement.record(path, network, gates, self.rows)


def compared(out: pd.DataFrame, classes: Array, want: Array, table: str) -> dict[str, float]:
    """What the program has written beside the probabilities [M, K] of a package, of its classes.

    csv: the largest difference; class: rows whose most probable class is another one, unless two
    are equally probable to the rounding of float32.
    """
    names = [str(c).lower() if isinstance(c, (bool, np.bool_)) else str(c) for c in classes]
    order = [c.removeprefix("p=") for c in out.columns if f"{c}_lo" in out.columns]
    if order != names:
        raise SystemExit(f"{table}: the classes are {order}, of the package {names}")
    got = out[[f"p={name}" for name in names]].to_numpy(float)
    best, top = want.argmax(axis=1), np.sort(want, axis=1)
    clear = top[:, -1] - top[:, -2] > CLOSE
    other = sum(g != names[k] for g, k, c in zip(out["class"], best, clear) if c)
    return {"csv": float(abs(got - want).max()), "class": float(other)}


def grain(y: Array) -> float:
    """Rounding of a target, of sums and of results to float32, in deviations of the target."""
    return 3 * float(np.spacing(np.float32(np.abs(y).max()))) / (float(np.std(y)) or 1.0)


def options(doc: str, sizes: str) -> argparse.ArgumentParser:
    """What every comparison may be told."""
    p = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--program", required=True, help="the built pfnamp")
    p.add_argument("--data", default="", help="folder of CSV files, the last column the target")
    p.add_argument("--task", choices=TASKS, help="of one of the tasks alone")
    p.add_argument("--sizes", default=sizes, help="networks to make (default %(default)s)")
    p.add_argument("--checkpoint", action="append", default=[], help="an official checkpoint")
    p.add_argument("--only", default="", help="parts of the names of tables to compare")
    p.add_argument("--csv", default="", help="folder of files that take the differences")
    return p


def export(family: str, checkpoint: Path, bundle: Path, *more: str) -> None:
    """Make a bundle of a checkpoint, unless it is there."""
    if (bundle / "manifest.json").exists():
        return
    command = [sys.executable, "-W", "ignore", "-m", "scripts.export_onnx", "--family", family]
    command += ["--checkpoint", str(checkpoint), "--out", str(bundle), *more]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr.strip() or done.stdout.strip())


def run(
    o: argparse.Namespace,
    family: str,
    make: Callable[[str], dict],
    tables: list[Table],
    report: Report,
    compare: Callable[[Program, Path, Path, Table, Path], Found],
    more: tuple[str, ...] = (),
) -> bool:
    """Compare all networks on all tables; whether every line holds its gates.

    make: a checkpoint of a size; compare: of program, checkpoint, bundle, table and a folder;
    more: options of the exporter.
    """
    torch.set_num_threads(THREADS)
    os.environ["PFNAMP_THREADS"] = str(THREADS)
    program, work, good = Program(o.program), WORK / report.file, True
    work.mkdir(parents=True, exist_ok=True)
    suffix = "-classes" if "K" in report.counts else ""
    networks = [(f"{size}{suffix}", work / f"{size}.ckpt") for size in o.sizes.split(",") if size]
    for name, path in networks:
        if not path.exists():
            torch.save(make(name.removesuffix(suffix)), path)
    for name, path in networks + [(Path(c).stem, Path(c)) for c in o.checkpoint]:
        export(family, path, work / name, *more)
        report.header(f"network {name}")
        for table in tables:
            if not any(part in table.name for part in o.only.split(",")):
                continue
            with tempfile.TemporaryDirectory(dir=work / name) as folder:
                found = compare(program, path, work / name, table, Path(folder))
            good &= report.line(table, found)
        report.save(o.csv, name)
    return good


def end(good: bool) -> None:
    """Say whether all gates hold, and exit with 1 if not."""
    print("\nevery gate holds" if good else "\na gate is exceeded")
    raise SystemExit(0 if good else 1)
