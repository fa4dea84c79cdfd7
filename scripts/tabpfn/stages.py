"""What the tabpfn package computes at every stage of a prediction.

`stages` fits a TabPFNRegressor on a table, follows its members step by step and
returns plain arrays, which other implementations are compared with.
"""

from __future__ import annotations

import os
import warnings
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

os.environ.setdefault("TABPFN_DISABLE_TELEMETRY", "1")

import numpy as np
import pandas as pd
import torch
from tabpfn import TabPFNRegressor
from tabpfn.utils import _transform_borders_one, translate_probs_across_borders

QUANTILES = (0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99)


@dataclass
class Table:
    """A task; x may be a DataFrame. `declared` are column indices given as categorical."""

    name: str
    x: np.ndarray | pd.DataFrame
    y: np.ndarray
    queries: np.ndarray | pd.DataFrame
    declared: list[int] = field(default_factory=list)


def regressor(
    checkpoint: Path, members: int, seed: int, fingerprint: bool, mode: str, declared: list[int]
) -> TabPFNRegressor:
    return TabPFNRegressor(
        model_path=str(checkpoint),
        n_estimators=members,
        random_state=seed,
        device="cpu",
        fit_mode=mode,
        memory_saving_mode=False,
        ignore_pretraining_limits=True,
        inference_precision=torch.float32,
        categorical_features_indices=declared or None,
        inference_config={"FINGERPRINT_FEATURE": fingerprint},
    )


def encoded(model: TabPFNRegressor, x) -> np.ndarray:
    """The numeric matrix that the package makes of a table before its members see it."""
    from tabpfn.utils import _fix_dtypes, _process_text_na_dataframe, validate_X_predict

    x = validate_X_predict(x, model)
    x = _fix_dtypes(x, cat_indices=model.categorical_features_indices)
    return _process_text_na_dataframe(x, ord_encoder=model.preprocessor_)


def walk(steps, x: np.ndarray, queries: np.ndarray, categorical: list[int]) -> list[dict]:
    """Every step of a member's pipeline, fitted anew with its own seed."""
    out = []
    for step in steps:
        step = deepcopy(step)
        x, after = step.fit_transform(x.copy(), categorical)
        queries = step.transform(queries.copy()).X
        out.append(
            {
                "step": type(step).__name__.removesuffix("Step"),
                "x": np.asarray(x),
                "queries": np.asarray(queries),
                "categorical": after,
            }
        )
        categorical = after
    return out


def member(model: TabPFNRegressor, i: int, x: np.ndarray, queries: np.ndarray) -> dict:
    """Features, target and borders of one member."""
    executor = model.executor_
    config, pipeline = executor.ensemble_configs[i], executor.preprocessors[i]
    steps = walk(pipeline, x, queries, model.inferred_categorical_indices_)
    if not np.array_equal(steps[-1]["x"], executor.X_trains[i], equal_nan=True):
        raise AssertionError("the steps do not reproduce the member's features")
    transform, borders = config.target_transform, model.bardist_.borders.numpy()
    cancelled, power = np.zeros(len(borders) - 1, bool), np.nan
    if transform is not None:
        mask, _, borders = _transform_borders_one(
            borders, target_transform=transform, repair_nan_borders_after_transform=True
        )
        cancelled = cancelled if mask is None else mask
        power = transform.steps[0][1].lambdas_[0]
    return {
        "seed": int(pipeline[1].random_state),
        "pipeline": config.preprocess_config.name,
        "power_target": transform is not None,
        "lambda": power,
        "permutation": [int(k) for k in pipeline[-1].index_permutation_],
        "steps": steps,
        "y": np.asarray(executor.y_trains[i], dtype=float),
        "borders": np.asarray(borders),
        "cancelled": cancelled,
    }


def fixed_translation(logits: np.ndarray, frm: np.ndarray, to: np.ndarray) -> np.ndarray:
    """Mass between the borders `to` of bars between the borders `frm`, without the old slip."""
    p = np.exp(logits - logits.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    before = np.concatenate((np.zeros_like(p[:, :1]), np.cumsum(p, -1)), -1)
    cdf = np.stack([np.interp(to, frm, row) for row in before])
    cdf[:, 0], cdf[:, -1] = 0, 1
    return np.maximum(np.diff(cdf), 0)


def translated(logits: np.ndarray, m: dict, borders: np.ndarray, fixed: bool) -> np.ndarray:
    """Probabilities of one member between the common borders."""
    logits = np.where(m["cancelled"], -np.inf, logits)
    if fixed:
        return fixed_translation(logits.astype(float), m["borders"].astype(float), borders)
    got = translate_probs_across_borders(
        torch.from_numpy(logits),
        frm=torch.as_tensor(m["borders"].copy()),
        to=torch.from_numpy(borders),
    )
    return got.numpy()


def mean_in_float64(model: TabPFNRegressor, members: list[dict]) -> np.ndarray:
    """Means that the package's own functions give for its logits in float64.

    In float32 the running sums of 5000 bars lose what lies in the last ones.
    """
    to = model.bardist_.borders.double()
    mass = sum(
        translate_probs_across_borders(
            torch.from_numpy(np.where(m["cancelled"], -np.inf, m["logits"].astype(float) / 0.9)),
            frm=torch.as_tensor(m["borders"].astype(float)),
            to=to,
        )
        for m in members
    )
    criterion = deepcopy(model.renormalized_criterion_).double()
    return criterion.mean((mass / len(members)).log()).numpy()


def stages(
    checkpoint: Path,
    table: Table,
    members: int = 4,
    seed: int = 0,
    fingerprint: bool = False,
    mode: str = "fit_preprocessors",
) -> dict:
    """All stages of the package for one table."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = regressor(checkpoint, members, seed, fingerprint, mode, table.declared)
        model.fit(table.x, table.y)
        x, queries = encoded(model, table.x), encoded(model, table.queries)
        each = [member(model, i, x, queries) for i in range(members)]
        outputs = model.executor_.iter_outputs(
            queries, device=torch.device("cpu"), autocast=False
        )
        logits = [out.numpy() for out, _ in outputs]
        result = model.predict(
            table.queries, output_type="full", quantiles=[float(q) for q in QUANTILES]
        )
    borders = model.bardist_.borders.numpy()
    for m, out in zip(each, logits):
        m["logits"] = out
        m["translated"] = translated(out / np.float32(0.9), m, borders, fixed=False)
        m["translated_fixed"] = translated(out / np.float32(0.9), m, borders, fixed=True)
    return {
        "name": table.name,
        "fingerprint": fingerprint,
        "x": x,
        "y": np.asarray(table.y, dtype=float),
        "queries": queries,
        "categorical": model.inferred_categorical_indices_,
        "mean": model.y_train_mean_,
        "deviation": model.y_train_std_,
        "members": each,
        "probabilities": result["logits"].softmax(-1).numpy(),
        "borders": borders,
        "expect": {
            "mean": result["mean"],
            "mean64": mean_in_float64(model, each),
            "median": result["median"],
            "mode": result["mode"],
            "variance": model.renormalized_criterion_.variance(result["logits"]).numpy(),
            "quantiles": np.stack(result["quantiles"], -1),
        },
    }
