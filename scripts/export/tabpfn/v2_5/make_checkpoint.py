"""Write a TabPFN v2.5 or v2.6 checkpoint with random weights.

    python -m scripts.export.tabpfn.v2_5.make_checkpoint --network v2.5 --size tiny tiny25.ckpt
    python -m scripts.export.tabpfn.v2_5.make_checkpoint --network v2.6 --size full full26.ckpt

As ../v2/make_checkpoint.py, for the newer networks: the official format and, for
`--size full`, the official sizes. v2.5 files have the old names of the weights, as the
official ones do; v2.6 files carry the configuration of their pipelines.
"""

import dataclasses

import torch
from tabpfn.architectures import tabpfn_v2_5, tabpfn_v2_6
from tabpfn.constants import ModelVersion
from tabpfn.inference_config import InferenceConfig
from tabpfn.preprocessing.configs import PreprocessorConfig
from torch import nn

from scripts.export.tabpfn.random_weights import (
    CLASSES,
    ROW_ATTENTION,
    borders,
    options,
    shape_decoder,
    sharpen,
)

NETWORKS = {"v2.5": tabpfn_v2_5, "v2.6": tabpfn_v2_6}
SIZES = {
    "tiny": {"emsize": 64, "nhead": 2, "nlayers": 2, "num_thinking_rows": 5, "num_buckets": 100},
    "least": {"emsize": 64, "nhead": 2, "nlayers": 1, "num_thinking_rows": 5, "num_buckets": 100},
    "full": {"emsize": 192, "nhead": 3, "nlayers": 24, "num_buckets": 5000},
}
# Configurations of other steps than the default's, which a file of v2.6 may bring.
RECIPES = {
    "default": {},
    "varied": {
        "FEATURE_SUBSAMPLING_METHOD": "balanced",
        "PREPROCESS_TRANSFORMS": [
            PreprocessorConfig(
                "quantile_uni",
                append_original=True,
                categorical_name="onehot",
                global_transformer_name="svd",
            ),
            PreprocessorConfig(
                "safepower",
                append_original="auto",
                categorical_name="ordinal_shuffled",
                global_transformer_name="svd_quarter_components",
                max_features_per_estimator=7,
            ),
            PreprocessorConfig(
                "squashing_scaler_max10",
                categorical_name="ordinal_very_common_categories_shuffled",
                max_features_per_estimator=3,
            ),
            PreprocessorConfig(
                "none", categorical_name="ordinal", global_transformer_name="svd_quarter_components"
            ),
            PreprocessorConfig("quantile_uni_fine", max_features_per_estimator=2),
            PreprocessorConfig("squashing_scaler_default", categorical_name="numeric"),
        ],
    },
    "products": {
        "POLYNOMIAL_FEATURES": 5,
        "PREPROCESS_TRANSFORMS": [
            PreprocessorConfig("quantile_norm_coarse", append_original="auto"),
            PreprocessorConfig(
                "quantile_uni_extrapolate",
                categorical_name="numeric",
                max_features_per_estimator=10,
            ),
            PreprocessorConfig("robust", categorical_name="onehot", max_onehot_cardinality=4),
            PreprocessorConfig("none", global_transformer_name="svd"),
        ],
    },
}
OLD = {  # present names of weights and those of the files of v2.5
    "target_embedder.": "y_encoder.1.layer.",
    "output_projection.": "decoder_dict.standard.",
    "add_thinking_rows.row_token_values_TE": "add_thinking_tokens.row_token_values",
}


@torch.no_grad()
def perturb(net: nn.Module, edges: torch.Tensor | None) -> None:
    """Make the weights those of random_weights.py; edges are of bars, or None for classes."""
    sharpen(net)
    for block in net.blocks:
        block.per_column_attention_between_cells.out_projection.weight *= ROW_ATTENTION
    shape_decoder(net.output_projection[2], edges)


def old_names(
    state: dict[str, torch.Tensor], heads: int, classes: bool = False
) -> dict[str, torch.Tensor]:
    """The weights as files of v2.5 name and shape them."""
    out: dict[str, torch.Tensor] = {}
    for name, value in state.items():
        part = name.split(".")
        if name.startswith("feature_group_embedder."):
            rest = name.removeprefix("feature_group_embedder.")
            out["encoder.5." + ("layer." if rest == "weight" else "mlp.") + rest] = value
        elif part[0] == "blocks" and part[2] == "mlp":
            prefix = f"transformer_encoder.layers.{part[1]}.mlp.linear"
            out[f"{prefix}{int(part[3]) // 2 + 1}.weight"] = value
        elif part[0] == "blocks":
            kind = "features" if "features" in part[2] else "items"
            prefix = f"transformer_encoder.layers.{part[1]}.self_attn_between_{kind}."
            if part[3] == "out_projection":
                out[prefix + "_w_out"] = value.T.unflatten(0, (heads, -1)).contiguous()
            else:
                at = "qkv".index(part[3][0])
                qkv = out.setdefault(prefix + "_w_qkv", torch.zeros(3, *value.shape))
                qkv[at] = value
        else:
            for present, old in OLD.items():
                name = name.replace(present, old)
            out[name.replace("y_encoder.1", "y_encoder.2") if classes else name] = value
    return {
        k: v.unflatten(1, (heads, -1)).contiguous() if k.endswith("_w_qkv") else v
        for k, v in out.items()
    }


def checkpoint(
    network: str,
    size: str,
    seed: int,
    pipelines: str = "default",
    task: str = "regression",
    **config,
) -> dict:
    """A checkpoint of the official format; config overrides the sizes.

    pipelines: one of RECIPES, for files of v2.6; v2.5 has those of the package.
    """
    torch.manual_seed(seed)
    classes = CLASSES if task == "classification" else 0
    made = SIZES[size] | {"max_num_classes": classes} | config
    edges = None if classes else borders(made["num_buckets"])
    module = NETWORKS[network]
    parsed, _ = module.parse_config(made)
    net = module.get_architecture(parsed)
    perturb(net, edges)
    state = {k: v.detach() for k, v in net.state_dict().items()}
    saved = {"config": dataclasses.asdict(parsed)}
    if network == "v2.5":
        saved["architecture_name"] = "base"
        state = old_names(state, parsed.nhead, bool(classes))
    else:
        saved["architecture_name"] = "tabpfn_v2_6"
        kind = "multiclass" if classes else "regression"
        inference = InferenceConfig.get_default(kind, ModelVersion.V2_5)
        for key, value in RECIPES[pipelines].items():
            setattr(inference, key, value)
        saved["inference_config"] = dataclasses.asdict(inference)
    if edges is not None:
        state["criterion.borders"] = edges
        state["criterion.losses_per_bucket"] = torch.zeros(made["num_buckets"])
    return saved | {"state_dict": state}


if __name__ == "__main__":
    p = options(__doc__, SIZES)
    p.add_argument("--network", choices=sorted(NETWORKS), default="v2.5")
    o = p.parse_args()
    torch.save(checkpoint(o.network, o.size, o.seed, task=o.task), o.target)
