"""What the `tabicl` package's regressor computes for a table, stage by stage."""

from dataclasses import dataclass

import numpy as np
import torch
from tabicl import TabICLRegressor
from tabicl._model.quantile_dist import QuantileDistribution

from scripts.export.bundle.cases import Table
from scripts.export.bundle.tables import Array
from scripts.export.bundle.vectors import rounded
from scripts.export.tabicl.stages import DIGITS, case, fitted, stacked
from scripts.reference.regression import Ensemble

QUANTILE_LEVELS = (0.0005, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.9995)
CDF_OFFSETS = (-3.0, -1.0, -0.25, 0.0, 0.5, 1.0, 4.0)


@dataclass
class Estimate:
    """What the fitted estimator returns for the queries, in units of the target."""

    quantiles: Array  # [M,L] at QUANTILE_LEVELS
    raw: Array  # [M,Q] sorted quantiles, averaged
    sd: float


def fit(checkpoint: str, table: Table, ensemble: Ensemble = Ensemble()) -> TabICLRegressor:
    """The estimator with as many members as the table asks for."""
    return fitted(TabICLRegressor, checkpoint, table, ensemble)


def estimate(estimator: TabICLRegressor, table: Table) -> Estimate:
    kinds = ["quantiles", "raw_quantiles"]
    out = estimator.predict(table.test, output_type=kinds, alphas=list(QUANTILE_LEVELS))
    sd = float(estimator.y_scaler_.scale_[0])
    return Estimate(out["quantiles"], out["raw_quantiles"], sd)


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
        "knots": rounded(knots, DIGITS),
        "beta_left": rounded(mean(d.beta_l for d in each), DIGITS),
        "beta_right": rounded(mean(d.beta_r for d in each), DIGITS),
        "mean": rounded(mean(d.mean() for d in each) * sd + mu, 12),
        "quantile_levels": list(QUANTILE_LEVELS),
        "quantiles": rounded(mean(d.icdf(levels) for d in each) * sd + mu, 12),
        "cdf_at": [[[y, p] for y, p in zip(points.tolist(), row)] for row in rounded(cdf, 10)],
    }


def golden_case(estimator: TabICLRegressor, table: Table) -> dict:
    """One case of golden.json with what the package computed."""
    x, y, queries, raw = stacked(estimator, table)
    stages = {"x_train": x, "y_train": y[0], "x_test": queries, "quantiles": raw}
    return case(estimator, table, table.y, stages, expectations(estimator, raw))
