"""Write a TabPFN v3.5 checkpoint with random weights.

    python -m scripts.export.tabpfn.v3_5.make_checkpoint --size tiny --seed 1 tiny.safetensors

As ../v3/make_checkpoint.py: the official format and, for `--size full`, the package's own
sizes. One file is for both tasks. The package has no configuration of pipelines for this
version, because files bring their own: these have those of v2.5.
"""

from pathlib import Path

import torch
from tabpfn.architectures import tabpfn_v3_5
from tabpfn.checkpoint import save_as_safetensors

from scripts.export.tabpfn.random_weights import options, shape_decoder
from scripts.export.tabpfn.v3.make_checkpoint import SIZES as SIZES3
from scripts.export.tabpfn.v3.make_checkpoint import content, perturb

SIZES = {
    size: SIZES3[size] | {"decoder_head_dim": 8, "decoder_num_heads": 2, "max_num_classes": 14}
    for size in ("tiny", "least")
} | {"full": {"num_buckets": 5000, "max_num_classes": 160}}


def checkpoint(size: str, seed: int, task: str = "regression", **config) -> dict:
    """A checkpoint of the official format; config overrides the sizes.

    task: whose pipelines the file has.
    """
    torch.manual_seed(seed)
    parsed, _ = tabpfn_v3_5.parse_config(SIZES[size] | config)
    net = tabpfn_v3_5.get_architecture(parsed)
    perturb(net, tabpfn_v3_5.SoftmaxScalingMLP, net.heads.many_class_decoder)
    with torch.no_grad():
        shape_decoder(net.heads.output_projection, net.heads.regression_borders)
    return content("tabpfn_v3_5", parsed, net, task)


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
