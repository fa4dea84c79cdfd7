"""The tabpfn package, version 2.0.9: its network, its pipelines, its predictions."""

import warnings
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path

import numpy as np
import torch
from sklearn import preprocessing
from tabpfn import TabPFNClassifier, TabPFNRegressor
from tabpfn.config import ModelInterfaceConfig
from tabpfn.utils import (
    _transform_borders_one,
    translate_probs_across_borders,
    update_encoder_outlier_params,
)
from torch import nn

from scripts.export.tabpfn.checkpoint import classes_of
from scripts.export.tabpfn.members import caught, transformed
from scripts.export.tabpfn.v2.network import Network

VERSION = "2.0.9"
POWERS = ("power",)  # pipelines with a power transform
OPTIONS: dict = {}  # of its regressor
# Of pipelines in a manifest, those of regressors first.
NAMES = {"quantile_uni": "quantile", "safepower": "power"}
CLASS_NAMES = {"quantile_uni_coarse": "quantile", "none": "none"}
PowerTransformer = preprocessing.PowerTransformer
translate = translate_probs_across_borders


def reference(path: Path, task: str = "") -> nn.Module:
    """The package's own network with the weights of a checked checkpoint, which has one task."""
    del task
    from tabpfn.model.loading import load_model

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model, _, config = load_model(path=path, model_seed=0)
    sigma = clip_of(config.max_num_classes)
    update_encoder_outlier_params(model, sigma, seed=0, inplace=True)
    return model


def clip_of(classes: int) -> float | None:
    """Deviations beyond which a value is drawn in, None for regressors."""
    config = ModelInterfaceConfig()
    if classes:
        return config._CLASSIFICATION_DEFAULT_OUTLIER_REMOVAL_STD
    return config._REGRESSION_DEFAULT_OUTLIER_REMOVAL_STD


def network(saved: dict, model: nn.Module, groups: int) -> Network:
    """The network to be traced."""
    table, sigma = embedding_table(model, groups), clip_of(classes_of(saved))
    return Network(saved["state_dict"], table, sigma).eval()


def embedding_table(model: nn.Module, groups: int) -> torch.Tensor:
    """The fixed random vectors of the feature groups, as the package draws them."""
    rows = torch.zeros(3, 1, groups * model.features_per_group)
    embedding = model.feature_positional_embedding_embeddings
    return caught(embedding, lambda: model(None, rows, torch.zeros(2), single_eval_pos=2))


def logits(model: nn.Module, x, y, queries, cached: bool) -> np.ndarray:
    """Logits [B, M, K] of the package, with its own cached context or in one pass."""
    x, y, queries = (torch.from_numpy(a).transpose(0, 1).contiguous() for a in (x, y, queries))
    model.cache_trainset_representation = cached
    with torch.no_grad():
        if cached:
            model(None, x, y.clone(), single_eval_pos=len(x))
            out = model(None, queries, None, single_eval_pos=None)
        else:
            out = model(None, torch.cat((x, queries)), y.clone(), single_eval_pos=len(x))
    model.cache_trainset_representation = False
    return out.transpose(0, 1).numpy()


def preset(saved: dict, model: nn.Module, without: Sequence[str] = ()) -> dict:
    """What a manifest says of the pipelines, and the limits of the network."""
    del model, without
    return {
        "norms": list((CLASS_NAMES if classes_of(saved) else NAMES).values()),
        "cdf": "2.0.5",
        "fingerprint": True,
        "members": 4 if classes_of(saved) else 8,
        "temperature": 0.9,
        "classes": classes_of(saved),
        "features_per_group": saved["config"]["features_per_group"],
        "limits": (10_000, 500),
        "shuffle": ModelInterfaceConfig.CLASS_SHIFT_METHOD or "none",
        "recipe": None,
    }


def encoded(model: TabPFNClassifier | TabPFNRegressor, x) -> np.ndarray:
    """The numeric matrix that the package makes of a table before its members see it."""
    from tabpfn.utils import _fix_dtypes, _process_text_na_dataframe, validate_X_predict

    x = validate_X_predict(x, model)
    x = _fix_dtypes(x, cat_indices=model.categorical_features_indices)
    return _process_text_na_dataframe(x, ord_encoder=model.preprocessor_)


def given(table: np.ndarray, encoded_table: np.ndarray, declared: list[int], train) -> np.ndarray:
    """Columns in the user's order: the package has moved the encoded ones to the front."""
    del table, train
    order = declared + [j for j in range(encoded_table.shape[1]) if j not in declared]
    out = np.empty_like(encoded_table)
    out[:, order] = encoded_table
    return out


def member_logits(
    model: TabPFNClassifier | TabPFNRegressor, queries: np.ndarray
) -> list[np.ndarray]:
    outputs = model.executor_.iter_outputs(queries, device=torch.device("cpu"), autocast=False)
    return [out.numpy() for out, _ in outputs]


def bars(model: TabPFNRegressor):
    """The distributions over standardised and over raw targets."""
    return model.bardist_, model.renormalized_criterion_


def walk(steps, x: np.ndarray, queries: np.ndarray, codes: list[int]) -> tuple:
    """Both tables after a member's pipeline, whose steps are fitted anew with their own seeds."""
    for step in map(deepcopy, steps):
        x, codes = step.fit_transform(x.copy(), codes)
        queries = step.transform(queries.copy()).X
    return np.asarray(x), np.asarray(queries)


def member(
    model: TabPFNClassifier | TabPFNRegressor, i: int, x: np.ndarray, queries: np.ndarray
) -> dict:
    """Features and target of one member."""
    executor = model.executor_
    config, pipeline = executor.ensemble_configs[i], executor.preprocessors[i]
    x, queries = walk(pipeline, x, queries, model.inferred_categorical_indices_)
    if not np.array_equal(x, executor.X_trains[i], equal_nan=True):
        raise AssertionError("the steps do not reproduce the member's features")
    return {
        "seed": int(pipeline[1].random_state),
        "pipeline": (NAMES | CLASS_NAMES)[config.preprocess_config.name],
        "permutation": [int(k) for k in pipeline[-1].index_permutation_],
        "x": x,
        "queries": queries,
        "y": np.asarray(executor.y_trains[i], dtype=float),
    }


def class_order(model: TabPFNClassifier, i: int) -> list[int]:
    """A member sees class k as this list's k-th."""
    return [int(k) for k in model.executor_.ensemble_configs[i].class_permutation]


def target(model: TabPFNRegressor, i: int) -> dict:
    """The target transform and borders of one member of a regressor."""
    transform = model.executor_.ensemble_configs[i].target_transform
    return transformed(model.bardist_.borders.numpy(), transform, _transform_borders_one)
