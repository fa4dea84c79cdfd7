"""Compare the program with a Python package: runs of both, gates, and the lines of a report."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from sklearn.datasets import load_diabetes

from scripts.export.bundle import agreement
from scripts.export.bundle.folder import seal

Stages = tuple[tuple[str, tuple[str, ...], float], ...]


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

    def predict(
        self, bundle: Path, train: pd.DataFrame, test: pd.DataFrame, folder: Path, *more: str
    ) -> Path:
        """The file that the program writes for CSV files of two tables; the target is "target"."""
        train.to_csv(folder / "train.csv", index=False)
        test.to_csv(folder / "test.csv", index=False)
        self.run(
            *("predict", str(folder / "train.csv"), str(folder / "test.csv")),
            *("--model", str(bundle), "--target", "target", "--output", str(folder / "out.csv")),
            *("--chains", "2", "--steps", "1", "--quiet"),
            *more,
        )
        return folder / "out.csv"


def with_golden(bundle: Path, case: dict, folder: Path) -> Path:
    """A copy of a bundle (files are linked) whose golden vectors are one case."""
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
    return copy


def worst(stages: Stages, found: dict[str, float]) -> dict[str, float]:
    """The largest difference of every column; a stage that `models verify` lacks is infinite."""
    return {name: max(found.get(s, float("inf")) for s in parts) for name, parts, _ in stages}


@dataclass
class Case:
    """A task of a package's Table; `differs` says why the program differs on purpose."""

    task: Any
    differs: str = ""

    @property
    def name(self) -> str:
        return self.task.name

    @property
    def size(self) -> str:
        return f"{len(self.task.x)}x{self.task.x.shape[1]}"


def real_tables(
    folder: str, rows: int, queries: int
) -> Iterator[tuple[str, pd.DataFrame, np.ndarray, int]]:
    """The diabetes set and every CSV file of a folder, whose last column is the target.

    Yields name, features, target and number of query rows, of at most `rows` context rows.
    """
    x, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    tables = {"diabetes": x.assign(target=y)}
    for path in sorted(Path(folder).glob("*.csv")) if folder else []:
        tables.setdefault(path.stem, pd.read_csv(path))
    for name, table in tables.items():
        order = np.random.default_rng(0).permutation(len(table))[: rows + queries]
        table = table.iloc[order].reset_index(drop=True)
        y = table.iloc[:, -1].to_numpy(float)
        yield name, table.iloc[:, :-1], y, min(queries, len(y) // 4)


@dataclass
class Report:
    """Lines of differences: a column for every gate, then those without one."""

    file: str  # its name in the folder of --csv
    gates: dict[str, float]
    own: tuple[str, ...] = ()
    counts: tuple[str, ...] = ("B",)  # names of the columns of whole numbers
    width: int = 34
    remark: str = "gate (plus float32 of the target)"
    rows: list[dict[str, str]] = field(default_factory=list)

    def header(self, name: str) -> None:
        counts = " ".join(f"{c:>3}" for c in self.counts)
        cells = " ".join(f"{n:>8}" for n in [*self.gates, *self.own])
        print(f"\n{name}\n{'table':{self.width}} {'context':>9} {counts} {cells}")
        gates = " ".join(f"{gate:8.0e}" for gate in self.gates.values())
        print(f"{self.remark:{self.width}} {'':>9} {' ' * len(counts)} {gates}", flush=True)
        self.rows = []

    def line(
        self, table, counts: tuple[int, ...], row: dict[str, float], late: dict[str, float]
    ) -> bool:
        """Print one line; whether every gate holds, with what is added to some of them.

        The table has a name, a size, and what it `differs` in.
        """
        over = [n for n, gate in self.gates.items() if not row[n] <= gate + late.get(n, 0.0)]
        remark = f"over: {', '.join(over)}" if over else "ok"
        if over and table.differs:
            remark = f"meant: {table.differs}"
        numbers = " ".join(f"{c:3}" for c in counts)
        cells = " ".join(f"{row[name]:8.1e}" for name in [*self.gates, *self.own])
        print(f"{table.name:{self.width}} {table.size:>9} {numbers} {cells}  {remark}", flush=True)
        written = {"table": table.name, "context": table.size, "differs": table.differs or ""}
        written |= {"classes": str(counts[0])} if "K" in self.counts else {}
        self.rows.append(written | self.cells({n: row[n] for n in [*self.gates, *self.own]}))
        return not over or bool(table.differs)

    def cells(self, row: dict[str, float]) -> dict[str, str]:
        """Differences in the format of a file, whose column "network" names the network."""
        names = {"network": "network output"}
        return {names.get(name, name): agreement.cell(value) for name, value in row.items()}

    def save(self, folder: str, network: str) -> None:
        """Put the lines since the last header into the file of a folder, if one was named."""
        if folder:
            path = Path(folder) / f"{self.file}.csv"
            agreement.record(path, network, self.cells(self.gates), self.rows)


def options(doc: str, sizes: str) -> argparse.ArgumentParser:
    """What every comparison may be told."""
    p = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--program", required=True, help="the built pfnamp")
    p.add_argument("--data", default="", help="folder of CSV files, the last column the target")
    p.add_argument("--sizes", default=sizes, help="networks to make (default %(default)s)")
    p.add_argument("--checkpoint", action="append", default=[], help="an official checkpoint")
    p.add_argument("--only", default="", help="parts of the names of tables to compare")
    p.add_argument("--queries", type=int, default=60, help="most query rows (default 60)")
    p.add_argument("--csv", default="", help="folder of files that take the differences")
    p.add_argument("--work", help="folder of networks and bundles (default %(default)s)")
    p.add_argument("--seed", type=int, default=0, help="seed of the random weights")
    p.add_argument("--threads", type=int, default=2)
    return p


def networks(
    o: argparse.Namespace, make: Callable[[str], dict], suffix: str = ""
) -> list[tuple[str, Path]]:
    """Name and checkpoint of every network to compare, made if it is not there."""
    work, found = Path(o.work), []
    work.mkdir(parents=True, exist_ok=True)
    for size in o.sizes.split(",") if o.sizes else []:
        path = work / f"{size}{suffix}.ckpt"
        if not path.exists():
            torch.save(make(size), path)
        found.append((f"{size}{suffix}", path))
    return found + [(Path(c).stem, Path(c)) for c in o.checkpoint]


def export(family: str, checkpoint: Path, bundle: Path, *more: str) -> None:
    """Make a bundle of a checkpoint, unless it is there."""
    if (bundle / "manifest.json").exists():
        return
    command = [sys.executable, "-W", "ignore", "-m", "scripts.export_onnx", "--family", family]
    command += ["--checkpoint", str(checkpoint), "--out", str(bundle), *more]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr.strip() or done.stdout.strip())


def reordered(x: np.ndarray | pd.DataFrame, order: np.ndarray) -> np.ndarray | pd.DataFrame:
    """The rows of a table in another order."""
    return x.iloc[order].reset_index(drop=True) if isinstance(x, pd.DataFrame) else x[order]


def chosen(o: argparse.Namespace, tables: list) -> list:
    """The tables with one of the asked for parts in their names."""
    return [t for t in tables if any(part in t.name for part in o.only.split(","))]


def end(good: bool) -> None:
    """Say whether all gates hold, and exit with 1 if not."""
    print("\nevery gate holds" if good else "\na gate is exceeded")
    raise SystemExit(0 if good else 1)
