"""Make a checkpoint in the official TabICLv2 format with random weights.

    python -m scripts.export.tabicl.make_checkpoint --size full --out full.ckpt
    python -m scripts.export.tabicl.make_checkpoint --size full --task classification \\
        --out full.ckpt

The module is that of the `tabicl` package, so a bundle exported from the file
can be compared with the package. No block may be an identity: parameters that
start as constants (output projections, gates, norms, biases) are perturbed, and
the decoder starts as a standard normal distribution that depends on the table, or
with logits of classes that lie a few units apart.
"""

import argparse
import math

import torch
from tabicl._model.tabicl import TabICL
from torch import Tensor

V2_REGRESSOR = {
    "max_classes": 0,
    "num_quantiles": 999,
    "embed_dim": 128,
    "col_num_blocks": 3,
    "col_nhead": 8,
    "col_num_inds": 128,
    "col_affine": False,
    "col_feature_group": "same",
    "col_feature_group_size": 3,
    "col_target_aware": True,
    "col_ssmax": "qassmax-mlp-elementwise",
    "row_num_blocks": 3,
    "row_nhead": 8,
    "row_num_cls": 4,
    "row_rope_base": 100000,
    "row_rope_interleaved": False,
    "icl_num_blocks": 12,
    "icl_nhead": 8,
    "icl_ssmax": "qassmax-mlp-elementwise",
    "ff_factor": 2,
    "dropout": 0.0,
    "activation": "gelu",
    "norm_first": True,
    "bias_free_ln": True,
}

# The classifier differs in its labels and outputs, and in layer normalisation with biases.
V2_CLASSIFIER = {**V2_REGRESSOR, "max_classes": 10, "bias_free_ln": False}

TASKS = {"regression": V2_REGRESSOR, "classification": V2_CLASSIFIER}

SIZES = {
    "full": {},
    "small": {
        "num_quantiles": 199,
        "embed_dim": 32,
        "col_num_blocks": 2,
        "col_nhead": 4,
        "col_num_inds": 16,
        "row_num_blocks": 2,
        "row_nhead": 4,
        "icl_num_blocks": 3,
        "icl_nhead": 4,
    },
    "tiny": {
        "num_quantiles": 19,
        "embed_dim": 8,
        "col_num_blocks": 1,
        "col_nhead": 2,
        "col_num_inds": 4,
        "row_num_blocks": 2,
        "row_nhead": 2,
        "row_num_cls": 2,
        "icl_num_blocks": 2,
        "icl_nhead": 2,
    },
}


def perturb(net: TabICL, noise: torch.Generator) -> None:
    """Move every constant parameter away from its start."""

    def normal(like: Tensor) -> Tensor:
        return torch.randn(like.shape, generator=noise)

    for name, value in net.named_parameters():
        if name.endswith("freqs"):
            continue
        if value.ndim == 1:
            value.add_(0.1 * normal(value))
        elif value.count_nonzero() == 0:
            value.add_(normal(value) / math.sqrt(value.shape[1]))


def start_normal(net: TabICL, noise: torch.Generator) -> None:
    """Let the decoder return normal quantiles that move with the table and cross."""
    last = net.icl_predictor.decoder[2]
    levels = torch.arange(1, len(last.bias) + 1) / (len(last.bias) + 1)
    last.bias.copy_(torch.special.ndtri(levels))
    hidden = last.weight.shape[1]
    location = torch.randn((1, hidden), generator=noise) * (2.0 / math.sqrt(hidden))
    last.weight.copy_(0.5 * last.weight + location)


def start_classes(net: TabICL, noise: torch.Generator) -> None:
    """Let the logits of the classes lie a few units apart and move with the row."""
    last = net.icl_predictor.decoder[2]
    weight = torch.randn(last.weight.shape, generator=noise)
    last.weight.copy_(weight * (4.0 / math.sqrt(last.weight.shape[1])))


def make(size: str, seed: int, half: bool = False, task: str = "regression") -> dict:
    """The content of a checkpoint file; `half` rounds the weights to float16 values."""
    torch.manual_seed(seed)
    config = {**TASKS[task], **SIZES[size]}
    net, noise = TabICL(**config, zero_init=False), torch.Generator().manual_seed(seed)
    with torch.no_grad():
        perturb(net, noise)
        (start_normal if task == "regression" else start_classes)(net, noise)
    state = net.state_dict()
    if half:
        state = {k: v if k.endswith("freqs") else v.half().float() for k, v in state.items()}
    return {"config": config, "state_dict": state}


def main() -> None:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--size", choices=sorted(SIZES), required=True)
    p.add_argument("--task", choices=sorted(TASKS), default="regression")
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--half", action="store_true", help="weights that float16 holds exactly")
    p.add_argument("--out", required=True)
    o = p.parse_args()
    torch.save(make(o.size, o.seed, o.half, o.task), o.out)


if __name__ == "__main__":
    main()
