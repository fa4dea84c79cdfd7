"""Run the program, and tell what it took."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

POLL = 0.2  # seconds between two looks at the card's memory


@dataclass
class Run:
    """What a process printed, and what it took: memory in MB, seconds, the card meanwhile.

    `card` is memory in MB, `busy` the mean use of the card in per cent; both None without one.
    """

    out: str
    errors: str
    status: int
    resident: float
    wall: float
    cpu: float
    card: float | None
    busy: float | None

    def facts(self) -> dict:
        return json.loads(self.out)

    def seconds(self, stage: str) -> float:
        return sum(s["seconds"] for s in self.facts()["seconds"] if s["stage"] == stage)


def number_of(device: str) -> str:
    """The card of a device such as cuda or cuda:1, for nvidia-smi: a number or an identifier."""
    index = int(device.partition(":")[2] or 0)
    shown = [v for v in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if v]
    return shown[index].strip() if shown else str(index)


def query_card(device: str, what: str) -> str:
    """What nvidia-smi tells of the card of a device."""
    command = ["nvidia-smi", "--id=" + number_of(device), "--query-gpu=" + what]
    command.append("--format=csv,noheader,nounits")
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


class Card:
    """The memory in use on a card while a process runs, beyond that of before, and its use."""

    def __init__(self, device: str):
        self.device, self.seen = device, []
        self.ended = threading.Event()
        self.there = device != "cpu" and shutil.which("nvidia-smi") is not None
        if self.there:
            self.before = self.look()[0]
            self.thread = threading.Thread(target=self.watch)
            self.thread.start()

    def look(self) -> list[float]:
        told = query_card(self.device, "memory.used,utilization.gpu")
        return [float(v) for v in told.split(",")]

    def watch(self) -> None:
        while not self.ended.wait(POLL):
            self.seen.append(self.look())

    def end(self) -> tuple[float | None, float | None]:
        """The most memory in MB, and the mean use in per cent."""
        self.ended.set()
        if not self.there:
            return None, None
        self.thread.join()
        memory, use = zip(*(self.seen or [self.look()]))
        return max(memory) - self.before, sum(use) / len(use)


class Late(Exception):
    """The time of the check is over."""


DEADLINE = [float("inf")]  # monotonic seconds; check.py sets it


def run(
    command: list[object], device: str, env: dict[str, str] | None = None, fails: bool = False
) -> Run:
    """Run a process to its end; its failure is ours, unless it may fail."""
    card, began = Card(device), time.monotonic()
    if began > DEADLINE[0]:
        raise Late
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            list(map(str, command)),
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=os.environ | (env or {}),
        )
        timer = threading.Timer(max(1.0, min(1e6, DEADLINE[0] - began)), process.kill)
        timer.start()
        out = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = errors.read()
    wall, (most, busy) = time.monotonic() - began, card.end()
    if time.monotonic() > DEADLINE[0]:
        raise Late
    if process.returncode and not fails:
        told = " ".join(map(str, command))
        raise RuntimeError(f"status {process.returncode}: {told}: {said[-2000:]}")
    cpu = used.ru_utime + used.ru_stime
    return Run(out, said, process.returncode, used.ru_maxrss / 1024, wall, cpu, most, busy)


class Program:
    """The program on a device; its CUDA libraries are those of PFNAMP_CUDA_PATH."""

    def __init__(self, path: str, device: str):
        self.path, self.device = path, device

    def run(self, *arguments: object, fails: bool = False, log: bool = False) -> Run:
        """Run it; with `log` onnxruntime says on stderr which node runs where."""
        paths = [os.environ.get("PFNAMP_CUDA_PATH"), os.environ.get("LD_LIBRARY_PATH")]
        env = {"LD_LIBRARY_PATH": ":".join(filter(None, paths))}
        env |= {"PFNAMP_ORT_LOG": "1"} if log else {}
        return run([self.path, *arguments, "--device", self.device], self.device, env, fails)

    def fit(self, train: Path, state: Path, *options: object, log: bool = False) -> Run:
        return self.run("fit", train, "-o", state, "--json", *options, log=log)

    def predict(self, *files_and_options: object, out: Path, **how: bool) -> Run:
        return self.run("predict", *files_and_options, "-o", out, "--json", **how)


def columns(path: Path) -> dict[str, list[float]]:
    """The columns of numbers of a CSV file."""
    with path.open() as file:
        rows = list(csv.DictReader(file))
    return {name: [float(row[name]) for row in rows] for name in rows[0] if name != "class"}


def write_table(path: Path, names: list[str], rows) -> Path:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(rows)
    return path


def table(header: str, rows: list[list[str]]) -> str:
    """A table of Markdown; ` | ` parts the names of its columns."""
    names = header.split(" | ")
    rule = ["---"] + ["---:"] * (len(names) - 1)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [names, rule, *rows])
