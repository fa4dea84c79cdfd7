"""The tabpfn package, version 8.4.0: its networks v2.5 to v3, pipelines and predictions."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from tabpfn import TabPFNClassifier, TabPFNRegressor
from tabpfn.architectures.interface import ArchitectureConfig
from tabpfn.architectures.shared.column_embeddings import load_column_embeddings
from tabpfn.architectures.tabpfn_v3 import TabPFNV3Config
from tabpfn.inference_config import InferenceConfig
from tabpfn.model_loading import load_model
from tabpfn.preprocessing.clean import fix_dtypes, process_text_na_dataframe
from tabpfn.preprocessing.datamodel import FeatureModality
from tabpfn.preprocessing.steps.safe_power_transformer import SafePowerTransformer
from tabpfn.preprocessing.torch import TorchSoftClipOutliers
from tabpfn.utils import transform_borders_one, translate_probs_across_borders
from tabpfn.validation import ensure_compatible_predict_input_sklearn
from torch import nn

from scripts.export.tabpfn.members import caught, transformed
from scripts.export.tabpfn.recipe import names_of, recipe
from scripts.export.tabpfn.v2_5 import network as v2_5
from scripts.export.tabpfn.v3 import network as v3

VERSION = "8.4.0"
POWERS = ("safepower",)  # pipelines with a power transform
OPTIONS = {"kv_cache_precision": "auto"}  # of its regressor: no cache of 8 bits
PowerTransformer = SafePowerTransformer
translate = translate_probs_across_borders


@dataclass
class Reference:
    """The package's own network with what it says about itself."""

    model: nn.Module
    config: ArchitectureConfig
    inference: InferenceConfig
    task: tuple[str, ...] = ()  # what the network is told beside a table

    @property
    def classes(self) -> int:
        """How many a classifier tells apart, 0 of a regressor."""
        return min(max(0, self.config.max_num_classes), self.inference.MAX_NUMBER_OF_CLASSES)

    @property
    def sigma(self) -> float | None:
        """Deviations beyond which a value is drawn in, None for none."""
        kind = "classifier" if self.classes else "regressor"
        return self.inference.get_resolved_outlier_removal_std(kind)


def reference(path: Path, task: str = "") -> Reference:
    """The package's own network with the weights of a checked checkpoint, which has one task."""
    del task
    model, _, config, inference = load_model(path=path, cache_trainset_representation=False)
    return Reference(model, config, inference)


def network(saved: dict, own: Reference, groups: int) -> nn.Module:
    """The network to be traced."""
    del saved  # the package has given the weights their present names
    state, config = own.model.state_dict(), own.config
    if isinstance(config, TabPFNV3Config):
        return v3.Network(state, config, groups, own.classes, own.sigma).eval()
    table = embedding_table(own.model, groups)
    return v2_5.Network(
        state, config.nhead, config.features_per_group, table, own.classes, own.sigma
    ).eval()


def embedding_table(model: nn.Module, groups: int) -> torch.Tensor:
    """The fixed vectors of the feature groups: those of the package's file, where they fit."""
    cells, embedding = (
        torch.zeros(1, 1, groups, model.emsize),
        model.feature_positional_embedding_embeddings,
    )
    table = caught(embedding, lambda: model._add_column_embeddings(cells))
    file = load_column_embeddings()
    if table.shape[1] == file.shape[1] and not torch.equal(table, file[:groups]):
        raise AssertionError("the package does not use the vectors of its file")
    return table


def tensors(own: Reference, x, y, queries) -> tuple[torch.Tensor, ...]:
    """Rows first, as the package takes them, with outliers drawn in where it does so."""
    x, y, queries = (torch.from_numpy(a).transpose(0, 1).contiguous() for a in (x, y, queries))
    if own.sigma is None:
        return x, y, queries
    clip = TorchSoftClipOutliers(own.sigma)
    bounds = clip.fit(x)
    return clip.transform(x, bounds), y, clip.transform(queries, bounds)


def logits(own: Reference, x, y, queries, cached: bool) -> np.ndarray:
    """Logits [1, M, K] of the package, with its own cached context or in one pass."""
    x, y, queries = tensors(own, x, y, queries)
    with torch.no_grad():
        if cached:
            _, cache = own.model(x, y, *own.task, return_kv_cache=True)
            again = y if own.classes or own.task else None
            out = own.model(queries, again, *own.task, kv_cache=cache, x_is_test_only=True)
        else:
            out = own.model(torch.cat((x, queries)), y, *own.task)
    if own.classes:
        out = out[..., : own.classes]
    return out.transpose(0, 1).numpy()


