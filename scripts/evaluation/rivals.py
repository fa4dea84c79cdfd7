"""Intervals of functionals by what people would use instead of the posterior surface.

Every rival returns {functional: [M,3]} limits and point: lower, point, upper, of the
90 % interval of `mean`, `q0.5`, `q0.9` and `event`, the probability to exceed a threshold.
BART needs `pip install stochtree==0.4.5`.
"""

from __future__ import annotations

import csv
import subprocess
import tempfile
import warnings
from pathlib import Path

import numpy as np
from scipy.special import ndtr, ndtri
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from scripts.evaluation.simulated import Array, Simulated
from scripts.evaluation.tasks import write_table
from scripts.reference.regression import Ensemble, Network, Prediction, predict

LIMITS = (0.05, 0.5, 0.95)
FUNCTIONALS = ("mean", "q0.5", "q0.9", "event")
RESAMPLES = 40
Intervals = dict[str, Array]


def normal_functionals(f: Array, sigma: Array, t: float) -> Intervals:
    """Posterior draws f [D,M] of a mean and sigma [D,1] of normal noise -> intervals."""
    draws = {"mean": f, "q0.5": f, "q0.9": f + ndtri(0.9) * sigma, "event": ndtr((f - t) / sigma)}
    return {name: np.quantile(v, LIMITS, axis=0).T for name, v in draws.items()}


def bart(task: Simulated) -> Intervals:
    """Bayesian additive regression trees with the defaults of stochtree."""
    from stochtree import BARTModel

    model = BARTModel()
    options = {"num_gfr": 10, "num_burnin": 100, "num_mcmc": 400}
    model.sample(
        X_train=task.x_train,
        y_train=task.y_train,
        X_test=task.x_test,
        **options,
        general_params={"random_seed": task.seed + 1, "num_threads": 1},
    )
    f = np.asarray(model.y_hat_test).T
    sigma = np.sqrt(np.asarray(model.global_var_samples)).reshape(-1, 1)
    return normal_functionals(f, sigma[-len(f) :], task.threshold)


def gaussian_process(task: Simulated) -> Intervals:
    """RBF with a length per feature plus noise, its parameters by maximum likelihood."""
    mu, sd = task.y_train.mean(), task.y_train.std()
    centre, spread = task.x_train.mean(0), task.x_train.std(0)
    x, z = ((v - centre) / spread for v in (task.x_train, task.x_test))
    kernel = ConstantKernel() * RBF(np.ones(x.shape[1]), (1e-2, 1e3)) + WhiteKernel(0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = GaussianProcessRegressor(kernel).fit(x, (task.y_train - mu) / sd)
    noise = model.kernel_.k2.noise_level
    f, total = model.predict(z, return_std=True)
    own = np.sqrt(np.maximum(total**2 - noise, 0))
    draws = f + own * ndtri((np.arange(199) + 0.5) / 199)[:, None]
    sigma = np.full((1, 1), np.sqrt(noise) * sd)
    return normal_functionals(mu + sd * draws, sigma, task.threshold)


def label_functionals(p: Prediction, t: float) -> Array:
    """[4,M] functionals of the label's own distribution, in the order of FUNCTIONALS."""
    event = 1 - p.cdf(np.full(len(p.distribution.knots), t))
    return np.stack([p.mean(), *p.quantiles((0.5, 0.9)).T, event])


def bootstrap(task: Simulated, network: Network) -> Intervals:
    """The network's own functionals, by one member, of 40 resampled contexts."""
    rng, n, t = np.random.default_rng([7, task.seed]), len(task.y_train), task.threshold

    def functionals(rows: Array) -> Array:
        table = task.x_train[rows], task.y_train[rows], task.x_test
        return label_functionals(predict(network, Ensemble(1), *table), t)

    point = functionals(np.arange(n))
    draws = [functionals(rng.integers(n, size=n)) for _ in range(RESAMPLES)]
    low, high = np.quantile(draws, (LIMITS[0], LIMITS[-1]), axis=0)
    low, high = np.minimum(low, point), np.maximum(high, point)
    return dict(zip(FUNCTIONALS, np.stack((low, point, high), axis=-1)))


def program(task: Simulated, binary: str, posterior: str) -> Intervals:
    """`pfnamp predict` with a kind of posterior."""
    t = task.threshold
    names = ("mean", "q0.5", "q0.9", f"p>{t:.12g}")
    with tempfile.TemporaryDirectory() as folder:
        train, test, out = (Path(folder) / f"{n}.csv" for n in ("train", "test", "out"))
        write_table(train, task.x_train, task.y_train)
        write_table(test, task.x_test, None)
        command = [binary, "predict", str(train), str(test), "--target", "y", "-o", str(out)]
        command += ["--functional", ",".join(names), "--posterior", posterior, "--quiet"]
        subprocess.run(command, check=True)
        with open(out, newline="") as file:
            rows = list(csv.DictReader(file))
    columns = list(rows[0])
    found = {}
    for name, functional in zip(names, FUNCTIONALS):
        point = next(c for c in columns if c == name or (c.startswith("p>") and name[:2] == "p>"))
        ends = [f"{point}_lo", point, f"{point}_hi"]
        found[functional] = np.array([[float(r[c]) for c in ends] for r in rows])
    return found
