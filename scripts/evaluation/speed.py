"""Time and memory of the default model beside the floating-point limit of the machine.

    python -m scripts.evaluation.speed --checkpoint models/default

For every size it counts the floating-point operations of the matrix products
(torch's counter, all members), runs the Go benchmarks `Fit` and `Predict`, and
divides. Two limits stand beside: what a large float32 matrix product reaches in
the same run with the same number of threads, and cores x clock x operations per
cycle of the processor. The memory is the peak of a whole `pfnamp predict`.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import tempfile
import time
from pathlib import Path

THREADS = len(os.sched_getaffinity(0))
os.environ["OMP_NUM_THREADS"] = str(THREADS)

import numpy as np
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from scripts.evaluation.tasks import write_table
from scripts.training.train.checkpoint import load_network

ROOT = Path(__file__).resolve().parents[2]
SIZES = ((300, 8, 1200), (1000, 20, 1000))  # context rows, features, query rows
MEMBERS = 3


def operations(net: torch.nn.Module, n: int, h: int, m: int) -> tuple[int, int]:
    """Floating-point operations of the context and of the queries, all members."""
    x, y, queries = torch.randn(1, n, h), torch.randn(1, n), torch.randn(1, m, h)
    counts = []
    with torch.no_grad(), sdpa_kernel(SDPBackend.MATH):  # the counter misses fused attention
        with FlopCounterMode(display=False) as counter:
            cache = net.context(x, y)
        counts.append(counter.get_total_flops())
        with FlopCounterMode(display=False) as counter:
            net.query(queries, *cache)
        counts.append(counter.get_total_flops())
    return counts[0] * MEMBERS, counts[1] * MEMBERS


def product_limit(size: int = 2048, repeats: int = 5) -> float:
    """Best operations per second of a float32 matrix product."""
    a, b = torch.randn(size, size), torch.randn(size, size)
    best = 0.0
    for _ in range(repeats):
        start = time.perf_counter()
        a @ b
        best = max(best, 2 * size**3 / (time.perf_counter() - start))
    return best


def processor_limit() -> tuple[float, str]:
    """Cores x clock x operations per cycle (two fused multiply-adds per vector unit)."""
    text = Path("/proc/cpuinfo").read_text()
    clock = float(re.search(r"cpu MHz\s*: ([\d.]+)", text)[1]) * 1e6
    lanes = 16 if "avx512f" in text else 8
    model = re.search(r"model name\s*: (.*)", text)[1]
    return THREADS * clock * 2 * 2 * lanes, f"{THREADS} x {clock / 1e9:.2f} GHz, {model}"


def benchmark(name: str) -> float:
    """Median seconds per operation of a benchmark of package pfn."""
    command = ["go", "test", "-run", "^$", "-bench", name, "-count", "5", "./pfn"]
    out = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return float(np.median([float(v) for v in re.findall(r"([\d.]+) ns/op", out)])) / 1e9


def peak_memory(program: str, n: int, h: int, m: int) -> float:
    """MiB of resident memory that `pfnamp predict` needs."""
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        train, test, out = (Path(folder) / f"{v}.csv" for v in ("train", "test", "out"))
        x = rng.standard_normal((n, h))
        write_table(train, x, x[:, 0] + rng.standard_normal(n))
        write_table(test, rng.standard_normal((m, h)), None)
        command = [program, "predict", str(train), str(test), "--target", "y", "-o", str(out)]
        return watched(command + ["--quiet"])


def watched(command: list[str]) -> float:
    """MiB of the high-water mark of a process, read until it ends."""
    process, peak = subprocess.Popen(command), 0.0
    status = Path(f"/proc/{process.pid}/status")
    while process.poll() is None:
        mark = re.search(r"VmHWM:\s*(\d+)", status.read_text())
        peak = max(peak, int(mark[1]) / 1024 if mark else 0.0)
        time.sleep(0.002)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: exit status {process.returncode}")
    return peak


def main() -> None:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--checkpoint", required=True)
    p.add_argument("--program", default=str(ROOT / "build" / "bin" / "pfnamp"))
    o = p.parse_args()
    net, _ = load_network(o.checkpoint)
    product, (processor, what) = product_limit(), processor_limit()
    print(f"matrix product {product / 1e9:.0f} GFLOP/s, processor {processor / 1e9:.0f} ({what})\n")
    columns = "context x features x queries", "GFLOP", "seconds", "GFLOP/s", "of product"
    print("| " + " | ".join((*columns, "of processor")) + " |")
    print("|---|---|---|---|---|---|")
    for n, h, m in SIZES:
        names = f"Fit/^{n}x{h}$", f"Predict/^{n}x{h}$/^{m}_rows$"
        flops, seconds = operations(net, n, h, m), [benchmark(name) for name in names]
        total, spent = sum(flops), sum(seconds)
        rate = total / spent
        print(
            f"| {n} x {h} x {m} | {total / 1e9:.1f} | {spent:.2f} = {seconds[0]:.2f} + "
            f"{seconds[1]:.2f} | {rate / 1e9:.0f} | {rate / product:.0%} | {rate / processor:.0%} |"
        )
    for n, h, m in SIZES:
        print(f"\npeak memory {n} x {h} x {m}: {peak_memory(o.program, n, h, m):.0f} MiB")


if __name__ == "__main__":
    main()
