"""Results of the synthefy-nori package at every stage of a prediction.

`stages` fits a NoriRegressor on a table, follows its members step by step and returns plain
arrays, to compare other implementations with them.
"""

import contextlib
import copy
import io
import json
import warnings
from pathlib import Path

import numpy as np
import torch
from synthefy_nori import NoriRegressor
from synthefy_nori.configs import DEFAULT_INFERENCE_CONFIG, config_path
from synthefy_nori.inference.preprocess import FeatureShuffler

from scripts.export.bundle.cases import Table

Array = np.ndarray
LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)


def default_members() -> list[dict]:
    """The pipelines that the package takes for a file without pipelines."""
    return json.loads(Path(config_path(DEFAULT_INFERENCE_CONFIG)).read_text())


def without_hash(members: list[dict]) -> list[dict]:
    """Remove the hash of the row from pipelines, and keep the seeds of other steps.

    The place of a step decides its seed. Only the shuffle follows the hash: see `shuffled_as`.
    """
    members = copy.deepcopy(members)
    for member in members:
        member.pop("FingerprintFeatureEncoder", None)
    return members


@contextlib.contextmanager
def quiet():
    """Hide output and warnings of the package."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


def regressor(checkpoint: Path, members: list[dict]) -> NoriRegressor:
    """The package's estimator in float32 on a CPU, without the hash of the row."""
    with quiet():
        config = without_hash(members)
        model = NoriRegressor(model_path=str(checkpoint), inference_config=config, device="cpu")
        predictor = model._get_predictor()
        predictor._seed_step_index = shuffled_as(members, predictor)
    return model


def shuffled_as(members: list[dict], predictor):
    """Move the seed of the shuffle one place further, as if the hash were there."""
    plain = predictor._seed_step_index

    def index(pipe: list, step: int) -> int:
        number = next(i for i, p in enumerate(predictor.preprocess_pipelines) if p is pipe)
        hashed = bool(members[number].get("FingerprintFeatureEncoder"))
        return plain(pipe, step) + (hashed and isinstance(pipe[step], FeatureShuffler))

    return index


def member(predictor, number: int, base: tuple, y: Array) -> dict:
    """Columns and quantiles of one member; y is the standardised target."""
    x, queries, categorical = base[0].copy(), base[1].copy(), list(base[2])
    pipe = predictor.preprocess_pipelines[number]
    permutation = None
    for place, step in enumerate(pipe):
        at = number * predictor.preprocess_num + predictor._seed_step_index(pipe, place)
        x, queries, categorical = predictor._fit_transform_step_inductive(
            step, x, queries, categorical, predictor.seeds[at], y_train=y
        )
        if isinstance(step, FeatureShuffler):
            permutation = step.feature_indices
    rows = torch.from_numpy(np.concatenate([x, queries])).float()[None]
    with torch.no_grad():
        out = predictor.model(rows, torch.from_numpy(y)[None], len(x), task_type="reg")[0].numpy()
    order = range(x.shape[1]) if permutation is None else permutation
    return {"permutation": [int(j) for j in order], "x": x, "queries": queries, "quantiles": out}


def stages(checkpoint: Path, table: Table, members: list[dict]) -> dict:
    """All stages of the package for one table, without the hash of the row."""
    with quiet():
        model = regressor(checkpoint, members).fit(table.x, table.y)
        predictor = model._get_predictor()
        result = model.predict(table.queries, output_type="full")
        given = model._prepare_query_features(table.queries)
        base = predictor._prepare_inductive_features(model.X_train_, given)
        y = ((model.y_train_ - model.y_mean_) / model.y_std_).astype(np.float32)
        each = [member(predictor, b, base, y) for b in range(len(members))]
    return {
        "name": table.name,
        "x": model.X_train_.astype(float),
        "given": given.astype(float),
        "y": np.asarray(table.y, dtype=float),
        "standard": y,
        "members": each,
        "mean": model.y_mean_,
        "deviation": model.y_std_,
        "quantiles": result["quantiles"],
        "levels": result["taus"],
    }
