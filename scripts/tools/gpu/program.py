"""Run the program, and tell what it took."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

POLL = 0.2  # seconds between two looks at the card's memory


@dataclass
class Run:
    """What a process printed, the most memory that it held, and the card meanwhile, in MB."""

    out: str
    resident: float
    card: float | None

    def facts(self) -> dict:
        return json.loads(self.out)

    def seconds(self, stage: str) -> float:
        return sum(s["seconds"] for s in self.facts()["seconds"] if s["stage"] == stage)


def query_card(device: str, what: str) -> str:
    """What nvidia-smi tells of the card of a device such as cuda or cuda:1."""
    index = device.partition(":")[2] or "0"
    command = ["nvidia-smi", "--id=" + index, "--query-gpu=" + what]
    command.append("--format=csv,noheader,nounits")
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


class Card:
    """The most memory in use on a card while a process runs, beyond that of before, in MB."""

    def __init__(self, device: str):
        self.device, self.most = device, None
        self.ended = threading.Event()
        if device != "cpu":
            self.most = self.before = self.used()
            self.thread = threading.Thread(target=self.watch)
            self.thread.start()

    def used(self) -> float:
        return float(query_card(self.device, "memory.used"))

    def watch(self) -> None:
        while not self.ended.wait(POLL):
            self.most = max(self.most, self.used())

    def end(self) -> float | None:
        self.ended.set()
        if self.most is None:
            return None
        self.thread.join()
        return self.most - self.before


def run(command: list[object], device: str, env: dict[str, str] | None = None) -> Run:
    """Run a process to its end; its failure is ours."""
    card = Card(device)
    process = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, text=True, env=os.environ | (env or {})
    )
    out = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    most = card.end()
    if process.returncode:
        raise SystemExit(f"gpu-check: status {process.returncode}: {' '.join(map(str, command))}")
    return Run(out, used.ru_maxrss / 1024, most)


class Program:
    """The program on a device; its CUDA libraries are those of PFNAMP_CUDA_PATH."""

    def __init__(self, path: str, device: str):
        self.path, self.device = path, device

    def run(self, *arguments: object) -> Run:
        paths = [os.environ.get("PFNAMP_CUDA_PATH"), os.environ.get("LD_LIBRARY_PATH")]
        env = {"LD_LIBRARY_PATH": ":".join(filter(None, paths))}
        return run([self.path, *arguments, "--device", self.device], self.device, env)

    def predict(self, train: Path, test: Path, out: Path, *options: object) -> Run:
        return self.run("predict", train, test, "-o", out, "--json", *options)


def columns(path: Path) -> dict[str, list[float]]:
    """The columns of a CSV file of numbers."""
    with path.open() as file:
        rows = list(csv.DictReader(file))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def write_table(path: Path, names: list[str], rows) -> Path:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(rows)
    return path


def python(module: str, device: str, *arguments: object) -> Run:
    """Run a module of this repository in a process of its own."""
    return run([sys.executable, "-W", "ignore", "-m", module, *arguments], device)
