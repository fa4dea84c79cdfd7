"""Rows per second of Spark and Ray beside one process, and what faults cost: `make bench-engines`.

The embedded model predicts 20,000 rows, on one processor and then on two, one worker each. Every
engine and number of workers has a process of its own (`rates.py ENGINE WORKERS JOB`), which keeps
to its processors. A job over 1,000 of the rows, of which the second run counts, shows what a start
costs. Of plain runs the better one of two counts. Faults come after two seconds of a program.
"""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from python.engine_tests.jobs import PROGRAM, ROWS, Job, once, programs

TICKS = os.sysconf("SC_CLK_TCK")


class Processors(threading.Thread):
    """Adds up the processor seconds of all programs of this process, also of those that died."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.seconds: dict[int, float] = {}
        self.over = threading.Event()
        self.start()

    def run(self) -> None:
        while not self.over.wait(0.2):
            for pid, *_ in programs():
                try:
                    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                except OSError:
                    continue
                self.seconds[pid] = (int(fields[11]) + int(fields[12])) / TICKS

    def total(self) -> float:
        self.over.set()
        self.join()
        return sum(self.seconds.values())


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def timed(job: Job, work: Callable[[Path], pa.Table]) -> tuple[float, float]:
    """Seconds, and processor seconds of the programs, of a run whose values are right."""
    processors, began = Processors(), time.monotonic()
    got = work(job.rows)
    took = time.monotonic() - began
    if not got.cast(job.want.schema).equals(job.want):
        raise AssertionError("not what one process predicts")
    return took, processors.total()


def measure(job: Job, name: str, work: Callable[[Path], pa.Table], faults: dict) -> None:
    """Prints lines of an engine: name, seconds of a small job and of all rows, processor
    seconds.
    """
    small = job.rows / "00.parquet"
    work(small)
    began = time.monotonic()
    work(small)
    start = time.monotonic() - began

    def line(name: str, took: tuple[float, float]) -> None:
        print(f"{name}\t{start:.2f}\t{took[0]:.2f}\t{took[1]:.2f}", flush=True)

    line(name, min(timed(job, work) for _ in range(2)))
    for fault, (pattern, harm) in faults.items():
        with once(pattern, harm, after=2.0):
            took = timed(job, work)
        line(f"{name}, {fault}", took)


def spark(job: Job, workers: int) -> None:
    from python.engine_tests.test_spark import Spark

    Spark.job = job
    Spark.start(f"local-cluster[{workers},1,1024]")
    faults = {"program killed": (PROGRAM, kill)}
    faults["executor killed"] = ("CoarseGrainedExecutorBackend", kill)
    measure(
        job,
        f"Spark, executors: {workers}",
        lambda files: Spark().predicted(files, cpus=1),
        faults if workers > 1 else {},
    )
    Spark.tearDownClass()


def ray(job: Job, workers: int) -> None:
    from python.engine_tests.test_ray import Ray

    Ray.job = job
    Ray.start(4)
    faults = {"program killed": (PROGRAM, kill), "worker killed": ("ray::MapWorker", kill)}
    measure(
        job,
        f"Ray, workers: {workers}",
        lambda files: Ray().predicted(files, workers=workers),
        faults if workers > 1 else {},
    )
    Ray.tearDownClass()


def ray_nodes(job: Job, workers: int) -> None:
    """A worker on each of two nodes, whose processors it takes."""
    from python.engine_tests.test_ray import Ray

    Ray.job = job
    Ray.start(3)
    node = Ray.cluster.add_node(num_cpus=3)
    Ray.cluster.wait_for_nodes()

    def lose(_: int) -> None:
        Ray.cluster.remove_node(node, allow_graceful=False)
        Ray.cluster.add_node(num_cpus=3)

    measure(
        job,
        "Ray, nodes: 2",
        lambda files: Ray().predicted(files, workers=workers, cpus=2),
        {"node lost": (PROGRAM, lose)},
    )
    Ray.tearDownClass()


@contextmanager
def pinned(cores: set[int]) -> Iterator[None]:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    yield
    os.sched_setaffinity(0, before)


ENGINES = {"spark": spark, "ray": ray, "ray_nodes": ray_nodes}
RUNS = [("spark", 1), ("spark", 2), ("ray", 1), ("ray", 2), ("ray_nodes", 2)]


def alone(job: Job, cores: list[int], rows: Path) -> float:
    """Seconds of a process on each of some processors, which share a table."""
    began, running = time.monotonic(), []
    for i, core in enumerate(cores):
        with pinned({core}):
            shard = ["--shard", f"{i + 1}/{len(cores)}"] if len(cores) > 1 else []
            out = job.folder / f"part-{i}.parquet"
            running.append(job.predict(rows, out, *shard, "--cpus", 1))
    if any([p.wait() for p in running]):
        raise RuntimeError("a process failed")
    return time.monotonic() - began


def lines(job: Job, path: Path, cores: list[int]) -> Iterator[list[str]]:
    """What `measure` prints, without and with engines."""
    small, whole = job.rows / "00.parquet", job.folder / "all.parquet"
    for name, part in (("one process", cores[:1]), ("two processes, `--shard`", cores)):
        start = min(alone(job, part, small) for _ in range(2))
        yield [name, str(start), str(min(alone(job, part, whole) for _ in range(2))), ""]
    for engine, workers in RUNS:
        with pinned(set(cores[:workers])):
            command = [sys.executable, "-W", "ignore", "-m", __spec__.name]
            child = subprocess.Popen(
                [*command, engine, str(workers), str(path)],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        for text in child.stdout:
            if text.count("\t") == 3:
                yield text.rstrip().split("\t")
        if child.wait() != 0:
            raise RuntimeError(f"{engine} with {workers} workers failed")


def main() -> None:
    if len(sys.argv) > 1:
        engine, workers, path = sys.argv[1:]
        ENGINES[engine](pickle.loads(Path(path).read_bytes()), int(workers))
        return
    os.environ["PFNAMP_MODEL"] = "default"
    job = Job()
    path = job.folder / "job"
    path.write_bytes(pickle.dumps(job))
    print(
        "| | 1,000 rows, s | 20,000 rows, s | rows/s beyond 1,000 | of one process | programs, s |"
    )
    print("|---|---:|---:|---:|---:|---:|")
    one = 0.0
    for name, start, whole, cpu in lines(job, path, sorted(os.sched_getaffinity(0))[:2]):
        rate = ROWS * 19 / 20 / (float(whole) - float(start))
        one = one or rate
        figures = f"{float(start):.1f} | {float(whole):.1f} | {rate:.0f} | {rate / one:.2f} | {cpu}"
        print(f"| {name} | {figures} |", flush=True)
    shutil.rmtree(job.folder)


if __name__ == "__main__":
    main()
