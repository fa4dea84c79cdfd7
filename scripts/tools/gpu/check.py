"""Check the program on a card and write what was found as a page of Markdown.

    python -m scripts.tools.gpu.check --program build/bin/pfnamp --device cuda --folder build/gpu \\
        --page docs/evidence/gpu.md

Needs the packages of scripts/export/tabicl/requirements.txt. check.sh brings them.
The exit status is 1 if a golden vector differs or an answer is too far from the CPU's.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np
import torch

from scripts.export.tabicl.make_checkpoint import make
from scripts.tools.gpu.program import Program, columns, python, query_card, write_table

ROOT = Path(__file__).resolve().parents[3]
BUNDLES = ("default", "testdata/tiny", "testdata/tabicl-classes", "testdata/tabpfn-tiny")
FUNCTIONALS = ("mean", "q0.1", "q0.5", "q0.9", "p>150")
GATE = 1e-4  # standard deviations of the target, of probabilities 1


@dataclass
class Size:
    """What is timed: a network, its members, rows and features of the context, rows to predict."""

    network: str
    members: int
    rows: int
    features: int
    queries: int
    batches: tuple[int, ...]


SIZES = {
    "cuda": Size("full", 8, 2000, 20, 65_536, (256, 1024, 4096, 16_384)),
    "cpu": Size("small", 2, 200, 5, 2048, (256, 1024)),
}


def table(header: str, rows: list[list[str]]) -> str:
    names = header.split(" | ")
    rule = ["---"] + ["---:"] * (len(names) - 1)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [names, rule, *rows])


def provenance(program: Program, facts: dict) -> str:
    rows = [
        ["processor", f"{processor()}, {os.cpu_count()} cores"],
        ["program", facts["version"]],
        ["onnxruntime", f"{facts['model']['onnxruntime']}, on {facts['model']['device']}"],
        ["Python package", "tabicl " + version("tabicl") + ", torch " + torch.__version__],
    ]
    if program.device != "cpu":
        told = query_card(program.device, "name,memory.total,driver_version")
        name, memory, driver = told.split(", ")
        rows.insert(0, ["card", f"{name}, {memory} MiB, driver {driver}"])
    return table("what | which", rows)


def golden(program: Program) -> tuple[str, bool]:
    """The stages of every bundle beside what was recorded, and whether all are as recorded."""
    command = [program.path, "models", "verify", "--json", "--device", program.device]
    paths = [os.environ.get("PFNAMP_CUDA_PATH"), os.environ.get("LD_LIBRARY_PATH")]
    env = os.environ | {"LD_LIBRARY_PATH": ":".join(filter(None, paths))}
    out = subprocess.run([*command, *BUNDLES], cwd=ROOT, env=env, stdout=subprocess.PIPE)
    rows, sound = [], True
    for bundle in json.loads(out.stdout):
        if error := bundle.get("error"):
            rows.append([bundle["model"], "", error["error"]])
            sound = False
            continue
        stages = [s for case in bundle["cases"] for s in case["stages"]]
        near = [s for s in stages if s["max_difference"] is not None and s["tolerance"]]
        worst = max(near, key=lambda s: s["max_difference"] / s["tolerance"])
        bad = [s["stage"] for s in stages if not s["ok"]]
        sound = sound and not bad
        rows.append(
            [
                bundle["model"],
                str(len(stages)),
                f"{worst['stage']}: {worst['max_difference']:.1e} of {worst['tolerance']:.1e}",
                "differs: " + ", ".join(bad) if bad else "as recorded",
            ]
        )
    return table("bundle | stages | nearest to its tolerance | result", rows), sound


def demo(folder: Path) -> tuple[Path, Path, float]:
    """The tables of `make demo`, and the target's standard deviation."""
    lines = (ROOT / "testdata" / "diabetes.csv").read_text().splitlines()
    rows = [line.split(",") for line in lines[1:]]
    names = lines[0].split(",")
    parts = [[r for i, r in enumerate(rows, 2) if (i % 5 == 0) == test] for test in (False, True)]
    train, test = (
        write_table(folder / f"{name}.csv", names, part)
        for name, part in zip(("train", "test"), parts)
    )
    return train, test, float(np.std([float(r[-1]) for r in parts[0]]))


def agreement(program: Program, folder: Path) -> tuple[str, bool, dict]:
    """Answers on the device beside those on the CPU, by functional."""
    train, test, unit = demo(folder)
    # of the posterior paper a probability moves by 1/50 where a draw crosses its bound
    asked = ["-y", "progression", "--functional", ",".join(FUNCTIONALS), "--posterior", "limit"]
    run = program.predict(train, test, folder / "device.csv", *asked)
    Program(program.path, "cpu").predict(train, test, folder / "cpu.csv", *asked)
    there, here = columns(folder / "device.csv"), columns(folder / "cpu.csv")
    rows, worst = [], 0.0
    for name in (*FUNCTIONALS, "pi"):
        scale = 1.0 if name.startswith("p>") else unit
        ends = [c for c in (name, name + "_lo", name + "_hi") if c in here]
        most = [np.max(np.abs(np.subtract(there[c], here[c]))) / scale for c in ends]
        worst = max(worst, *most)
        rows.append([f"`{name}`", ", ".join(f"{m:.1e}" for m in most)])
    note = "point, lower and upper limit"
    return table(f"functional | {note}", rows), worst <= GATE, run.facts()


