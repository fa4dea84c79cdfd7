"""Estimators of scikit-learn that run the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from pfnamp import _tables
from pfnamp._base import Estimator, functionals_flag, refuse

ONE_SIGMA = 0.6826894921370859  # share of a normal distribution within a standard deviation


class Regressor(RegressorMixin, Estimator):
    """Predictions of a number, with intervals.

    Parameters are flags of the program; None stands for its default.

    model : the name of an imported bundle, or a folder.
    members : number of ensemble members.
    subsample : most rows of the training table that the model reads, drawn at random.
    posterior : where credible intervals come from: "auto", "paper", "limit" or "direct".
    chains, steps : number of chains and their length.
    level : probability of intervals, where a method is given none; 0.9 by default.
    predictive : intervals of a label: "ppd", or "conformal", with a guarantee. "conformal"
        keeps the training table in `train_`, and every call reads eleven contexts.
    target_values : what a label can be: "any", "whole", "LO:HI" or "whole,LO:HI".
    dates : "calendar", with month, weekday and hour, or "number".
    missing : how missing cells of a row to predict are read: "average", "native" or "auto".
    random_state : seed of chains and subsample; None for another one at every fit.
    device : "auto", "cpu", "cuda" or "cuda:0".
    threads : threads of onnxruntime; one per core by default.

    X is an array of numbers or a data frame (pandas, Polars, PyArrow), where NaN and null are
    missing and texts and categories are features as well. After `fit`, `state_` holds the saved
    state of `pfnamp fit`, and with it the training data; pickles contain it. What the program notes
    is a `PfnampWarning`.
    """

    _task = "regression"

    def fit(self, X: object, y: object, **unsupported: object) -> Regressor:  # noqa: N803
        """Encode the training table. y holds numbers, one for every row of X.

        Rows whose number is missing are left out, which a warning counts. `sample_weight` is
        refused.
        """
        refuse(unsupported)
        features = self._features(X, y, fit=True)
        y = check_array(
            column_or_1d(y, warn=True),
            ensure_2d=False,
            dtype=np.float64,
            ensure_all_finite="allow-nan",
            input_name="y",
        )
        check_consistent_length(features, y)
        self._fit_table(features, pa.array(y, from_pandas=True), {})
        return self

    def predict(
        self,
        X: object,  # noqa: N803
        return_std: bool = False,
    ) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """Conditional means, shape (rows,), and with return_std their posterior scale.

        That is half the width of the central 68.27 % credible interval of the mean, which is the
        standard deviation where the posterior is normal. It is what is unknown about the mean: the
        noise of a label is not in it.
        """
        if not return_std:
            return self._ask(X, point=True)[:, 0]
        flags = ["--interval", "equal-tailed", "--level", repr(ONE_SIGMA), *self._chains()]
        columns = self._ask(X, flags)
        return columns[:, 0], (columns[:, 2] - columns[:, 1]) / 2

    def predict_interval(
        self,
        X: object,  # noqa: N803
        functional: str = "mean",
        *,
        level: float | None = None,
        kind: str = "credible",
    ) -> np.ndarray:
        """Limits of intervals that hold with probability level, shape (rows, 2).

        kind "credible": of the functional ("mean", "q0.9", "p>150", ...), whose uncertainty is that
        about the function. kind "predictive": of a single label, noise included, whatever the
        functional; the parameter `predictive` says which.
        """
        if kind not in ("credible", "predictive"):
            raise ValueError(f'kind is {kind!r}, and neither "credible" nor "predictive"')
        credible = kind == "credible"
        flags = ["--functional", functional, *self._level(level)]
        if credible:
            flags += self._chains()
        columns = self._ask(X, flags, point=not credible, conformal=not credible)
        if columns.shape[1] != 5:  # the point, its limits and those of a label
            raise ValueError(
                f"functional is {functional!r}, and intervals are of one; predict_table takes more"
            )
        return columns[:, 1:3] if credible else columns[:, -2:]

    def predict_quantiles(
        self,
        X: object,  # noqa: N803
        q: float | Sequence[float] = (0.05, 0.5, 0.95),
    ) -> np.ndarray:
        """Quantiles of a label, noise included, shape (rows, number of levels q)."""
        levels = np.atleast_1d(np.asarray(q, dtype=np.float64))
        functionals = ",".join(f"q{level!r}" for level in levels.tolist())
        flags = ["--functional", functionals, "--posterior", "paper"]  # whose point it is
        return self._ask(X, flags, point=True)[:, : 3 * len(levels) : 3]

    def predict_distribution(
        self,
        X: object,  # noqa: N803
        statistics: str | Sequence[str] = ("q0.05", "q0.5", "q0.95"),
    ) -> Any:
        """Numbers of the predictive distribution of a label, noise included, as a frame.

        statistics : functionals ("mean", "q0.9", "p>150", ...), "sd", or "density(150)". They
            describe the label itself, so "q0.9" lies further out than the posterior median of the
            conditional quantile, which `predict_interval(X, "q0.9")` is about.

        The columns are the statistics. The frame is of the kind of X, as that of `predict_table`.
        """
        asked = statistics if isinstance(statistics, str) else ",".join(statistics)
        table = self._predict(self._query(X), ["--ppd", asked], point=True)
        names = [name for name in table.column_names if name.startswith("ppd_")]
        of_label = table.select(names).rename_columns([name[len("ppd_") :] for name in names])
        return _tables.like(X, of_label)

    def sample_y(self, X: object, n_samples: int = 1) -> np.ndarray:  # noqa: N803
        """Labels drawn from their predictive distribution, shape (rows, n_samples).

        `random_state` of the estimator draws them. Rows are independent.
        """
        return self._ask(X, ["--samples", str(n_samples)], point=True)[:, -n_samples:]

    def predict_table(
        self,
        X: object,  # noqa: N803
        functional: str | Sequence[str] = "mean",
        *,
        level: float | None = None,
    ) -> Any:
        """The columns of `pfnamp predict` as a frame of the kind of X, a row for every row.

        Of every functional its point and credible limits (`mean`, `mean_lo`, `mean_hi`), and the
        predictive limits of a label (`pi_lo`, `pi_hi`). A list asks for several functionals in one
        run. Where X is an array, the result is a `pyarrow.Table`; a frame of pandas has the index
        of X.
        """
        flags = [*functionals_flag(functional), *self._level(level), *self._chains()]
        return _tables.like(X, self._predict(self._query(X), flags, conformal=True))


class Classifier(ClassifierMixin, Estimator):
    """Probabilities of classes, with intervals.

    `model` names a classifier; None is the embedded one. The other parameters are those of
    `Regressor`. `predictive` and `target_values` are for numbers only.
    """

    _task = "classification"

    def fit(self, X: object, y: object, **unsupported: object) -> Classifier:  # noqa: N803
        """Encode the training table. y holds labels of any type, one for every row of X.

        Rows whose label is missing are left out, which a warning counts. `sample_weight` is
        refused.
        """
        refuse(unsupported)
        for name in ("predictive", "target_values"):
            if getattr(self, name) is not None:
                raise ValueError(f"{name} is for numbers, and y holds classes: leave it at None")
        features = self._features(X, y, fit=True)
        given: np.ndarray = column_or_1d(y, warn=True)
        check_consistent_length(features, given)
        missing = _tables.missing(given)
        if missing.all():
            raise ValueError("y has no label: all of them are missing")
        check_classification_targets(given[~missing])
        self.classes_, codes = np.unique(given[~missing], return_inverse=True)
        width = len(str(len(self.classes_)))  # of texts that sort as the classes do
        texts = [f"c{code:0{width}}" for code in range(len(self.classes_))]
        labels = dict(zip(texts, map(str, self.classes_)))
        target = np.full(len(given), None)
        target[~missing] = [texts[code] for code in codes.ravel()]
        self._fit_table(features, pa.array(target, pa.string()), labels)
        return self

    def predict(self, X: object) -> np.ndarray:  # noqa: N803
        """The most probable classes, shape (rows,)."""
        shares = self.predict_proba(X)
        return self.classes_[shares.argmax(axis=1)]

    def predict_proba(self, X: object) -> np.ndarray:  # noqa: N803
        """Probabilities of classes_, shape (rows, classes)."""
        return self._ask(X, point=True)[:, ::3]

    def sample_y(self, X: object, n_samples: int = 1) -> np.ndarray:  # noqa: N803
        """Labels drawn by their probabilities, shape (rows, n_samples).

        `random_state` of the estimator draws them. Rows are independent.
        """
        table = self._predict(self._query(X), ["--samples", str(n_samples)], point=True)
        names = [f"sample_{s + 1}" for s in range(n_samples)]
        codes = [[int(text[1:]) for text in table.column(name).to_pylist()] for name in names]
        return self.classes_[np.array(codes).T]

    def predict_interval(
        self,
        X: object,  # noqa: N803
        *,
        level: float | None = None,
    ) -> np.ndarray:
        """Credible limits of the probabilities of classes_, shape (rows, classes, 2)."""
        columns = self._ask(X, [*self._level(level), *self._chains()])
        return columns.reshape(len(columns), -1, 3)[:, :, 1:]

    def predict_table(
        self,
        X: object,  # noqa: N803
        *,
        level: float | None = None,
    ) -> Any:
        """The columns of `pfnamp predict` as a frame of the kind of X, a row for every row.

        The class, as text, and for every label its probability and credible limits (`p=yes`,
        `p=yes_lo`, `p=yes_hi`).
        """
        output = self._predict(self._query(X), [*self._level(level), *self._chains()])
        return _tables.like(X, self._relabelled(output))
