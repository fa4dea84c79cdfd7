"""Write a Nori checkpoint with random weights, in the format of the package:

    python -m scripts.export.nori.make_checkpoint --size tiny tiny.pt

full has the sizes of a network of 6 million weights. The package does not contain the
configurations of its released files. So the settings come from its training with --model-v2-lite.
"""

import argparse
import json
from pathlib import Path

import torch
from synthefy_nori.configs import DEFAULT_MODEL_CONFIG, config_path
from synthefy_nori.utils.loading import build_model, finalize_arch_config
from torch import nn

NOISE = 0.05  # deviation of weights that would start at zero
SHARPNESS = 3.0  # factor of queries and keys, so that rows attend to some rows more than to others
CONTRAST = 6.0  # factor of the attention between rows, and of the last layer

SIZES = {
    "tiny": {"embed_dim": 16, "nhead": 2, "nlayers": 2, "hid_dim": 32, "quantiles": 19},
    "small": {"embed_dim": 64, "nhead": 4, "nlayers": 4, "hid_dim": 128, "quantiles": 999},
    "full": {"embed_dim": 128, "nhead": 8, "nlayers": 16, "hid_dim": 512, "quantiles": 999},
}


def config(size: str, **more) -> dict:
    """Return a configuration as training writes it; more overrides it."""
    made = json.loads(Path(config_path(DEFAULT_MODEL_CONFIG)).read_text())
    sizes = dict(SIZES[size])
    quantiles = sizes.pop("quantiles")
    layers, width = sizes["nlayers"], sizes["embed_dim"]
    made |= sizes | {
        "activation": "swiglu",
        "norm_type": "rmsnorm",
        "pre_norm": True,
        "deepnorm_alpha": layers**-0.5,
        "use_qassmax": True,
        "use_target_aware_embedding": True,
        "omit_feature_decoder": True,
    }
    for part in ("encoder_config_x", "encoder_config_y"):
        sizes = {k: width for k in made[part] if k in ("embedding_size", "mask_embedding_size")}
        made[part] = made[part] | sizes
    made["decoder_config"] = made["decoder_config"] | {
        "num_reg_quantiles": quantiles,
        "regression_loss": "pinball",
        "regression_quantiles": [(i + 1) / (quantiles + 1) for i in range(quantiles)],
    }
    made |= more
    group = made["features_per_group"]
    for part in ("preprocess_config_x", "encoder_config_x"):
        made[part] = made[part] | {"num_features": group}
    return finalize_arch_config(made)


@torch.no_grad()
def perturb(net: nn.Module, quantiles: int) -> None:
    """Weights whose predictions depend on the context and differ from row to row."""
    for parameter in net.parameters():
        if not parameter.any():
            parameter += NOISE * torch.randn_like(parameter)
    for layer in net.transformer_encoder.layers:
        for attention in (*layer.feature_attentions, *layer.sequence_attentions):
            attention.qkv_proj_weight[:2] *= SHARPNESS
            attention.qkv_proj_weight[2] *= CONTRAST
            attention.out_proj_weight *= CONTRAST
    last = net.reg_y_decoder[-1]
    levels = torch.arange(1, quantiles + 1) / (quantiles + 1)
    waves = torch.cos(torch.pi * levels[:, None] * torch.arange(6))
    last.weight.copy_(waves @ torch.randn(6, last.weight.shape[1]))
    last.bias.copy_(torch.special.ndtri(levels))


def checkpoint(size: str, seed: int, inference: list | None = None, **more) -> dict:
    """Return the content of a file; inference are its pipelines, or None."""
    torch.manual_seed(seed)
    made = config(size, **more)
    net = build_model(made)
    perturb(net, made["decoder_config"]["num_reg_quantiles"])
    saved = {"model_config": made, "model_state_dict": net.state_dict()}
    if inference is not None:
        saved["inference_config"] = {"name": "own", "members": inference}
    return saved


if __name__ == "__main__":
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("target", help="file to write")
    p.add_argument("--size", choices=sorted(SIZES), default="tiny")
    p.add_argument("--seed", type=int, default=1)
    o = p.parse_args()
    torch.save(checkpoint(o.size, o.seed), o.target)
