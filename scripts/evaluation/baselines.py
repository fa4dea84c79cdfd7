"""Baselines that people would use instead, with the defaults of scikit-learn.

Every model maps a task to quantiles [M, levels] of its test rows at the even
grid LEVELS. Features are imputed and standardised, categories become indicator
columns; only ridge regression and the Gaussian process need that.
"""

import warnings

import numpy as np
from scipy.special import ndtri
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import KFold, cross_val_predict

from scripts.evaluation.tasks import Array, Task
from scripts.reference.regression import Encoder

LEVELS = (np.arange(199) + 0.5) / 199
BOOSTED_LEVELS = (0.025, 0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95, 0.975)
RIDGE_PENALTIES = np.logspace(-3, 4, 29)


def encoded(task: Task) -> tuple[Array, Array]:
    """Training and test features without missing cells, standardised, indicators first."""
    encoder = Encoder().fit(task.x_train, task.categorical)
    train, test = encoder.transform(task.x_train), encoder.transform(task.x_test)
    flags = sorted(task.categorical, reverse=True)
    words = sum(c and k for c, k in zip(flags, encoder.keep))
    indicators = [
        np.hstack([(part[:, [j]] == np.unique(train[:, j])).astype(float) for j in range(words)])
        if words
        else part[:, :0]
        for part in (train, test)
    ]
    train, test = (np.hstack([i, p[:, words:]]) for i, p in zip(indicators, (train, test)))
    mean, spread = train.mean(0), train.std(0) + 1e-9
    return (train - mean) / spread, (test - mean) / spread


def unconditional(task: Task) -> Array:
    """The distribution of the training targets."""
    return np.tile(np.quantile(task.y_train, LEVELS), (len(task.y_test), 1))


def ridge(task: Task) -> Array:
    """Penalty and Gaussian residual spread by leave-one-out."""
    train, test = encoded(task)
    model = RidgeCV(RIDGE_PENALTIES, store_cv_results=True).fit(train, task.y_train)
    best = int(np.argmin(np.abs(RIDGE_PENALTIES - model.alpha_)))
    spread = np.sqrt(model.cv_results_[:, best].mean())
    return model.predict(test)[:, None] + spread * ndtri(LEVELS)


def forest(task: Task) -> Array:
    """Quantile regression forest: targets weighted by the leaves that rows share."""
    train, test = encoded(task)
    model = RandomForestRegressor(random_state=0).fit(train, task.y_train)
    here, there = model.apply(train), model.apply(test)
    order = np.argsort(task.y_train)
    out = np.empty((len(test), len(LEVELS)))
    for i, leaves in enumerate(there):
        same = here == leaves
        weights = (same / np.maximum(same.sum(0), 1)).mean(1)[order]
        index = np.searchsorted(np.cumsum(weights), LEVELS).clip(0, len(order) - 1)
        out[i] = task.y_train[order][index]
    return out


def boosting(task: Task) -> Array:
    """Histogram boosting of the mean, spread by out-of-fold residuals."""
    train, test = encoded(task)
    model = HistGradientBoostingRegressor(random_state=0)
    folds = KFold(5, shuffle=True, random_state=0)
    residuals = task.y_train - cross_val_predict(model, train, task.y_train, cv=folds)
    model.fit(train, task.y_train)
    return model.predict(test)[:, None] + np.quantile(residuals, LEVELS)


def quantile_boosting(task: Task) -> Array:
    """Histogram boosting of nine quantiles, linear between them and beyond."""
    train, test = encoded(task)
    fitted = [
        HistGradientBoostingRegressor(loss="quantile", quantile=level, random_state=0)
        .fit(train, task.y_train)
        .predict(test)
        for level in BOOSTED_LEVELS
    ]
    knots = np.sort(np.stack(fitted, axis=1), axis=1)
    return np.stack([np.interp(LEVELS, BOOSTED_LEVELS, row) for row in knots])


def gaussian_process(task: Task) -> Array:
    """RBF kernel with a length per feature (one length above 500 rows) plus noise."""
    train, test = encoded(task)
    lengths = np.ones(train.shape[1]) if len(train) <= 500 and train.shape[1] <= 20 else 1.0
    kernel = ConstantKernel(1.0) * RBF(lengths, (1e-2, 1e3)) + WhiteKernel(0.1, (1e-6, 1e1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = GaussianProcessRegressor(kernel, normalize_y=True).fit(train, task.y_train)
    mean, spread = model.predict(test, return_std=True)
    return mean[:, None] + spread[:, None] * ndtri(LEVELS)


BASELINES = {
    "ridge": ridge,
    "random forest": forest,
    "boosting": boosting,
    "quantile boosting": quantile_boosting,
    "Gaussian process": gaussian_process,
    "unconditional": unconditional,
}
