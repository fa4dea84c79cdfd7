"""Read checkpoints of all kinds and write the small kind.

    python -m scripts.pretrain.checkpoint runs/long/last.pt small.pt
    python -m scripts.pretrain.checkpoint runs/long/snapshots/*.pt small.pt

A training checkpoint holds everything needed to resume, a snapshot the weights of one
step, and a small checkpoint the configuration and averaged weights in float16: of one
training checkpoint its moving average, of several checkpoints the mean of their weights.
"""

from __future__ import annotations

import argparse

import torch
from torch import Tensor

from scripts.pretrain.network import TabICL


def weights_of(saved: dict) -> dict[str, Tensor]:
    """The averaged weights of a training checkpoint, or the weights of another one."""
    return saved["ema"] if "ema" in saved else saved["weights"]


def load_network(path: str, changes: dict | None = None) -> tuple[TabICL, dict]:
    """The network with float16-rounded averaged weights, and what is known of it.

    `changes` to the configuration may add blocks and outputs, which start untrained, and
    take outputs away.
    """
    saved = torch.load(path, weights_only=True)
    net = TabICL({**saved["config"], **(changes or {})})
    weights = {k: v.half().float() for k, v in weights_of(saved).items()}
    if changes:
        fresh = net.state_dict()
        weights = {k: weights.get(k, v) for k, v in fresh.items()}
    net.load_state_dict(weights)
    facts = {k: saved[k] for k in ("step", "tables", "elapsed") if k in saved}
    return net.eval(), facts


def write_small(sources: list[str], target: str) -> None:
    """Average the weights of all sources into one small checkpoint; facts are the last one's."""
    parts = [torch.load(path, weights_only=True) for path in sources]
    stacked = [weights_of(saved) for saved in parts]
    weights = {k: torch.stack([w[k] for w in stacked]).mean(0).half() for k in stacked[0]}
    last = parts[-1]
    facts = {k: last[k] for k in ("step", "tables", "elapsed") if k in last}
    torch.save({"config": last["config"], "weights": weights, **facts}, target)


if __name__ == "__main__":
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("sources", nargs="+", help="checkpoints or snapshots of train.py")
    p.add_argument("target", help="small checkpoint to write")
    options = p.parse_args()
    write_small(options.sources, options.target)
