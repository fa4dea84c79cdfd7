"""Write a TabPFN v3.5 checkpoint with random weights.

    python -m scripts.export.tabpfn.v3_5.make_checkpoint --size tiny --seed 1 tiny.safetensors

As ../v3/make_checkpoint.py: the official format and, for `--size full`, the package's own
sizes. One file is for both tasks. The package has no configuration of pipelines for this
version, because files bring their own: these have those of v2.5.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import torch
from tabpfn.architectures import tabpfn_v3_5
from tabpfn.checkpoint import save_as_safetensors
from tabpfn.constants import ModelVersion
from tabpfn.inference_config import InferenceConfig

from scripts.export.tabpfn.random_weights import (
    NOISE,
    SHARPNESS,
    options,
    perturb_zeros,
    shape_decoder,
)
from scripts.export.tabpfn.v3.make_checkpoint import CLASS_SHARPNESS, LEAST_SCALE
from scripts.export.tabpfn.v3.make_checkpoint import SIZES as SIZES3

SIZES = {
    size: SIZES3[size] | {"decoder_head_dim": 8, "decoder_num_heads": 2, "max_num_classes": 14}
    for size in ("tiny", "least")
} | {"full": {"num_buckets": 5000, "max_num_classes": 160}}


@torch.no_grad()
def perturb(net: tabpfn_v3_5.TabPFNV3p5) -> None:
    """Make the weights those of random_weights.py."""
    perturb_zeros(net)
    for name, module in net.named_modules():
        if name.endswith(("q_projection", "k_projection")):
            module.weight *= SHARPNESS
        if isinstance(module, torch.nn.RMSNorm):
            module.weight *= 1 + NOISE * torch.randn_like(module.weight)
        if isinstance(module, tabpfn_v3_5.SoftmaxScalingMLP):
            module.base_mlp[2].bias += LEAST_SCALE
    net.heads.many_class_decoder.q_projection.weight *= CLASS_SHARPNESS
    shape_decoder(net.heads.output_projection, net.heads.regression_borders)


def checkpoint(size: str, seed: int, task: str = "regression", **config) -> dict:
    """A checkpoint of the official format; config overrides the sizes.

    task: whose pipelines the file has.
    """
    torch.manual_seed(seed)
    parsed, _ = tabpfn_v3_5.parse_config(SIZES[size] | config)
    net = tabpfn_v3_5.get_architecture(parsed)
    perturb(net)
    kind = "multiclass" if task == "classification" else "regression"
    inference = InferenceConfig.get_default(kind, ModelVersion.V2_5)
    inference.MAX_NUMBER_OF_CLASSES = parsed.max_num_classes
    return {
        "architecture_name": "tabpfn_v3_5",
        "config": dataclasses.asdict(parsed),
        "inference_config": dataclasses.asdict(inference),
        "state_dict": {k: v.detach() for k, v in net.state_dict().items()},
    }


def save(saved: dict, path: Path) -> None:
    """Write the file as its name says."""
    if path.suffix == ".safetensors":
        save_as_safetensors(saved, path)
    else:
        torch.save(saved, path)


if __name__ == "__main__":
    p = options(__doc__, SIZES)
    o = p.parse_args()
    save(checkpoint(o.size, o.seed, o.task), Path(o.target))
