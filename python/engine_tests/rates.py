"""Rows per second of Spark and Ray beside one process, and what faults cost: `make bench-engines`.

The embedded model predicts 20,000 rows, on one processor and then on two, one worker each. Every
engine and number of workers has a process of its own (`rates.py ENGINE WORKERS JOB`), which keeps
to its processors and prints lines of the table; a smaller job goes first. Of plain runs the better
one of two counts.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from python.engine_tests.jobs import ROWS, Job, once, ours

PROGRAM = "/pfnamp predict "
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
            for pid in ours(PROGRAM):
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


def timed(job: Job, work: Callable[[], object]) -> tuple[float, float]:
    """Seconds, and processor seconds of the programs, of a run whose values are right."""
    processors, began = Processors(), time.monotonic()
    got = work()
    took = time.monotonic() - began
    if not got.cast(job.want.schema).equals(job.want):
        raise AssertionError("not what one process predicts")
    return took, processors.total()


def measure(job: Job, name: str, work: Callable[[], object], faults: dict) -> None:
    """Prints the lines of an engine: name, seconds, processor seconds; faults are by name."""
    plain = min(timed(job, work) for _ in range(2))
    print(f"{name}\t{plain[0]:.2f}\t{plain[1]:.2f}", flush=True)
    for fault, (pattern, harm) in faults.items():
        hunt = once(pattern, 2.0, harm)
        took = timed(job, work)
        hunt.join(60)
        print(f"{name}, {fault}\t{took[0]:.2f}\t{took[1]:.2f}", flush=True)


def spark(job: Job, workers: int) -> None:
    from python.engine_tests.test_spark import Spark

    Spark.job = job
    Spark.start(f"local-cluster[{workers},1,1024]")
    engine = Spark()
    engine.predicted(job.rows / "00.parquet", cpus=1)
    faults = {"program killed": (PROGRAM, kill)}
    faults["executor killed"] = ("CoarseGrainedExecutorBackend", kill)
    measure(
        job,
        f"Spark, executors: {workers}",
        lambda: engine.predicted(job.rows, cpus=1),
        faults if workers > 1 else {},
    )
    Spark.tearDownClass()


def ray(job: Job, workers: int) -> None:
    from python.engine_tests.test_ray import Ray

    Ray.job = job
    Ray.start(4)
    engine = Ray()
    engine.predicted(job.rows / "00.parquet", workers=workers)
    faults = {"program killed": (PROGRAM, kill), "worker killed": ("ray::MapWorker", kill)}
    measure(
        job,
        f"Ray, workers: {workers}",
        lambda: engine.predicted(job.rows, workers=workers),
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
    engine = Ray()
    options = {"workers": workers, "cpus": 2}

    def lose(_: int) -> None:
        Ray.cluster.remove_node(node, allow_graceful=False)
        Ray.cluster.add_node(num_cpus=3)

    measure(
        job,
        "Ray, nodes: 2",
        lambda: engine.predicted(job.rows, **options),
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


def alone(job: Job, cores: list[int], parts: int) -> float:
    """Seconds of one process, or of so many with a part and a processor each; of two runs."""
    best = float("inf")
    for _ in range(2):
        began, running = time.monotonic(), []
        for part in range(parts):
            with pinned({cores[part]}):
                shard = ["--shard", f"{part + 1}/{parts}"] if parts > 1 else []
                out = job.folder / f"part-{part}.parquet"
                running.append(job.predict(out, *shard, "--cpus", 1))
        if any(p.wait() for p in running):
            raise RuntimeError("a process failed")
        best = min(best, time.monotonic() - began)
    return best


def main() -> None:
    if len(sys.argv) > 1:
        engine, workers, path = sys.argv[1:]
        ENGINES[engine](pickle.loads(Path(path).read_bytes()), int(workers))
        return
    os.environ["PFNAMP_MODEL"] = "default"
    cores = sorted(os.sched_getaffinity(0))[:2]
    job = Job()
    path = job.folder / "job"
    path.write_bytes(pickle.dumps(job))
    one = alone(job, cores, 1)

    def line(name: str, seconds: float, cpu: str) -> None:
        figures = f"{seconds:.1f} | {ROWS / seconds:.0f} | {one / seconds:.2f} | {cpu}"
        print(f"| {name} | {figures} |", flush=True)

    print("| | seconds | rows a second | of one process | processor seconds of programs |")
    print("|---|---:|---:|---:|---:|")
    line("one process", one, "")
    line("two processes, `--shard`", alone(job, cores, 2), "")
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
            if text.count("\t") == 2:
                name, seconds, cpu = text.rstrip().split("\t")
                line(name, float(seconds), cpu)
        if child.wait() != 0:
            raise RuntimeError(f"{engine} with {workers} workers failed")


if __name__ == "__main__":
    main()
