"""The package's names of settings and weights in the terms of the project's network."""

from typing import Any

from scripts.export.bundle.checkpoint import CheckpointError

# The package's names of the network's dimensions, and what they are if not given.
SIZES = {
    "embed_dim": ("embed_dim", 128),
    "num_quantiles": ("quantiles", 999),
    "col_num_blocks": ("col_blocks", 3),
    "col_nhead": ("col_heads", 8),
    "col_num_inds": ("inducing", 128),
    "row_num_blocks": ("row_blocks", 3),
    "row_nhead": ("row_heads", 8),
    "row_num_cls": ("num_cls", 4),
    "row_rope_base": ("rope_base", 100000),
    "icl_num_blocks": ("icl_blocks", 12),
    "icl_nhead": ("icl_heads", 8),
    "ff_factor": ("ff_factor", 2),
}

# Settings that change the result, with the values that the network has. The
# package's own default of the last one is another one.
FIXED: dict[str, tuple] = {
    "col_affine": (False,),
    "col_feature_group": (True, "same"),
    "col_feature_group_size": (3,),
    "col_target_aware": (True,),
    "col_ssmax": (True, "qassmax-mlp-elementwise"),
    "icl_ssmax": (True, "qassmax-mlp-elementwise"),
    "activation": ("gelu",),
    "norm_first": (True,),
    "row_rope_interleaved": (False,),
}
DEFAULTS = {"row_rope_interleaved": True}
DEFAULT_CLASSES = 10
MOST_CLASSES = 1000

# Settings of the training alone, and those that `dimensions` treats by themselves.
IGNORED = {"dropout", "zero_init", "recompute"}
OWN = {"max_classes", "bias_free_ln"}

BLOCK = {
    "norm1": "norm1",
    "norm2": "norm2",
    "attn.in_proj_weight": "in_weight",
    "attn.in_proj_bias": "in_bias",
    "attn.out_proj": "out",
    "linear1": "mlp.first",
    "linear2": "mlp.second",
    "attn.ssmax_layer.base_mlp.0": "ssmax.base.first",
    "attn.ssmax_layer.base_mlp.2": "ssmax.base.second",
    "attn.ssmax_layer.query_mlp.0": "ssmax.gate.first",
    "attn.ssmax_layer.query_mlp.2": "ssmax.gate.second",
}

OTHERS = {
    "col_embedder.in_linear": "cell",
    "col_embedder.y_encoder": "y_cell",
    "row_interactor.cls_tokens": "cls",
    "row_interactor.out_ln": "row_norm",
    "icl_predictor.y_encoder": "y_row",
    "icl_predictor.ln": "icl_norm",
    "icl_predictor.decoder.0": "decoder.first",
    "icl_predictor.decoder.2": "decoder.second",
}

FREQS = "row_interactor.tf_row.rope.freqs"


def dimensions(config: dict, path: str) -> dict:
    """The package's configuration in the network's terms; refuses what does not fit."""
    if not isinstance(config, dict):
        raise CheckpointError(f"{path}: its configuration is a {type(config).__name__}")
    unknown = sorted(set(config) - set(SIZES) - set(FIXED) - IGNORED - OWN)
    if unknown:
        raise CheckpointError(
            f"{path}: unknown settings, such as {unknown[0]!r}: the checkpoint of another family "
            "or version; TabICLv2 is needed, such as tabicl-regressor-v2 or tabicl-classifier-v2"
        )
    for name, values in FIXED.items():
        value = config.get(name, DEFAULTS.get(name, values[-1]))
        if value not in values:
            raise CheckpointError(
                f"{path}: {name} is {value!r}, the exporter supports {values[-1]!r}: "
                "not TabICLv2, such as tabicl-regressor-v2 or tabicl-classifier-v2"
            )
    classes, free = class_count(config), config.get("bias_free_ln", False)
    if type(classes) is not int or not (classes == 0 or 2 <= classes <= MOST_CLASSES):
        raise CheckpointError(f"{path}: max_classes is {classes!r}")
    sizes = {ours: config.get(name, default) for name, (ours, default) in SIZES.items()}
    if classes:
        del sizes["quantiles"]  # the package does not look at it
    for name, value in sizes.items():
        if type(value) not in (int, float) or not 0 < value < 1 << 20:
            raise CheckpointError(f"{path}: {name} is {value!r}")
    if type(free) is not bool:
        raise CheckpointError(f"{path}: bias_free_ln is {free!r}")
    return sizes | {"classes": classes, "norm_bias": not free}


def class_count(config: dict) -> Any:
    """The number of classes that a network reads, 0 of a regressor."""
    return config.get("max_classes", DEFAULT_CLASSES)


def renamed(name: str) -> str:
    """The network's name of one of the package's parameters, or "" if it has none."""
    head, _, last = name.rpartition(".")
    if name in OTHERS or head in OTHERS:
        return OTHERS.get(name) or f"{OTHERS[head]}.{last}"
    for prefix, stack in (
        ("col_embedder.tf_col.blocks.", "columns"),
        ("row_interactor.tf_row.blocks.", "rows"),
        ("icl_predictor.tf_icl.blocks.", "icl"),
    ):
        if name.startswith(prefix):
            index, _, rest = name.removeprefix(prefix).partition(".")
            return block_name(f"{stack}.{index}", rest)
    return ""


def block_name(block: str, rest: str) -> str:
    """The name of a parameter inside a block of attention."""
    if rest == "ind_vectors":
        return f"{block}.inducing"
    for theirs, ours in (("multihead_attn1.", ".collect"), ("multihead_attn2.", ".spread")):
        if rest.startswith(theirs):
            block, rest = block + ours, rest.removeprefix(theirs)
    head, _, last = rest.rpartition(".")
    if rest in BLOCK:
        return f"{block}.{BLOCK[rest]}"
    return f"{block}.{BLOCK[head]}.{last}" if head in BLOCK else ""
