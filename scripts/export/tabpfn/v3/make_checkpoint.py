"""Write a TabPFN v3 checkpoint with random weights.

    python -m scripts.export.tabpfn.v3.make_checkpoint --size tiny --seed 1 tiny3.ckpt
    python -m scripts.export.tabpfn.v3.make_checkpoint --size full --seed 1 full3.ckpt

As ../v2_5/make_checkpoint.py: the official format, for `--size full` the official sizes, and
the configuration of the pipelines, which files of v3 carry. In the tiny network query
rows read a part of the heads, and several heads of queries share one.
"""

import dataclasses

import torch
from tabpfn.architectures import tabpfn_v3
from tabpfn.constants import ModelVersion
from tabpfn.inference_config import InferenceConfig
from torch import nn

from scripts.export.tabpfn.random_weights import options, shape_decoder, sharpen

SIZES = {
    "tiny": {
        "num_buckets": 100,
        "embed_dim": 32,
        "dist_embed_num_blocks": 2,
        "dist_embed_num_heads": 2,
        "dist_embed_num_inducing_points": 7,
        "feat_agg_num_blocks": 2,
        "feat_agg_num_heads": 2,
        "feat_agg_num_cls_tokens": 2,
        "nlayers": 2,
        "icl_num_heads": 4,
        "icl_num_kv_heads_test": 2,
        "softmax_scaling_mlp_hidden_dim": 16,
    },
    "full": {"num_buckets": 5000},
}
SIZES["least"] = SIZES["tiny"] | {
    "dist_embed_num_blocks": 1,
    "feat_agg_num_blocks": 1,
    "nlayers": 1,
}
CLASSIFIERS = {  # sizes of classifiers
    "tiny": {"max_num_classes": 14, "decoder_head_dim": 8, "decoder_num_heads": 2},
    "full": {"max_num_classes": 160},
}
CLASSIFIERS["least"] = CLASSIFIERS["tiny"]
CLASS_SHARPNESS = 3.0  # factor of the queries of a classifier's decoder
LEAST_SCALE = 1.0  # added to the factors of queries, which else are near zero


@torch.no_grad()
def perturb(net: nn.Module, scaling: type, decoder: nn.Module | None) -> None:
    """Make the weights those of random_weights.py.

    scaling: the package's type for factors of queries; decoder: that of classes, if there is one.
    """
    sharpen(net)
    for module in net.modules():
        if isinstance(module, scaling):
            module.base_mlp[2].bias += LEAST_SCALE
    if decoder is not None:
        decoder.q_projection.weight *= CLASS_SHARPNESS


def content(architecture: str, parsed, net: nn.Module, task: str) -> dict:
    """What a file holds, with the package's pipelines of v2.5 for the task."""
    kind = "multiclass" if task == "classification" else "regression"
    inference = InferenceConfig.get_default(kind, ModelVersion.V2_5)
    if parsed.max_num_classes:
        inference.MAX_NUMBER_OF_CLASSES = parsed.max_num_classes
    return {
        "architecture_name": architecture,
        "config": dataclasses.asdict(parsed),
        "inference_config": dataclasses.asdict(inference),
        "state_dict": {k: v.detach() for k, v in net.state_dict().items()},
    }


def checkpoint(size: str, seed: int, task: str = "regression", **config) -> dict:
    """A checkpoint of the official format; config overrides the sizes."""
    torch.manual_seed(seed)
    more = CLASSIFIERS[size] if task == "classification" else {"max_num_classes": 0}
    parsed, _ = tabpfn_v3.parse_config(SIZES[size] | more | config)
    net = tabpfn_v3.get_architecture(parsed)
    classes = net.task_type == "multiclass"
    perturb(net, tabpfn_v3.SoftmaxScalingMLP, net.many_class_decoder if classes else None)
    if not classes:
        with torch.no_grad():
            shape_decoder(net.output_projection[2], net.regression_borders)
    return content("tabpfn_v3", parsed, net, task)


if __name__ == "__main__":
    p = options(__doc__, SIZES)
    o = p.parse_args()
    torch.save(checkpoint(o.size, o.seed, o.task), o.target)
