"""What a device computes, beside what was recorded and beside the CPU."""

from __future__ import annotations

import json
import os
import platform
import re
from collections import Counter
from pathlib import Path

import numpy as np

from scripts.tools.gpu.program import Program, columns, query_card, table, write_table
from scripts.tools.gpu.rates import Job

ROOT = Path(__file__).resolve().parents[3]
FUNCTIONALS = ("mean", "q0.1", "q0.5", "q0.9", "p>150")
GATE = 1e-4  # standard deviations of the target, of probabilities 1
PLACED = re.compile(r"(?:All nodes|Node\(s\)) placed on \[(\w+)\]\. Number of nodes: (\d+)")
NODE = re.compile(r"VerifyEachNodeIsAssignedToAnEp\]\s{3}(\w+) \(")


def processor() -> str:
    names = Path("/proc/cpuinfo").read_text().split("model name\t: ")[1:]
    return names[0].splitlines()[0] if names else platform.machine()


def provenance(program: Program) -> tuple[str, bool]:
    facts = program.run("doctor", "--json").facts()
    runtime = facts["runtime"]
    rows = [
        ["processor", f"{processor()}, {os.cpu_count()} cores"],
        ["program", facts["pfnamp"]],
        [
            "onnxruntime",
            f"{runtime['library']['version']}, {runtime['smoke']['placement']['device']}",
        ],
    ]
    if program.device != "cpu":
        driver = runtime["nvidia"]
        cards = ", ".join(f"{g['name']}, {g['memory'] >> 20} MiB" for g in driver["gpus"])
        version = driver.get("version") or query_card(program.device, "driver_version")
        rows.append(["card", f"{cards}, driver {version}, CUDA {driver['cuda']}"])
    return table("what | which", rows), True


def golden(program: Program, folder: Path) -> tuple[str, bool]:
    """The cases of every bundle beside what was recorded, and whether all are as recorded."""
    bundles = ["default", "classifier", *sorted(map(str, (ROOT / "testdata").glob("*/")))]
    bundles = [b for b in bundles if "/" not in b or (Path(b) / "manifest.json").exists()]
    bundles.append(str(folder / "bundle-full"))
    out = program.run("models", "verify", "--json", *bundles, fails=True)
    rows, sound = [], True
    for bundle in json.loads(out.out):
        bundle["model"] = bundle["model"].removeprefix(f"{ROOT}/")
        if error := bundle.get("error"):
            rows.append([bundle["model"], "", error["error"]])
            sound = False
            continue
        near = [c for c in bundle["cases"] if c["max_difference"] is not None and c["tolerance"]]
        worst = max(near, key=lambda c: c["max_difference"] / c["tolerance"])
        bad = [f"{c['case']} ({c['part']})" for c in bundle["cases"] if not c["ok"]]
        sound = sound and not bad
        nearest = f"{worst['part']}: {worst['max_difference']:.1e} of {worst['tolerance']:.1e}"
        result = "differs: " + ", ".join(bad) if bad else "as recorded"
        rows.append([bundle["model"], str(len(bundle["cases"])), nearest, result])
    return table("bundle | cases | nearest to its tolerance | result", rows), sound


def demo(folder: Path) -> tuple[Path, Path, float]:
    """The tables of `make demo`, with a column of labels too, and the target's deviation."""
    lines = (ROOT / "testdata" / "diabetes.csv").read_text().splitlines()
    rows = [line.split(",") for line in lines[1:]]
    names = [*lines[0].split(","), "level"]
    for row in rows:
        row.append("low" if float(row[-1]) < 100 else "middle" if float(row[-1]) < 180 else "high")
    parts = [[r for i, r in enumerate(rows, 2) if (i % 5 == 0) == test] for test in (False, True)]
    train, test = (
        write_table(folder / f"{name}.csv", names, part)
        for name, part in zip(("train", "test"), parts)
    )
    return train, test, float(np.std([float(r[-2]) for r in parts[0]]))


def answers(program: Program, folder: Path, full: Job) -> tuple[str, bool]:
    """Answers on the device beside those on the CPU, by functional."""
    train, test, unit = demo(folder)
    # of the posterior paper a probability moves by 1/50 where a draw crosses its bound
    posterior = ["--posterior", "auto"]
    asked = {
        "embedded regressor": [train, test, "-y", "progression", "--ignore", "level", *posterior,
                               "--functional", ",".join(FUNCTIONALS)],
        "embedded classifier": [train, test, "-y", "level", "--ignore", "progression", *posterior],
    }  # fmt: skip
    rows, sound = [], True
    train, test = full.tables(64)
    asked["TabICL, full size"] = [train, test, "-y", "y", "--model", full.model(),
        "--members", 2, "--functional", "q0.1,q0.5", "--posterior", "limit"]  # fmt: skip
    for name, options in asked.items():
        program.predict(*options, out=folder / "device.csv")
        Program(program.path, "cpu").predict(*options, out=folder / "cpu.csv")
        there, here = columns(folder / "device.csv"), columns(folder / "cpu.csv")
        bases = [c for c in here if c + "_lo" in here]
        for base in [*bases, *(["pi"] if "pi_lo" in here else [])]:
            scale = 1.0 if base.startswith("p>") or base.startswith("p=") else unit
            ends = [c for c in (base, base + "_lo", base + "_hi") if c in here]
            scale = float(np.std(here[ends[0]])) if name.startswith("TabICL") else scale
            most = [np.max(np.abs(np.subtract(there[c], here[c]))) / scale for c in ends]
            sound = sound and max(most) <= GATE
            rows.append([name, f"`{base}`", ", ".join(f"{m:.1e}" for m in most)])
    return table("network | functional | point, lower and upper limit", rows), sound


def placed(log: str) -> dict[str, Counter]:
    """The nodes of every provider in onnxruntime's log of a session, by kind where it says so."""
    found, here = {}, None
    for line in log.splitlines():
        if match := PLACED.search(line):
            here = found.setdefault(match[1], Counter())
            here["all"] += int(match[2])
        elif here is not None and (match := NODE.search(line)):
            here[match[1]] += 1
    return found


def placement(program: Program, jobs: list[Job]) -> tuple[str, bool]:
    """Which nodes of the graph of query rows are on the processor; none may copy to it."""
    rows, sound = [], True
    for job in jobs:
        state, test = job.state(), job.tables(256)[1]
        run = program.predict(state, test, *job.options(), out=job.folder / "log.csv", log=True)
        found = placed(run.errors)
        if not found:
            raise RuntimeError("onnxruntime's log does not say where nodes are")
        here = found.pop("CPUExecutionProvider", Counter())
        copies = sum((c for c in (here, *found.values())), Counter())
        copies = {k: n for k, n in copies.items() if k.startswith("Memcpy")}
        if program.device != "cpu":
            sound = sound and "MemcpyToHost" not in copies and bool(found)
        kinds = ", ".join(f"{k} {n}" for k, n in here.most_common(8) if k != "all")
        there = sum(c["all"] for c in found.values())
        copied = ", ".join(f"{k} {n}" for k, n in copies.items()) or "0"
        rows.append([job.network, str(there), f"{here['all']}: {kinds}".strip(": "), copied])
    return table("network | nodes on the device | on the processor | copies", rows), sound
