"""Make a bundle of the official size of TabICLv2 whose weights are small to send:

    python -m scripts.tools.gpu.official build/gpu/bundle-full    # needs the package tabicl

The weights are random anyway. A large matrix repeats a few rows, whose numbers are whole multiples
of a step, so that 190 MB of graphs pack into less than one.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import torch

from scripts.export.tabicl.make_checkpoint import make

ROOT = Path(__file__).resolve().parents[3]
LARGE = 1 << 14  # numbers of a matrix that repeats its rows
ROWS = 10  # no divisor of the 64 rows of a head, so that heads differ
STEPS = 8  # of a deviation


def repeated(weight: torch.Tensor) -> torch.Tensor:
    """A large matrix with the first rows of a weight again and again; others stay as they are."""
    if weight.ndim != 2 or weight.numel() < LARGE:
        return weight
    step = weight.std() / STEPS
    few = (weight[:ROWS] / step).round() * step
    return few[torch.arange(len(weight)) % ROWS]


def write(bundle: Path) -> None:
    """Write the bundle, unless it is there."""
    if (bundle / "SHA256SUMS").exists():
        return
    content = make("full", 1)
    content["state_dict"] = {k: repeated(v) for k, v in content["state_dict"].items()}
    checkpoint = bundle.with_suffix(".ckpt")
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    torch.save(content, checkpoint)
    command = [sys.executable, "-W", "ignore", "-m", "scripts.export_onnx", "--family", "tabicl"]
    command += ["--checkpoint", str(checkpoint), "--out", str(bundle)]
    subprocess.run(command, check=True, stdout=sys.stderr, cwd=ROOT)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
