"""How fast a device is, and in how much memory."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from scripts.tools.gpu.program import DEADLINE, Late, Program, Run, table, write_table

BATCHES = {"cpu": (256, 1024), "cuda": (1024, 8192, 65_536, 256)}  # in the order of interest
HOLD = "import sys, torch; free, _ = torch.cuda.mem_get_info(); " \
    "x = torch.empty(free - int(3e9), dtype=torch.uint8, device='cuda'); " \
    "print('held', flush=True); sys.stdin.read()"  # fmt: skip


@dataclass
class Job:
    """What is timed: a network, its members, rows and features of the context, rows to predict.

    The network is the embedded one (`default`), or one with random weights in the official size of
    TabICLv2 (`full`), which official.py makes.
    """

    program: Program
    folder: Path
    network: str
    members: int
    rows: int
    features: int
    queries: int

    def about(self) -> str:
        what = "The embedded network" if self.network == "default" else \
            "A network with random weights in the official size of TabICLv2"  # fmt: skip
        return (
            f"{what}, {self.members} members, a context of {self.rows} rows × {self.features} "
            f"features, {self.queries} rows to predict. The program's seconds are those of its "
            "stage `predict`: reading rows, the network, the median with its interval, writing. "
            "Memory is the most that the process, and the card, held."
        )

    def model(self) -> str:
        return "default" if self.network == "default" else str(self.folder / "bundle-full")

    def options(self) -> list[object]:
        """Of a prediction: the median, by its own posterior or 50 chains."""
        own = self.network == "default"
        return ["--model", self.model(), "-f", "q0.5", "--posterior", *(["auto"] if own
                else ["paper", "--chains", 50])]  # fmt: skip

    def tables(self, queries: int) -> tuple[Path, Path]:
        """The context, and so many rows to predict."""
        rng = np.random.default_rng(1)
        names = [f"x{i}" for i in range(self.features)]
        x, asked = (rng.standard_normal((n, self.features)) for n in (self.rows, queries))
        y = 3 + 2 * np.sin(x[:, 0]) + 0.3 * rng.standard_normal(len(x))
        train = self.folder / f"{self.network}-train.csv"
        test = self.folder / f"{self.network}-{queries}.csv"
        if not test.exists():
            write_table(train, [*names, "y"], np.column_stack([x, y]))
            write_table(test, names, asked)
        return train, test

    def state(self) -> Path:
        """The context, read and saved."""
        state = self.folder / f"{self.network}.state"
        if not state.exists():
            options = ["-y", "y", "--model", self.model(), "--members", self.members]
            self.program.fit(self.tables(1)[0], state, *options)
        return state

    def run(self, queries: int, *more: object, name: str = "speed.csv", **how: bool) -> Run:
        test = self.tables(queries)[1]
        out = self.folder / f"{self.network}-{name}"
        return self.program.predict(self.state(), test, *self.options(), *more, out=out, **how)


def batches(device: str) -> tuple[int, ...]:
    return BATCHES["cpu" if device == "cpu" else "cuda"]


def number(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}"


def first_row(jobs: list[Job]) -> tuple[str, bool]:
    rows = [[job.network, *(f"{job.run(1).wall:.2f}" for _ in range(2))] for job in jobs]
    return table("network | seconds, first | again", rows), True


def by_batch(job: Job) -> tuple[str, bool]:
    """Rows per second and memory by rows in a batch."""
    rows, late = [], ""
    for batch in batches(job.program.device):
        if batch > job.queries or late:
            continue
        try:
            run = job.run(job.queries, "--batch", batch)
        except Late:
            late = "\n\nThe time of the check was over before the rest."
            continue
        rate = job.queries / run.seconds("predict")
        cells = [f"{rate:.0f}", number(run.resident), number(run.card), number(run.busy)]
        rows.append([str(batch), *cells])
    head = "rows in a batch | pfnamp, rows/s | memory, MB | of the card, MB | card busy, %"
    return table(head, rows) + late, True


def two_at_once(job: Job) -> tuple[str, bool]:
    job.tables(job.queries), job.state()
    alone = job.run(job.queries)
    with ThreadPoolExecutor(2) as pool:
        pair = list(pool.map(lambda n: job.run(job.queries, name=n), ("a.csv", "b.csv")))
    one, other = ((job.folder / f"{job.network}-{n}").read_bytes() for n in ("a.csv", "b.csv"))
    rate = [job.queries / run.seconds("predict") for run in (alone, *pair)]
    said = f"alone {rate[0]:.0f} rows/s, two at once {rate[1]:.0f} and {rate[2]:.0f}; "
    return said + ("the same bytes." if one == other else "**other bytes**."), one == other


def full_memory(job: Job) -> tuple[str, bool]:
    if job.program.device == "cpu" or find_spec("torch") is None:
        return "Left out: no card or no PyTorch.", True
    if time.monotonic() > DEADLINE[0]:
        raise Late
    held = subprocess.Popen([sys.executable, "-c", HOLD], text=True, stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE)  # fmt: skip
    try:
        if held.stdout.readline().strip() != "held":
            raise RuntimeError("PyTorch could not hold the memory")
        run = job.run(job.queries, "--batch", 65_536, name="full.csv", fails=True)
    finally:
        held.communicate("")
    said = run.errors.strip().splitlines()[-1:] or run.out.strip().splitlines()[-1:]
    if run.status == 0:
        whole = (job.folder / f"{job.network}-full.csv").read_text().count("\n") - 1
        return f"It ends with status 0 and {whole} of {job.queries} rows.", whole == job.queries
    return f"Status {run.status}: {' '.join(said)[:500]}", 0 < run.status < 128


def whole_job(job: Job) -> tuple[str, bool]:
    if find_spec("pyarrow") is None:
        return "Left out: no pyarrow to write the table with.", True
    import pyarrow
    from pyarrow import parquet

    probe = job.run(job.queries)
    rate = job.queries / probe.seconds("predict")
    left = DEADLINE[0] - time.monotonic()
    rows = int(min(2e6 if job.program.device != "cpu" else 2e4, 0.5 * rate * max(left, 0)))
    if rows < 10_000:
        raise Late
    rng = np.random.default_rng(2)
    x = rng.standard_normal((job.features, rows)).astype(np.float32)
    path = job.folder / "whole.parquet"
    names = [f"x{i}" for i in range(job.features)]
    parquet.write_table(pyarrow.table(dict(zip(names, x))), path)
    options = [*job.options(), "--batch", min(rows, 65_536)]
    run = job.program.predict(job.state(), path, *options, out=job.folder / "whole-out.parquet")
    told = [[s["stage"], f"{s['seconds']:.1f}"] for s in run.facts()["seconds"]]
    told.append(["all", f"{run.wall:.1f}"])
    told.append(["processor, seconds of all cores", f"{run.cpu:.1f}"])
    told.append(["card busy, %", number(run.busy)])
    text = f"{rows} rows, {rows / run.wall:.0f} rows/s from start to end.\n\n"
    return text + table("stage | seconds", told), True