def preset(saved: dict, own: Reference, without: Sequence[str] = ()) -> dict:
    """What a manifest says of the pipelines, and the limits of the network."""
    del saved
    inference = own.inference
    return {
        "norms": names_of(inference),
        "cdf": "fixed",
        "fingerprint": inference.FINGERPRINT_FEATURE,
        "members": members_of(inference),
        "temperature": getattr(inference, "SOFTMAX_TEMPERATURE", 0.9),
        "classes": own.classes,
        "features_per_group": getattr(own.config, "features_per_group", 1),
        "limits": (inference.MAX_NUMBER_OF_SAMPLES, inference.MAX_NUMBER_OF_FEATURES),
        "shuffle": inference.CLASS_SHIFT_METHOD or "none",
        "recipe": recipe(inference, bool(own.classes), without),
    }


def members_of(inference: InferenceConfig) -> int:
    """How many the package runs by default; since version 9 a checkpoint may say so."""
    said = getattr(inference, "N_ESTIMATORS", "auto")
    return 8 if said == "auto" else said


def encoded(model: TabPFNClassifier | TabPFNRegressor, x) -> np.ndarray:
    """The numeric matrix that the package makes of a table before its members see it."""
    x = ensure_compatible_predict_input_sklearn(x, model)
    x = fix_dtypes(x, cat_indices=categorical(model))
    return process_text_na_dataframe(x, ord_encoder=model.ordinal_encoder_)


def given(table, encoded_table: np.ndarray, declared: list[int], train) -> np.ndarray:
    """The user's table, with the texts of the labelled rows as codes, -1 for other texts."""
    del encoded_table, declared
    if isinstance(table, np.ndarray):
        return table
    out = np.empty(table.shape)
    for j, name in enumerate(table.columns):
        if train[name].dtype != object:
            out[:, j] = table[name]
            continue
        codes = {text: i for i, text in enumerate(sorted(train[name].dropna().unique()))}
        out[:, j] = [np.nan if pd.isna(v) else codes.get(v, -1) for v in table[name]]
    return out


def categorical(model: TabPFNClassifier | TabPFNRegressor) -> list[int]:
    return model.inferred_feature_schema_.indices_for(FeatureModality.CATEGORICAL)


def member_logits(
    model: TabPFNClassifier | TabPFNRegressor, queries: np.ndarray
) -> list[np.ndarray]:
    task = "multiclass" if isinstance(model, TabPFNClassifier) else "regression"
    outputs = model.executor_.iter_outputs(queries, autocast=False, task_type=task)
    return [out.float().numpy() for out, _ in outputs]


def bars(model: TabPFNRegressor):
    """The distributions over standardised and over raw targets."""
    return model.znorm_space_bardist_, model.raw_space_bardist_


def walk(pipeline, x: np.ndarray, queries: np.ndarray) -> tuple:
    """Both tables after a member's pipeline, whose steps are fitted anew with their own seeds."""
    schema = pipeline.initial_feature_schema_
    for step in (deepcopy(step) for step, _ in pipeline.steps):
        result, tested = step.fit_transform(x.copy(), schema), step.transform(queries.copy())
        prefix = step.added_feature_prefix()
        x, schema = pipeline._maybe_append_added_columns(
            result.X, result.feature_schema, result, prefix
        )
        queries, _ = pipeline._maybe_append_added_columns(
            tested.X, tested.feature_schema, tested, prefix
        )
    return np.asarray(x), np.asarray(queries)


def member(
    model: TabPFNClassifier | TabPFNRegressor, i: int, x: np.ndarray, queries: np.ndarray
) -> dict:
    """Features and target of one member."""
    made = model.executor_.ensemble_members[i]
    columns = slice(None) if made.feature_indices is None else made.feature_indices
    x, queries = walk(made.cpu_preprocessor, x[:, columns], queries[:, columns])
    if not np.allclose(x, made.X_train, 1e-9, 1e-9, equal_nan=True):
        raise AssertionError("the steps do not reproduce the member's features")
    pipelines = model.inference_config_.PREPROCESS_TRANSFORMS
    return {
        "seed": int(model.ensemble_preprocessor_.pipeline_seeds[i]),
        "pipeline": names_of(model.inference_config_)[
            pipelines.index(made.config.preprocess_config)
        ],
        "permutation": [int(k) for k in made.cpu_preprocessor.steps[-1][0].index_permutation_],
        "x": x,
        "queries": queries,
        "y": np.asarray(made.y_train, dtype=float),
    }


def class_order(model: TabPFNClassifier, i: int) -> list[int]:
    """A member sees class k as this list's k-th."""
    order = model.executor_.ensemble_members[i].config.class_permutation
    return [int(k) for k in (range(model.n_classes_) if order is None else order)]


def target(model: TabPFNRegressor, i: int) -> dict:
    """The target transform and borders of one member of a regressor."""
    transform = model.executor_.ensemble_members[i].config.target_transform
    return transformed(bars(model)[0].borders.numpy(), transform, transform_borders_one)
