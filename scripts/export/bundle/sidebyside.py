"""Time the program's library beside a Python package, on tables of the same size.

Every measurement is a process of its own, with the same number of threads. The sides take
turns, round after round, and are compared within a round: at the end stand the median, least
and largest ratio of every side to pfnamp. `load` reads the weights, `run` is everything from
the raw table to the distributions, or class probabilities, of a block of queries, `single` is
one query of one row against the fitted context. Seconds are of the wall clock and of the
processors; memory is the peak of the process.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TEST = "build/speed.test"
JOB = "PFNAMP_SPEED"  # environment variable with what to time

# context rows, features, query rows, single queries
SIZES = (
    (300, 5, 1200, 20),
    (1000, 10, 100, 20),
    (1000, 50, 100, 10),
    (3000, 10, 100, 5),
    (4000, 10, 100, 5),
    (10_000, 10, 100, 3),
)
PROGRAM = {"pfnamp": {}, "pfnamp, int8": {"Precision": "int8"}}
COLUMNS = "  {:28} {:>6} {:>6} {:>8} {:>8} {:>9} {:>9} {:>7}"


def clock() -> tuple[float, float]:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return time.monotonic(), used.ru_utime + used.ru_stime


class Laps:
    """Wall and processor seconds of named steps."""

    def __init__(self) -> None:
        self.laps: dict[str, dict[str, float]] = {}

    def time(self, name: str, step: Callable[[], object]) -> object:
        started = clock()
        result = step()
        now = clock()
        self.laps[name] = {"Wall": now[0] - started[0], "CPU": now[1] - started[1]}
        return result

    def both(self, fit: Callable[[], object], predict: Callable, queries, single: int) -> None:
        """Time the fit, all queries, and, if there are any, single queries of the first row."""
        self.time("fit", fit)
        self.time("predict", lambda: predict(queries))
        if single:
            self.time("single", lambda: [predict(queries[:1]) for _ in range(single)])
        self.print()

    def print(self) -> None:
        print("speed " + json.dumps(self.laps))


def tables(job: dict) -> tuple:
    """Features, target or classes of equal shares, and query rows of a job."""
    import numpy as np

    rng = np.random.default_rng(1)
    x, queries = (rng.standard_normal((job[k], job["Features"])) for k in ("Rows", "Queries"))
    y = 3 + 2 * np.sin(x[:, 0]) + 0.3 * rng.standard_normal(len(x))
    if job["Classes"]:
        y = y.argsort().argsort() * job["Classes"] // len(y)
    return x, y, queries


def measure(command: list[str], folder: Path, job: dict) -> dict:
    """Run one process in a folder; its laps and its peak memory in MB."""
    threads = str(job["Threads"])
    names = (JOB, "OMP_NUM_THREADS", "MKL_NUM_THREADS", "GOMAXPROCS")
    env = os.environ | dict.fromkeys(names[1:], threads) | {JOB: json.dumps(job)}
    process = subprocess.Popen(command, env=env, cwd=folder, stdout=subprocess.PIPE, text=True)
    out = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    lines = [line for line in out.splitlines() if line.startswith("speed ")]
    if process.returncode or not lines:
        raise SystemExit(f"{command[0]}: failed: {out}")
    return json.loads(lines[0].removeprefix("speed ")) | {"MB": used.ru_maxrss / 1024}


def row(name: str, found: dict, single: int) -> str:
    both = {k: found["fit"][k] + found["predict"][k] for k in ("Wall", "CPU")}
    ms = {k: 1000 * v / max(1, single) for k, v in found.get("single", {}).items()}
    shown = [f"{ms[k]:.1f}" if k in ms else "" for k in ("Wall", "CPU")]
    load = [f"{found['open'][k]:.2f}" for k in ("Wall", "CPU")]
    run = [f"{both[k]:.2f}" for k in ("Wall", "CPU")]
    return COLUMNS.format(name, *load, *run, *shown, f"{found['MB']:.0f}")


def compare(o: argparse.Namespace, size: tuple, members: int, sides: dict[str, dict]) -> None:
    rows, features, queries, single = size
    job = {
        "Bundle": str(Path(o.bundle).resolve()),
        "Checkpoint": str(Path(o.checkpoint).resolve()),
        "Rows": rows,
        "Features": features,
        "Queries": queries,
        "Members": members,
        "Classes": o.classes,
        "Threads": o.threads,
        "Single": single,
    }
    print(f"{rows}x{features}, {queries} queries, {members} members", flush=True)
    module = sys.modules["__main__"].__spec__.name
    package = [sys.executable, "-W", "ignore", "-m", module], ROOT
    program = [str(ROOT / TEST), "-test.run", "^TestSpeed$"], ROOT / "pfn"
    chosen = {n: more for n, more in (PROGRAM | sides).items() if o.side in n}
    chosen = {n: more for n, more in chosen.items() if not any(part in n for part in o.without)}
    rounds: list[dict[str, dict]] = []
    for _ in range(o.repeats):
        rounds.append({})
        for name, more in chosen.items():
            task = job | more
            found = measure(*(program if name in PROGRAM else package), task)
            rounds[-1][name] = found
            print(row(name, found, task["Single"]), flush=True)
    for name in chosen if "pfnamp" in chosen else ():
        print(f"  {name} / pfnamp: {ratios(rounds, name)}", flush=True)


def ratios(rounds: list[dict[str, dict]], name: str) -> str:
    """How a side compares with pfnamp in the same round: median, least and largest ratio."""
    figures = {
        f"{what}{mark}": lambda f, laps=laps, clock=clock: sum(
            f.get(k, {}).get(clock, 0) for k in laps
        )
        for what, laps in (("load", ["open"]), ("run", ["fit", "predict"]), ("single", ["single"]))
        for clock, mark in (("Wall", ""), ("CPU", ", CPU"))
    } | {"memory": lambda f: f["MB"]}
    shown = []
    for what, figure in figures.items():
        found = [figure(r[name]) / figure(r["pfnamp"]) for r in rounds if figure(r[name])]
        if found:
            middle, low, high = statistics.median(found), min(found), max(found)
            shown.append(f"{what} {middle:.2f} ({low:.2f} to {high:.2f})")
    return ", ".join(shown)


def run(doc: str, sides: dict[str, dict], package_job: Callable[[dict], None]) -> None:
    """The script of one package: its variants by name, and what times it in this process."""
    if JOB in os.environ:
        package_job(json.loads(os.environ[JOB]))
        return
    p = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--checkpoint", required=True, help="official checkpoint")
    p.add_argument("--bundle", required=True, help="bundle exported from it")
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--members", default="1,8", help="comma-separated numbers of members")
    p.add_argument("--classes", type=int, default=0, help="of a classifier")
    p.add_argument("--only", default="", help="a context such as 4000x10")
    p.add_argument("--side", default="", help="part of the name of the sides to time")
    p.add_argument("--without", nargs="*", default=[], help="parts of names of sides to leave out")
    p.add_argument("--repeats", type=int, default=1, help="rounds of all sides")
    o = p.parse_args()
    subprocess.run(["go", "test", "-c", "-o", TEST, "./pfn"], cwd=ROOT, check=True)
    print(f"{o.threads} threads, load average {os.getloadavg()[0]:.1f}")
    print(COLUMNS.format("", "load s", "CPU s", "run s", "CPU s", "single ms", "CPU ms", "MB"))
    for size in SIZES:
        if o.only in f"{size[0]}x{size[1]}":
            for members in map(int, o.members.split(",")):
                compare(o, size, members, sides)
