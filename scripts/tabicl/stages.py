"""What the `tabicl` package computes for a table, stage by stage.

The package's own estimator runs on the CPU in float32 without a cache. Its
stages are recorded in the form of a bundle's golden vectors.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import torch
from tabicl import TabICLRegressor
from tabicl._model.quantile_dist import QuantileDistribution

from scripts.pretrain.reference import Ensemble
from scripts.tabicl.tables import Table

Array = np.ndarray
QUANTILE_LEVELS = (0.0005, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.9995)
CDF_OFFSETS = (-3.0, -1.0, -0.25, 0.0, 0.5, 1.0, 4.0)


@dataclass
class Estimate:
    """What the fitted estimator returns for the queries, in units of the target.

    The estimator's mean is that of the quantiles, without tails.
    """

    mean: Array  # [M]
    quantiles: Array  # [M,L] at QUANTILE_LEVELS
    raw: Array  # [M,Q] sorted quantiles, averaged
    sd: float


def fit(checkpoint: str, table: Table, ensemble: Ensemble = Ensemble()) -> TabICLRegressor:
    """The estimator with as many members as the table asks for."""
    estimator = TabICLRegressor(
        model_path=str(checkpoint),
        allow_auto_download=False,
        device="cpu",
        n_estimators=table.members,
        norm_methods=list(ensemble.norms),
        outlier_threshold=ensemble.threshold,
        random_state=ensemble.seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(table.train, table.y)


def estimate(estimator: TabICLRegressor, table: Table) -> Estimate:
    kinds = ["mean", "quantiles", "raw_quantiles"]
    out = estimator.predict(table.test, output_type=kinds, alphas=list(QUANTILE_LEVELS))
    sd = float(estimator.y_scaler_.scale_[0])
    return Estimate(out["mean"], out["quantiles"], out["raw_quantiles"], sd)


def members(estimator: TabICLRegressor) -> list[tuple[str, int]]:
    """Norm of every member and its number among those of the norm, the norm varying fastest."""
    generator = estimator.ensemble_generator_
    norms = [n for n in generator.norm_methods_ if n in generator.ensemble_configs_]
    counts = {n: len(generator.ensemble_configs_[n]) for n in norms}
    return [(n, k) for k in range(max(counts.values())) for n in norms if k < counts[n]]


def coded(estimator: TabICLRegressor, x) -> tuple[list[list], list[bool]]:
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


def network(estimator: TabICLRegressor, x: Array, y: Array) -> Array:
    """Raw quantiles [B,M,Q] of stacked members x [B,T,H], y [B,N]."""
    tensors = (torch.from_numpy(v).float() for v in (x, y))
    with torch.no_grad():
        return estimator.model_._inference_forward(
            *tensors, inference_config=estimator.inference_config_
        ).numpy()


def stacked(estimator: TabICLRegressor, table: Table) -> dict[str, Array]:
    """The tensors at the boundary of the network, members in the program's order."""
    generator, n = estimator.ensemble_generator_, len(table.train)
    encoded = estimator.X_encoder_.transform(table.test)
    data = generator.transform(encoded, mode="both")
    raw = {norm: network(estimator, x, y) for norm, (x, y) in data.items()}
    order = members(estimator)
    x = np.stack([data[norm][0][k] for norm, k in order])
    return {
        "x_train": x[:, :n],
        "y_train": data[order[0][0]][1][0],
        "x_test": x[:, n:],
        "quantiles": np.stack([raw[norm][k] for norm, k in order]),
    }


def expectations(estimator: TabICLRegressor, raw: Array) -> dict:
    """The averaged distribution in float64, by the package's distribution of every member."""
    each = [QuantileDistribution(torch.from_numpy(r).double()) for r in raw]

    def mean(values) -> Array:
        return np.mean([v.numpy() for v in values], axis=0)

    scaler, levels = estimator.y_scaler_, torch.tensor(QUANTILE_LEVELS, dtype=torch.float64)
    mu, sd = float(scaler.mean_[0]), float(scaler.scale_[0])
    knots = mean(d.quantiles for d in each)
    average = QuantileDistribution(torch.from_numpy(knots))
    points = mu + sd * np.array(CDF_OFFSETS)
    cdf = average.cdf(torch.from_numpy((points - mu) / sd).expand(len(knots), -1)).numpy()
    return {
        "mu": mu,
        "sd": sd,
        "knots": rounded(knots),
        "beta_left": rounded(mean(d.beta_l for d in each)),
        "beta_right": rounded(mean(d.beta_r for d in each)),
        "mean": rounded(mean(d.mean() for d in each) * sd + mu, 12),
        "quantile_levels": list(QUANTILE_LEVELS),
        "quantiles": rounded(mean(d.icdf(levels) for d in each) * sd + mu, 12),
        "cdf_at": [[[y, p] for y, p in zip(points.tolist(), row)] for row in rounded(cdf, 10)],
    }


def rounded(values: Array, digits: int = 8):
    """Nested lists of floats with so many significant digits."""
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if isinstance(values, list):
        return [rounded(v, digits) for v in values]
    return float(f"{values:.{digits}g}")


def golden_case(estimator: TabICLRegressor, table: Table) -> dict:
    """One case of golden.json with what the package computed."""
    stages, order = stacked(estimator, table), members(estimator)
    shuffles = estimator.ensemble_generator_.feature_shuffles_
    (x_train, text), (x_test, _) = (coded(estimator, x) for x in (table.train, table.test))
    return {
        "name": table.name,
        "x_train": x_train,
        "categorical": text,
        "y_train": table.y.tolist(),
        "x_test": x_test,
        "members": [
            {"norm": norm, "permutation": [int(j) for j in shuffles[norm][k]]} for norm, k in order
        ],
        "stages": {name: rounded(value) for name, value in stages.items()},
        "expect": expectations(estimator, stages["quantiles"]),
    }
