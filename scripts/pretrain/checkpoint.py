"""Read checkpoints of both kinds and write the small kind.

    python -m scripts.pretrain.checkpoint runs/small/last.pt small.pt

A training checkpoint holds everything needed to resume; a small checkpoint
holds the configuration and the averaged weights in float16.
"""

from __future__ import annotations

import argparse

import torch

from scripts.pretrain.network import TabICL


def load_network(path: str, changes: dict | None = None) -> tuple[TabICL, dict]:
    """The network with float16-rounded averaged weights, and what is known of it.

    `changes` to the configuration may add blocks and outputs, which start untrained.
    """
    saved = torch.load(path, weights_only=True)
    net = TabICL({**saved["config"], **(changes or {})})
    weights = saved["ema"] if "ema" in saved else saved["weights"]
    weights = {k: v.half().float() for k, v in weights.items()}
    added = set(net.state_dict()) - set(weights) if changes else set()
    net.load_state_dict(weights | {k: net.state_dict()[k] for k in added})
    facts = {k: saved[k] for k in ("step", "tables", "elapsed") if k in saved}
    return net.eval(), facts


def write_small(source: str, target: str) -> None:
    net, facts = load_network(source)
    weights = {k: v.half() for k, v in net.state_dict().items()}
    torch.save({"config": net.config, "weights": weights, **facts}, target)


if __name__ == "__main__":
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("source", help="checkpoint of train.py")
    p.add_argument("target", help="small checkpoint to write")
    options = p.parse_args()
    write_small(options.source, options.target)