def bundle(size: Size, folder: Path) -> tuple[Path, Path]:
    """A checkpoint with random weights of a size, and the bundle exported from it."""
    checkpoint, out = folder / f"{size.network}.ckpt", folder / f"bundle-{size.network}"
    if not (out / "manifest.json").exists():
        torch.save(make(size.network, 1), checkpoint)
        command = ["scripts.export_onnx", "--family", "tabicl", "--checkpoint", checkpoint]
        subprocess.run(
            [sys.executable, "-W", "ignore", "-m", *map(str, command), "--out", str(out)],
            check=True,
            stdout=sys.stderr,
        )
    return checkpoint, out


def speed(program: Program, size: Size, folder: Path) -> str:
    """Rows per second and memory by rows in a batch, of the program and of the package."""
    checkpoint, model = bundle(size, folder)
    rng = np.random.default_rng(1)
    names = [f"x{i}" for i in range(size.features)]
    x, queries = (rng.standard_normal((n, size.features)) for n in (size.rows, size.queries))
    y = 3 + 2 * np.sin(x[:, 0]) + 0.3 * rng.standard_normal(len(x))
    train = write_table(folder / "speed-train.csv", [*names, "y"], np.column_stack([x, y]))
    test = write_table(folder / "speed-test.csv", names, queries)
    job = ["--checkpoint", checkpoint, "--device", program.device, "--members", size.members]
    job += ["--train", train, "--test", test, "--target", "y"]
    package = python(
        "scripts.tools.gpu.package",
        program.device,
        *job,
        "--batches",
        ",".join(map(str, size.batches)),
    )
    found = package.facts()["rows_per_second"]
    rows = []
    for batch in size.batches:
        options = ["-y", "y", "--model", model, "--members", size.members, "--batch", batch]
        options += ["--functional", "q0.5", "--posterior", "paper", "--chains", 50]
        run = program.predict(train, test, folder / "speed.csv", *options)
        rate = size.queries / run.seconds("predict")
        rows.append(
            [
                str(batch),
                f"{rate:.0f}",
                f"{found[str(batch)]:.0f}",
                f"{run.resident:.0f}",
                memory(run.card),
            ]
        )
    rows.append(["the package, all", "", "", f"{package.resident:.0f}", memory(package.card)])
    head = "rows in a batch | pfnamp, rows/s | tabicl, rows/s | memory, MB | of the card, MB"
    return table(head, rows)


def memory(card: float | None) -> str:
    return "none" if card is None else f"{card:.0f}"


def verdict(good: bool) -> str:
    return "as it should be" if good else "**it differs**"


def processor() -> str:
    names = Path("/proc/cpuinfo").read_text().split("model name\t: ")[1:]
    return names[0].splitlines()[0] if names else platform.machine()


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__)
    for name in ("program", "device", "folder", "page"):
        p.add_argument("--" + name, required=True)
    o = p.parse_args()
    folder, program = Path(o.folder), Program(o.program, o.device)
    size = SIZES["cpu" if o.device == "cpu" else "cuda"]
    vectors, recorded = golden(program)
    answers, near, facts = agreement(program, folder)
    rates = speed(program, size, folder)
    title = "On a graphics card" if o.device != "cpu" else "A rehearsal on the CPU, without a card"
    Path(o.page).write_text(f"""# {title}

Written by `make gpu-check DEVICE={o.device}`.

{provenance(program, facts)}

## Golden vectors

What the exporter recorded, beside the same on `{o.device}`: {verdict(recorded)}.

{vectors}

## Agreement with the CPU

The tables of `make demo` with the embedded model, posterior `limit`; the largest difference of any
row, in standard deviations of the target, of probabilities as they are. The gate is {GATE:.0e}:
{verdict(near)}.

{answers}

## Speed and memory

A network with random weights in the {size.network} size of TabICLv2, {size.members} members, a
context of {size.rows} rows × {size.features} features, {size.queries} rows to predict. The
program's seconds are those of its stage `predict`: reading the rows, the network, the median with
its interval from 50 chains, writing them. The package's are its quantiles of rows in memory, from
its cache of the context (`kv_cache`). Memory is the most that the process, and the card, held.

{rates}
""")
    print(f"gpu-check: {o.page}")
    if not (recorded and near):
        raise SystemExit("gpu-check: the device differs, see the page")


if __name__ == "__main__":
    main()
