"""The state of a run in few bytes: what goes to a card and comes back.

Six bytes a weight: the moving average in float16, what the weights differ from it in float16, and
Muon's momentum in float16 with a scale for every matrix; AdamW's few numbers stay float32. What
is written is what training goes on with, also in the process that wrote it.
"""

from __future__ import annotations

import io
from pathlib import Path

import torch

FIRST = "state.0"  # further parts are state.1, state.2, ...
PART = 15 << 20  # bytes
MOST = 29 << 20  # bytes of all parts that a card's machine is sent


def small(saved: dict) -> dict:
    """A training checkpoint (`Trainer.state`) in few bytes."""
    average = {k: v.half() for k, v in saved["ema"].items()}
    apart = {k: (v - average[k].float()).half() for k, v in saved["net"].items()}
    adam, muon = saved["optimisers"]
    momentum = {}
    for name, state in muon["state"].items():
        scale = state["average"].abs().max().clamp_min(1e-30)
        momentum[name] = (scale, (state["average"] / scale).half())
    kept = {k: v for k, v in saved.items() if k not in ("ema", "net", "optimisers")}
    groups = muon["param_groups"]
    return kept | {"average": average, "apart": apart, "adam": adam, "momentum": momentum,
                   "groups": groups}  # fmt: skip


def large(found: dict) -> dict:
    """The training checkpoint that `small` has put in few bytes."""
    average = {k: v.float() for k, v in found["average"].items()}
    net = {k: average[k] + v.float() for k, v in found["apart"].items()}
    state = {k: {"average": s * v.float()} for k, (s, v) in found["momentum"].items()}
    muon = {"state": state, "param_groups": found["groups"]}
    new = ("average", "apart", "adam", "momentum", "groups")
    kept = {k: v for k, v in found.items() if k not in new}
    return kept | {"ema": average, "net": net, "optimisers": [found["adam"], muon]}


def write_state(saved: dict, folder: Path) -> int:
    """Write a checkpoint in parts; its bytes."""
    buffer = io.BytesIO()
    torch.save(small(saved), buffer)
    data = buffer.getvalue()
    parts = [data[at : at + PART] for at in range(0, len(data), PART)]
    for i, part in reversed(list(enumerate(parts))):  # the first part last: it tells of the others
        partial = folder / f"state.{i}.partial"
        partial.write_bytes(part)
        partial.replace(folder / f"state.{i}")
    for old in folder.glob("state.*"):
        if old.suffix[1:].isdigit() and int(old.suffix[1:]) >= len(parts):
            old.unlink()
    return len(data)


def read_state(first: Path) -> dict:
    """The checkpoint whose first part is this file, its tensors on the CPU."""
    parts = sorted(first.parent.glob("state.[0-9]*"), key=lambda path: int(path.suffix[1:]))
    whole = b"".join(path.read_bytes() for path in parts if path.suffix[1:].isdigit())
    return large(torch.load(io.BytesIO(whole), weights_only=True, map_location="cpu"))
