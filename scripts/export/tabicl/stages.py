"""What the `tabicl` package's estimators compute for a table, stage by stage.

The package's own estimator runs on the CPU in float32 without a cache. Its
stages are recorded in the form of a bundle's golden vectors.
"""

import warnings

import numpy as np
import torch
from tabicl import TabICLClassifier, TabICLRegressor

from scripts.export.bundle.cases import Table
from scripts.export.bundle.tables import Array
from scripts.export.bundle.vectors import rounded
from scripts.reference.regression import Ensemble

DIGITS = 8
Estimator = TabICLClassifier | TabICLRegressor


def fitted(
    kind: type[Estimator], checkpoint: str, table: Table, ensemble: Ensemble, **more
) -> Estimator:
    """The estimator with as many members as the table asks for."""
    estimator = kind(
        model_path=str(checkpoint),
        allow_auto_download=False,
        device="cpu",
        n_estimators=table.members,
        norm_methods=list(ensemble.norms),
        outlier_threshold=ensemble.threshold,
        random_state=ensemble.seed,
        **more,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(table.train, table.y)


def members(estimator: Estimator) -> list[tuple[str, int]]:
    """Norm of every member and its number among those of the norm, the norm varying fastest."""
    generator = estimator.ensemble_generator_
    norms = [n for n in generator.norm_methods_ if n in generator.ensemble_configs_]
    counts = {n: len(generator.ensemble_configs_[n]) for n in norms}
    return [(n, k) for k in range(max(counts.values())) for n in norms if k < counts[n]]


def coded(estimator: Estimator, x) -> tuple[list[list], list[bool]]:
    """Cells with the package's codes for text, in the order of the columns, and which are text."""
    text = [not np.issubdtype(t, np.number) for t in map(np.dtype, object_types(x))]
    codes = estimator.X_encoder_.transform(x)
    values = np.full(x.shape, np.nan)
    for k, j in enumerate(np.flatnonzero(text)):
        values[:, j] = codes[:, k]
    for j in np.flatnonzero(~np.array(text)):
        values[:, j] = x.iloc[:, j].to_numpy(float)
    return [[None if np.isnan(v) else v for v in row] for row in values.tolist()], text


def object_types(x) -> list:
    return [t if isinstance(t, np.dtype) else object for t in x.dtypes]


def stacked(estimator: Estimator, table: Table, **more) -> tuple[Array, Array, Array, Array]:
    """The tensors at the boundary of the network, members in the program's order.

    Context rows [B,N,H], their targets [B,N], query rows [B,M,H], and what the network
    returns [B,M,Q]; `more` are options of its forward pass.
    """
    generator, n = estimator.ensemble_generator_, len(table.train)
    data = generator.transform(estimator.X_encoder_.transform(table.test), mode="both")
    raw = {}
    for norm, (x, y) in data.items():
        tensors = (torch.from_numpy(v).float() for v in (x, y))
        with torch.no_grad():
            raw[norm] = estimator.model_._inference_forward(
                *tensors, inference_config=estimator.inference_config_, **more
            ).numpy()
    order = members(estimator)
    x, y = (np.stack([data[norm][part][k] for norm, k in order]) for part in (0, 1))
    return x[:, :n], y, x[:, n:], np.stack([raw[norm][k] for norm, k in order])


def case(estimator: Estimator, table: Table, y: Array, stages: dict, expect: dict) -> dict:
    """One case of golden.json; y are the targets as the program reads them."""
    generator = estimator.ensemble_generator_
    shuffles = {"permutation": generator.feature_shuffles_}
    if isinstance(estimator, TabICLClassifier):
        shuffles["classes"] = generator.class_shuffles_
    (x_train, text), (x_test, _) = (coded(estimator, x) for x in (table.train, table.test))
    return {
        "name": table.name,
        "x_train": x_train,
        "categorical": text,
        "y_train": y.tolist(),
        "x_test": x_test,
        "members": [
            {"norm": norm} | {what: [int(j) for j in of[norm][k]] for what, of in shuffles.items()}
            for norm, k in members(estimator)
        ],
        "stages": {name: rounded(value, DIGITS) for name, value in stages.items()},
        "expect": expect,
    }
