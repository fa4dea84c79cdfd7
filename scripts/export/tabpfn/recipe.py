"""The pipelines of package 8.4.0 as a manifest describes them, and which of them are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabpfn.inference_config import InferenceConfig

TRANSFORMS = (
    "none",
    "quantile_uni",
    "quantile_uni_coarse",
    "quantile_uni_fine",
    "quantile_uni_extrapolate",
    "quantile_norm",
    "quantile_norm_coarse",
    "quantile_norm_fine",
    "safepower",
    "robust",
    "squashing_scaler_default",
    "squashing_scaler_max10",
)
ENCODINGS = (
    "none",
    "numeric",
    "onehot",
    "ordinal",
    "ordinal_shuffled",
    "ordinal_very_common_categories_shuffled",
)
COMPONENTS = ("none", "svd", "svd_quarter_components")
TARGETS = ("none", "safepower")
SUBSETS = ("random", "balanced", "auto")
FIXED = {  # what the program does, where a configuration could say something else
    "FEATURE_SHIFT_METHOD": ("shuffle",),
    "SUBSAMPLE_SAMPLES": (None,),
    "ENABLE_GPU_PREPROCESSING": (False,),
    "PASSTHROUGH_INF": (False,),
    "FIX_NAN_BORDERS_AFTER_TARGET_TRANSFORM": (True,),
    "USE_SKLEARN_16_DECIMAL_PRECISION": (False,),
    "FEATURE_SUBSAMPLING_METHOD": SUBSETS,
    "TRANSFORM_DATES": (False,),
    "TRANSFORM_TEXT": (False,),
}


REGRESSION = {  # the same of a regressor alone; a classifier's outliers are in its graphs
    "OUTLIER_REMOVAL_STD": ("auto", None),
    "_REGRESSION_DEFAULT_OUTLIER_REMOVAL_STD": (None,),
}
CLASSIFICATION = {"CLASS_SHIFT_METHOD": ("shuffle", "rotate", None)}


class UnknownStep(Exception):
    """A configuration asks for something that the program cannot do."""


def require(what: str, value: object, known: tuple) -> None:
    if value not in known:
        raise UnknownStep(
            f"the checkpoint's inference configuration has {what} = {value!r}, which pfnamp "
            f"does not have (known: {', '.join(map(repr, known))})"
        )


def names_of(config: InferenceConfig) -> list[str]:
    """A name for every feature pipeline, that of its transform."""
    names: list[str] = []
    for pipeline in config.PREPROCESS_TRANSFORMS:
        count = sum(name.split(".")[0] == pipeline.name for name in names)
        names.append(f"{pipeline.name}.{count + 1}" if count else pipeline.name)
    return names


def targets_of(config: InferenceConfig) -> list[str]:
    """The transforms of a regressor's target."""
    targets = [t or "none" for t in config.REGRESSION_Y_PREPROCESS_TRANSFORMS]
    for target in targets:
        require("REGRESSION_Y_PREPROCESS_TRANSFORMS", target, TARGETS)
    return targets


def recipe(config: InferenceConfig, classifier: bool = False, without: Sequence[str] = ()) -> dict:
    """The manifest's account of an inference configuration; UnknownStep if it has none.

    without: steps of the configuration that the user knows to be left out.
    """
    products = {"no": 0, "all": -1}.get(config.POLYNOMIAL_FEATURES, config.POLYNOMIAL_FEATURES)
    for key, known in (FIXED | (CLASSIFICATION if classifier else REGRESSION)).items():
        if key not in without:
            require(key, getattr(config, key, known[0]), known)
    most = config.MAX_UNIQUE_FOR_CATEGORICAL_FEATURES
    require("MIN_CARDINALITY_FOR_TEXT", getattr(config, "MIN_CARDINALITY_FOR_TEXT", most), (most,))
    pipelines = []
    for p in config.PREPROCESS_TRANSFORMS:
        components = p.global_transformer_name or "none"
        require("differentiable", p.differentiable, (False,))
        require("name", p.name, TRANSFORMS)
        require("categorical_name", p.categorical_name, ENCODINGS)
        require("global_transformer_name", components, COMPONENTS)
        pipelines.append(
            {
                "transform": p.name,
                "append": p.append_original
                if p.append_original == "auto"
                else ("yes" if p.append_original else "no"),
                "categories": p.categorical_name,
                "max_onehot": p.max_onehot_cardinality or 0,
                "components": components,
                "max_columns": p.max_features_per_estimator,
            }
        )
    return {
        "pipelines": pipelines,
        **({} if classifier else {"targets": targets_of(config)}),
        "subsets": "balanced"
        if config.FEATURE_SUBSAMPLING_METHOD == "auto"
        else config.FEATURE_SUBSAMPLING_METHOD,
        "products": products,
        "max_categories": config.MAX_UNIQUE_FOR_CATEGORICAL_FEATURES,
        "rows_to_infer": config.MIN_NUMBER_SAMPLES_FOR_CATEGORICAL_INFERENCE,
        "fewest_for_number": config.MIN_UNIQUE_FOR_NUMERICAL_FEATURES,
    }
