"""Time the program beside the `tabpfn` package: same machine, threads and run.

    python scripts/tabpfn/speed.py --program build/bin/pfnamp --checkpoint full.ckpt

The bundle is exported without the hash column, once, to --work. Each side runs in a
process of its own, with the seconds and the peak memory of the whole process.
The package fits and predicts in float32; the program reads CSV files, fits,
predicts and writes the means.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from parity import export

SHAPES = ((300, 5, 1200), (1000, 10, 100), (1000, 50, 100))


def table(rows: int, columns: int) -> pd.DataFrame:
    rng = np.random.default_rng(rows + columns)
    x = np.round(rng.standard_normal((rows, columns)), 6)
    frame = pd.DataFrame(x, columns=[f"x{j}" for j in range(columns)])
    return frame.assign(target=np.round(x[:, 0] + np.sin(2 * x[:, -1]), 6))


def timed(command: list[str], threads: int) -> tuple[float, float, str]:
    """Seconds and peak memory (GB) of a process, and what it printed."""
    started = time.perf_counter()
    environment = os.environ | {"OMP_NUM_THREADS": str(threads)}
    child = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    out = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"{command[0]} failed with status {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - started, usage.ru_maxrss / 1e6, out


def package(o: argparse.Namespace) -> None:
    """The child process of the package: prints the seconds of fit and predict alone."""
    import torch

    from stages import regressor

    torch.set_num_threads(o.threads)
    train, test = pd.read_csv(o.train), pd.read_csv(o.test)
    model = regressor(Path(o.checkpoint), o.members, 0, False, "fit_preprocessors", [])
    started = time.perf_counter()
    model.fit(train.drop(columns="target").to_numpy(), train["target"].to_numpy())
    mean = model.predict(test.to_numpy())
    print(time.perf_counter() - started, float(mean.sum()))


def compare(o: argparse.Namespace, bundle: Path, shape: tuple[int, int, int], members: int) -> None:
    rows, columns, queries = shape
    with tempfile.TemporaryDirectory() as name:
        train, test, out = (str(Path(name) / f"{part}.csv") for part in ("train", "test", "out"))
        whole = table(rows + queries, columns)
        whole[:rows].to_csv(train, index=False)
        whole[rows:].drop(columns="target").to_csv(test, index=False)
        command = [sys.executable, "-W", "ignore", __file__, "--program", o.program]
        command += ["--checkpoint", str(o.checkpoint), "--train", train, "--test", test]
        command += ["--members", str(members), "--threads", str(o.threads)]
        theirs, memory, printed = timed(command, o.threads)
        alone = float(printed.split()[0])
        mine, own_memory, _ = timed(
            [o.program, "predict", train, test, "--target", "target", "--model", str(bundle)]
            + ["--functional", "mean", "--chains", "2", "--steps", "1", "--posterior", "limit"]
            + ["--members", str(members), "--threads", str(o.threads), "--quiet", "-o", out],
            o.threads,
        )
    print(
        f"{rows:5}x{columns:<3} {queries:5} {members:3} {theirs:9.1f} {alone:9.1f} {mine:9.1f} "
        f"{alone / mine:7.2f} {memory:8.2f} {own_memory:8.2f}",
        flush=True,
    )


def main() -> None:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--program", required=True, help="the built pfnamp")
    p.add_argument("--checkpoint", type=Path, required=True)
    p.add_argument("--bundle", type=Path, help="its bundle, if it has been exported")
    p.add_argument("--work", type=Path, default=Path("build/speed/tabpfn"))
    p.add_argument("--members", type=int, default=0, help="default: 1 and 8")
    p.add_argument("--shapes", type=int, default=len(SHAPES), help="how many of the shapes")
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--train", help=argparse.SUPPRESS)
    p.add_argument("--test", help=argparse.SUPPRESS)
    o = p.parse_args()
    if o.train:
        package(o)
        return
    bundle = o.bundle or o.work / o.checkpoint.stem
    if not (bundle / "manifest.json").exists():
        bundle.parent.mkdir(parents=True, exist_ok=True)
        export(o.checkpoint, bundle)
    print("context    rows   B   package   without   program   times  GB theirs   ours")
    print("                      process   start-up  process")
    for shape in SHAPES[: o.shapes]:
        for members in (o.members,) if o.members else (1, 8):
            compare(o, bundle, shape, members)


if __name__ == "__main__":
    main()
