"""Time the program's library beside the `tabicl` package, on the same tables.

    python scripts/tabicl/speed.py --checkpoint full.ckpt --bundle bundles/full

Every measurement is a process of its own, with the same number of threads, the
two sides taking turns. `load` reads the weights, `fit + predict` is everything
from the raw table to the distributions of a block of queries, `single` is one
query of one row against the fitted context. Seconds are of the wall clock and of
the processors; memory is the peak of the process.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEST = "build/tabicl-speed.test"

# context rows, features, query rows, single queries
SIZES = ((1000, 10, 100, 20), (300, 5, 1200, 20), (1000, 50, 100, 10), (4000, 10, 100, 10))


def clock() -> tuple[float, float]:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return time.monotonic(), used.ru_utime + used.ru_stime


class Laps:
    """Wall and processor seconds of named steps."""

    def __init__(self) -> None:
        self.laps: dict[str, dict[str, float]] = {}

    def add(self, name: str, since: tuple[float, float]) -> None:
        now = clock()
        self.laps[name] = {"Wall": now[0] - since[0], "CPU": now[1] - since[1]}


def package_job(job: dict) -> None:
    """Run the package in this process; its cache is built by fit if there is one."""
    import numpy as np
    import torch
    from tabicl import TabICLRegressor

    torch.set_num_threads(job["Threads"])
    rng = np.random.default_rng(1)
    x, queries = (rng.standard_normal((job[k], job["Features"])) for k in ("Rows", "Queries"))
    y = 3 + 2 * np.sin(x[:, 0]) + 0.3 * rng.standard_normal(len(x))
    estimator = TabICLRegressor(
        model_path=job["Checkpoint"],
        allow_auto_download=False,
        device="cpu",
        n_estimators=job["Members"],
        kv_cache=job["Cache"],
    )
    laps, load = Laps(), estimator._load_model
    start = clock()
    load()
    laps.add("open", start)
    estimator._load_model = lambda: None
    start = clock()
    estimator.fit(x, y)
    laps.add("fit", start)
    for name, rows, times in (("predict", queries, 1), ("single", queries[:1], job["Single"])):
        if times == 0:
            continue
        start = clock()
        for _ in range(times):
            estimator.predict(rows, output_type="raw_quantiles")
        laps.add(name, start)
    print("speed " + json.dumps(laps.laps))


def measure(command: list[str], job: dict) -> dict:
    """Run one process; its laps and its peak memory in MB."""
    threads = str(job["Threads"])
    env = os.environ | {
        "PFNAMP_SPEED": json.dumps(job),
        "OMP_NUM_THREADS": threads,
        "MKL_NUM_THREADS": threads,
        "GOMAXPROCS": threads,
    }
    process = subprocess.Popen(
        command, env=env, cwd=ROOT / "pfn/internal/tabicl", stdout=subprocess.PIPE, text=True
    )
    out = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    lines = [line for line in out.splitlines() if line.startswith("speed ")]
    if process.returncode or not lines:
        raise SystemExit(f"{command[0]}: failed: {out}")
    return json.loads(lines[0].removeprefix("speed ")) | {"MB": used.ru_maxrss / 1024}


def row(name: str, found: dict, single: int) -> str:
    both = {k: found["fit"][k] + found["predict"][k] for k in ("Wall", "CPU")}
    cells = f"{found['open']['Wall']:6.2f} {both['Wall']:8.2f} {both['CPU']:8.2f}"
    if "single" in found and single:
        ms = {k: 1000 * v / single for k, v in found["single"].items()}
        cells += f" {ms['Wall']:9.1f} {ms['CPU']:9.1f}"
    else:
        cells += f" {'':9} {'':9}"
    return f"  {name:28} {cells} {found['MB']:7.0f}"


def compare(o: argparse.Namespace, size: tuple, members: int) -> None:
    rows, features, queries, single = size
    job = {
        "Bundle": str(Path(o.bundle).resolve()),
        "Checkpoint": str(Path(o.checkpoint).resolve()),
        "Rows": rows,
        "Features": features,
        "Queries": queries,
        "Members": members,
        "Threads": o.threads,
    }
    print(f"{rows}x{features}, {queries} queries, {members} members", flush=True)
    go = [str(ROOT / TEST), "-test.run", "^TestSpeed$"]
    package = [sys.executable, str(Path(__file__).resolve())]
    sides = (
        ("pfnamp", go, {"Single": single}),
        ("tabicl", package, {"Single": 1, "Cache": False}),
        ("tabicl, kv_cache", package, {"Single": single, "Cache": "kv"}),
    )
    for name, command, more in sides:
        for _ in range(o.repeats):
            found = measure(command, job | more)
            print(row(name, found, more["Single"]), flush=True)


def main() -> None:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--checkpoint", required=True, help="official checkpoint")
    p.add_argument("--bundle", required=True, help="bundle exported from it")
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--members", default="1,8", help="comma-separated numbers of members")
    p.add_argument("--only", default="", help="a context such as 4000x10")
    p.add_argument("--repeats", type=int, default=1)
    o = p.parse_args()
    build = ["go", "test", "-c", "-o", TEST, "./pfn/internal/tabicl"]
    subprocess.run(build, cwd=ROOT, check=True)
    names = "  {:28} {:>6} {:>8} {:>8} {:>9} {:>9} {:>7}"
    print(f"{o.threads} threads, load average {os.getloadavg()[0]:.1f}")
    print(names.format("", "load s", "run s", "CPU s", "single ms", "CPU ms", "MB"))
    for size in SIZES:
        if o.only in f"{size[0]}x{size[1]}":
            for members in map(int, o.members.split(",")):
                compare(o, size, members)


if __name__ == "__main__":
    if "PFNAMP_SPEED" in os.environ:
        package_job(json.loads(os.environ["PFNAMP_SPEED"]))
    else:
        main()
