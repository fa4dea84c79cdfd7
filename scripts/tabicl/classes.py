"""What the `tabicl` package's classifier computes for a table, stage by stage.

The package's own estimator runs on the CPU in float32 without a cache. Its
stages are recorded in the form of a bundle's golden vectors: classes are the
positions of the labels in their order, 0, 1, ...
"""

from __future__ import annotations

import warnings

import numpy as np
import torch
from tabicl import TabICLClassifier

from scripts.pretrain.reference import Ensemble
from scripts.tabicl.class_tables import golden_tables
from scripts.tabicl.stages import coded, members, rounded
from scripts.tabicl.tables import Table

Array = np.ndarray
TEMPERATURE = 0.9  # the package's default, and the manifest's


def fit(checkpoint: str, table: Table, ensemble: Ensemble = Ensemble()) -> TabICLClassifier:
    """The estimator with as many members as the table asks for."""
    estimator = TabICLClassifier(
        model_path=str(checkpoint),
        allow_auto_download=False,
        device="cpu",
        n_estimators=table.members,
        norm_methods=list(ensemble.norms),
        outlier_threshold=ensemble.threshold,
        softmax_temperature=TEMPERATURE,
        random_state=ensemble.seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(table.train, table.y)


def network(estimator: TabICLClassifier, x: Array, y: Array) -> Array:
    """Logits [B,M,K] of stacked members x [B,T,H], classes y [B,N]."""
    tensors = (torch.from_numpy(v).float() for v in (x, y))
    with torch.no_grad():
        return estimator.model_._inference_forward(
            *tensors, return_logits=True, inference_config=estimator.inference_config_
        ).numpy()


def stacked(estimator: TabICLClassifier, table: Table) -> dict[str, Array]:
    """The tensors at the boundary of the network, members in the program's order."""
    generator, n = estimator.ensemble_generator_, len(table.train)
    data = generator.transform(estimator.X_encoder_.transform(table.test), mode="both")
    raw = {norm: network(estimator, x, y) for norm, (x, y) in data.items()}
    order = members(estimator)
    x = np.stack([data[norm][0][k] for norm, k in order])
    return {
        "x_train": x[:, :n],
        "y_train": np.stack([data[norm][1][k] for norm, k in order]),
        "x_test": x[:, n:],
        "logits": np.stack([raw[norm][k] for norm, k in order]),
    }


def expectations(estimator: TabICLClassifier, table: Table, logits: Array) -> dict:
    """Averaged logits [M,K], and the probabilities [M,K] that the estimator returns."""
    shuffles = estimator.ensemble_generator_.class_shuffles_
    orders = [shuffles[norm][k] for norm, k in members(estimator)]
    back = [member[:, order] for member, order in zip(logits.astype(np.float64), orders)]
    return {
        "logits": rounded(np.mean(back, axis=0)),
        "probabilities": rounded(estimator.predict_proba(table.test)),
    }


def golden_case(estimator: TabICLClassifier, table: Table) -> dict:
    """One case of golden.json with what the package computed."""
    stages, order = stacked(estimator, table), members(estimator)
    generator = estimator.ensemble_generator_
    (x_train, text), (x_test, _) = (coded(estimator, x) for x in (table.train, table.test))
    return {
        "name": table.name,
        "x_train": x_train,
        "categorical": text,
        "y_train": estimator.y_encoder_.transform(table.y).tolist(),
        "x_test": x_test,
        "members": [
            {
                "norm": norm,
                "permutation": [int(j) for j in generator.feature_shuffles_[norm][k]],
                "classes": [int(j) for j in generator.class_shuffles_[norm][k]],
            }
            for norm, k in order
        ],
        "stages": {name: rounded(value) for name, value in stages.items()},
        "expect": expectations(estimator, table, stages["logits"]),
    }


def golden(path: str, ensemble: Ensemble) -> dict:
    """Golden vectors that the package's classifier computes."""
    cases = []
    for table in golden_tables():
        table.members = ensemble.members
        cases.append(golden_case(fit(path, table, ensemble), table))
    return {"format": 1, "cases": cases}
