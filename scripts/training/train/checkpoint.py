"""Read checkpoints of all kinds and write the small kind.

A training checkpoint holds everything needed to resume, and a small checkpoint the
configuration and the moving average of the weights in float16. The folder of a bundle is
read as a checkpoint too.
"""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor

from scripts.training.network.network import TabICL
from scripts.training.train.bundle import load_bundle
from scripts.training.train.state import FIRST, read_state


def weights_of(saved: dict) -> dict[str, Tensor]:
    """The averaged weights of a training checkpoint, or the weights of another one."""
    return saved["ema"] if "ema" in saved else saved["weights"]


def read(path: str) -> dict:
    """A checkpoint, or the configuration and weights of a bundle."""
    if Path(path).is_dir():
        net = load_bundle(path)
        return {"config": net.config, "weights": net.state_dict()}
    if Path(path).name == FIRST:
        return read_state(Path(path))
    return torch.load(path, weights_only=True)


def load_network(path: str, changes: dict | None = None) -> tuple[TabICL, dict]:
    """The network with averaged weights, rounded to float16, and what is known of it.

    Those of a bundle stay as they are: most are float16, the others constants' own.

    `changes` to the configuration may add blocks and outputs and change their sizes, which
    start untrained, and take outputs away.
    """
    saved = read(path)
    net = TabICL({**saved["config"], **(changes or {})})
    weights = weights_of(saved)
    if not Path(path).is_dir():
        weights = {k: v.half().float() for k, v in weights.items()}
    if changes:
        for k, fresh in net.state_dict().items():
            if k not in weights or weights[k].shape != fresh.shape:
                weights[k] = fresh
        weights = {k: weights[k] for k in net.state_dict()}
    net.load_state_dict(weights)
    facts = {k: saved[k] for k in ("step", "tables", "elapsed") if k in saved}
    return net.eval(), facts


def write_small(source: str, target: str) -> None:
    """Write the small checkpoint of a checkpoint.

    The time is not in it: the same run makes the same bytes.
    """
    saved = read(source)
    weights = {k: v.half() for k, v in weights_of(saved).items()}
    facts = {k: saved[k] for k in ("step", "tables") if k in saved}
    torch.save({"config": saved["config"], "weights": weights, **facts}, target)
