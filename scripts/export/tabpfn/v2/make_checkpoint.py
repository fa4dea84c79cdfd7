"""Write a TabPFN v2 checkpoint with random weights.

    python -m scripts.export.tabpfn.v2.make_checkpoint --size tiny --seed 1 tiny.ckpt
    python -m scripts.export.tabpfn.v2.make_checkpoint --size full --seed 1 full.ckpt
    python -m scripts.export.tabpfn.v2.make_checkpoint --task classification --seed 1 classes.ckpt

The file has the official format and, for `--size full`, the official sizes, so
that every tool that reads the official weights can be tested without them. What is
random about the weights: see random_weights.py.
"""

import torch
from tabpfn.model.loading import get_encoder, get_y_encoder
from tabpfn.model.transformer import PerFeatureTransformer

from scripts.export.tabpfn.random_weights import (
    CLASSES,
    ROW_ATTENTION,
    SHARPNESS,
    borders,
    options,
    perturb_zeros,
    shape_decoder,
)

SIZES = {
    "tiny": {"emsize": 64, "nhead": 2, "nlayers": 2, "num_buckets": 100},
    "least": {"emsize": 64, "nhead": 2, "nlayers": 1, "num_buckets": 100},
    "full": {"emsize": 192, "nhead": 6, "nlayers": 12, "num_buckets": 5000},
}
COMMON = {
    "adaptive_max_seq_len_to_max_full_table_size": 75000,
    "batch_size": 8,
    "features_per_group": 2,
    "max_num_classes": 0,
    "remove_duplicate_features": False,
    "seq_len": 2000,
    "task_type": "regression",
    "max_num_features": 85,
    "two_sets_of_queries": False,
    "aggregate_k_gradients": 1,
}
TASKS = {
    "regression": {},
    "classification": {"task_type": "multiclass", "max_num_classes": CLASSES},
}


def network(config: dict) -> PerFeatureTransformer:
    """The architecture as the package builds it from such a configuration."""
    size, group, classes = (config[k] for k in ("emsize", "features_per_group", "max_num_classes"))
    return PerFeatureTransformer(
        seed=0,
        encoder=get_encoder(
            num_features=group,
            embedding_size=size,
            remove_empty_features=True,
            remove_duplicate_features=config["remove_duplicate_features"],
            nan_handling_enabled=True,
            normalize_on_train_only=True,
            normalize_to_ranking=False,
            normalize_x=True,
            remove_outliers=False,
            normalize_by_used_features=True,
            encoder_use_bias=False,
        ),
        y_encoder=get_y_encoder(
            num_inputs=1, embedding_size=size, nan_handling_y_encoder=True, max_num_classes=classes
        ),
        nhead=config["nhead"],
        ninp=size,
        nhid=4 * size,
        nlayers=config["nlayers"],
        features_per_group=group,
        decoder_dict={"standard": (None, classes or config["num_buckets"])},
        feature_positional_embedding="subspace",
        layer_norm_with_elementwise_affine=False,
        multiquery_item_attention_for_test_set=True,
        two_sets_of_queries=config["two_sets_of_queries"],
    )


@torch.no_grad()
def perturb(net: PerFeatureTransformer, edges: torch.Tensor | None) -> None:
    """Make the weights those of random_weights.py; edges are of bars, or None for classes."""
    perturb_zeros(net)
    for layer in net.transformer_encoder.layers:
        layer.self_attn_between_items._w_out *= ROW_ATTENTION
        for attention in (layer.self_attn_between_features, layer.self_attn_between_items):
            if attention._w_qkv is not None:
                attention._w_qkv[:2] *= SHARPNESS
            else:
                attention._w_q *= SHARPNESS
                attention._w_kv[:1] *= SHARPNESS
    shape_decoder(net.decoder_dict["standard"][2], edges)


def checkpoint(size: str, seed: int, task: str = "regression", **more) -> dict:
    """A checkpoint of the official format; more overrides the configuration."""
    torch.manual_seed(seed)
    config = COMMON | SIZES[size] | TASKS[task] | more
    edges = None if config["max_num_classes"] else borders(config["num_buckets"])
    net = network(config)
    perturb(net, edges)
    state = dict(net.state_dict())
    if edges is not None:
        state["criterion.borders"] = edges
        state["criterion.losses_per_bucket"] = torch.zeros(config["num_buckets"])
    return {"state_dict": state, "config": config}


if __name__ == "__main__":
    p = options(__doc__, SIZES)
    o = p.parse_args()
    torch.save(checkpoint(o.size, o.seed, o.task), o.target)
