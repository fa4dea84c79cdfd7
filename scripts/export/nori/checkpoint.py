"""Read Nori checkpoints without running their code."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.export.bundle.checkpoint import CheckpointError, first_line, load

if TYPE_CHECKING:
    from synthefy_nori.model.transformer import FeaturesTransformer

WANTED = "need the file nori.pt of nori-6m, nori-30m or nori-100m"
WEIGHTS = ("ema_state_dict", "model_state_dict")  # the package reads the first that exists

# Settings that the exporter's network computes. An absent setting has the first value.
SETTINGS = {
    "feature_positional_embedding_type": ("none", None),
    "layer_arch": ("fmfmsm", "smf"),
    "norm_type": ("layernorm", "rmsnorm"),
    "activation": ("gelu", "relu", "silu", "swiglu"),
    "seq_attn_serial": (False,),
    "two_phase_config": (None,),
    "use_prompt_quantile_ple": (False, None),
    "prompt_quantile_ple_bins": (0, None),
}
CELLS = {
    "numeric_embed_type": ("RBF",),
    "nan_to_zero": (False,),
    "prompt_quantile_ple_bins": (0,),
}
KERNELS = {"use_original_features": (False,)}
COLUMNS = {
    "nan_handling_enabled": (True,),
    "normalize_on_train_only": (True,),
    "normalize_x": (True,),
    "remove_outliers": (False,),
    "normalize_by_used_features": (True,),
    "prompt_quantile_ple_bins": (0,),
}
LABEL = {"nan_handling_y_encoder": (True,)}
HEAD = {"regression_loss": ("pinball",)}
PARTS = {
    "encoder_config_x": CELLS,
    "preprocess_config_x": COLUMNS,
    "encoder_config_y": LABEL,
    "decoder_config": HEAD,
}
REMEDIES = {
    "two_phase_config": "nori-1-5 is another architecture, which cannot be exported",
    "feature_positional_embedding_type": "random positions of columns cannot be exported",
}


def read_checkpoint(path: str | Path) -> dict:
    """Return config, weights and inference_config of a file; CheckpointError says what is wrong."""
    saved = load(Path(path))
    if not isinstance(saved, dict) or not isinstance(saved.get("model_config"), dict):
        raise CheckpointError(f"{path}: no model_config in this checkpoint; {WANTED}")
    weights = next((saved[key] for key in WEIGHTS if saved.get(key)), None)
    if not isinstance(weights, dict):
        raise CheckpointError(f"{path}: no {WEIGHTS[1]} in this checkpoint; {WANTED}")
    config = saved["model_config"]
    check(path, "", config, SETTINGS)
    for part, known in PARTS.items():
        if not isinstance(config.get(part), dict):
            raise CheckpointError(f"{path}: no {part} in the configuration; {WANTED}")
        check(path, f"{part}.", config[part], known)
    cells = config["encoder_config_x"]
    if not isinstance(cells.get("RBF_config"), dict):
        raise CheckpointError(f"{path}: no encoder_config_x.RBF_config; {WANTED}")
    check(path, "encoder_config_x.RBF_config.", cells["RBF_config"], KERNELS)
    check_levels(path, config["decoder_config"])
    plain = {name.removeprefix("_orig_mod."): value for name, value in weights.items()}
    return {
        "config": {**config, "mask_prediction": False},
        "weights": plain,
        "inference_config": stored(path, saved),
    }


def check(path: str | Path, prefix: str, config: dict, known: dict[str, tuple]) -> None:
    """Refuse settings that the exporter's network does not compute."""
    for key, values in known.items():
        found = config.get(key, values[0])
        if not any(found is value or found == value for value in values):
            remedy = REMEDIES.get(key, WANTED)
            raise CheckpointError(f"{path}: {prefix}{key} is {shown(found)}; {remedy}")


def shown(value: object) -> str:
    """Write a value in a few characters."""
    return "given" if isinstance(value, dict) else repr(value)[:40]


def check_levels(path: str | Path, head: dict) -> None:
    """Refuse quantiles whose levels are not equally spaced: a bundle has only those."""
    count = head.get("num_reg_quantiles", 1)
    if not isinstance(count, int) or count < 8:
        raise CheckpointError(f"{path}: {shown(count)} quantiles, need 8 or more; {WANTED}")
    levels = head.get("regression_quantiles") or [(i + 1) / (count + 1) for i in range(count)]
    even = len(levels) == count and all(
        math.isclose(level, (i + 1) / (count + 1), abs_tol=1e-6) for i, level in enumerate(levels)
    )
    if not even:
        raise CheckpointError(f"{path}: the levels of the quantiles are not i/{count + 1}")


def stored(path: str | Path, saved: dict) -> list | None:
    """Return the pipelines in a file, or None."""
    found = saved.get("inference_config")
    if found is None:
        return None
    members = found.get("members") if isinstance(found, dict) else None
    if not isinstance(members, list) or not members:
        raise CheckpointError(f"{path}: its inference_config has no members")
    return members


def model_of(path: str | Path, saved: dict) -> FeaturesTransformer:
    """Return the package's network with the weights, which must fit the configuration."""
    from synthefy_nori.utils.loading import build_model

    try:
        model = build_model(saved["config"])
        model.load_state_dict(saved["weights"])
    except (RuntimeError, ValueError, KeyError, TypeError, AssertionError, AttributeError) as error:
        raise CheckpointError(
            f"{path}: the weights do not fit the configuration: {first_line(error)}"
        ) from error
    if not all(value.isfinite().all() for value in model.state_dict().values()):
        raise CheckpointError(f"{path}: a weight is not a finite number")
    return model.eval()
