"""Estimators for scikit-learn that run the program."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from pfnamp import _tables
from pfnamp._base import Estimator, Scored, refuse

ONE_SIGMA = 0.6826894921370859  # share of a normal distribution within a standard deviation


class Regressor(Scored, RegressorMixin, Estimator):
    """Regression with credible and predictive intervals.

    Parameters are flags of the program; None means the program's default.

    model : the name of an imported bundle, or its folder.
    members : number of ensemble members.
    subsample : largest number of training rows that the model reads, drawn at random;
        None means as many as the model can read, "none" refuses a larger table.
    posterior : source of credible intervals: "auto", "paper", "limit", "direct" or
        "companion".
    chains, steps : number of chains and their length.
    level : probability of intervals for methods without `level`; 0.9 by default.
    predictive : intervals of a single label: "ppd", or "conformal" with a coverage guarantee.
        "conformal" keeps the training table in `train_`, and every call reads eleven contexts.
    target_values : possible labels: "any", "whole", "LO:HI" or "whole,LO:HI".
    dates : "calendar" (month, weekday and hour) or "number".
    repeated : count duplicate rows "once" if chance does not explain them, or "keep" all of them.
    keep_feature : columns that are features even if they look like identifiers, a name or a list.
    group : the column of groups of rows that belong together, such as persons. It is no feature;
        folds keep a group whole, and intervals of averages and differences allow for groups.
    allow_new : predict although X of fit lacks most categories of a column.
    missing : how to read missing cells of a row to predict: "average", "native" or "auto".
    half : keep the state in numbers of 16 bits, which halves pickles; predictions change a little.
    random_state : seed of chains and subsample; None draws a new seed at every fit.
    device : "auto", "cpu", "cuda" or "cuda:0".
    threads : threads of onnxruntime; one per core by default.
    precision : of the network: "float32", "int8" (faster, less exact) or
        "auto". "int8" is an error on processors without 8-bit instructions.

    X is an array of numbers or a data frame (pandas, Polars, PyArrow). NaN and null are missing
    values; texts and categories are features too. After `fit`, `state_` holds the saved state of
    `pfnamp fit`. It contains the training data, and so do pickles of the estimator. Notes of the
    program become a `PfnampWarning`.
    """

    _task = "regression"

    def fit(self, X: ArrayLike, y: ArrayLike, **unsupported: object) -> Regressor:  # noqa: N803
        """Fit the model to X and y; y has one number per row of X.

        Rows without a number are skipped, and a warning counts them. `sample_weight` is not
        supported.
        """
        refuse(unsupported)
        features = self._features(X, y, fit=True)
        given = column_or_1d(y, warn=True)
        if given.dtype.kind in "mM":
            raise ValueError("y holds times or durations, but must hold numbers: convert them")
        try:
            y = check_array(
                given,
                ensure_2d=False,
                dtype=np.float64,
                ensure_all_finite="allow-nan",
                input_name="y",
            )
        except ValueError as error:
            text = re.search(r"could not convert string to float: .*?('.*')", str(error))
            if text is None:
                raise
            raise ValueError(
                f"y holds the text {text[1]}, but must hold numbers: for classes use Classifier"
            ) from None
        check_consistent_length(features, y)
        self._fit_table(features, pa.array(y, from_pandas=True), {})
        return self

    def predict(
        self,
        X: ArrayLike,  # noqa: N803
        return_std: bool = False,
    ) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """Conditional means, shape (rows,); with return_std also their posterior scale.

        The scale is half the width of the central 68.27 % credible interval of the mean. It is the
        posterior standard deviation if the posterior is normal. It does not include the noise of
        a single label.
        """
        if not return_std:
            return self._ask(X, point=True)[:, 0]
        flags = ["--interval", "equal-tailed", "--level", repr(ONE_SIGMA), *self._chains()]
        columns = self._ask(X, flags)
        return columns[:, 0], (columns[:, 2] - columns[:, 1]) / 2

    def predict_interval(
        self,
        X: ArrayLike,  # noqa: N803
        functional: str = "mean",
        *,
        level: float | None = None,
        kind: str = "credible",
    ) -> np.ndarray:
        """Lower and upper limits of intervals, shape (rows, 2).

        kind "credible": where the functional ("mean", "q0.9", "p>150", ...) lies, with probability
        level. kind "predictive": where a single label lies, including noise; it ignores
        `functional` and follows the parameter `predictive`.
        """
        if kind not in ("credible", "predictive"):
            raise ValueError(f'kind is {kind!r}, but must be "credible" or "predictive"')
        credible = kind == "credible"
        flags = ["--functional", functional, *self._level(level)]
        if credible:
            flags += self._chains()
        columns = self._ask(X, flags, point=not credible, conformal=not credible)
        if columns.shape[1] != 5:  # the point, its limits and those of a label
            raise ValueError(
                f"functional is {functional!r}, but predict_interval takes one functional: "
                "use predict_table for several"
            )
        return columns[:, 1:3] if credible else columns[:, -2:]

    def predict_quantiles(
        self,
        X: ArrayLike,  # noqa: N803
        q: float | Sequence[float] = (0.05, 0.5, 0.95),
    ) -> np.ndarray:
        """Quantiles of a single label, including noise, shape (rows, number of levels q)."""
        levels = np.atleast_1d(np.asarray(q, dtype=np.float64))
        functionals = ",".join(f"q{level!r}" for level in levels.tolist())
        flags = ["--functional", functionals, "--posterior", "paper"]  # whose point it is
        return self._ask(X, flags, point=True)[:, : 3 * len(levels) : 3]

    def predict_distribution(
        self,
        X: ArrayLike,  # noqa: N803
        statistics: str | Sequence[str] = ("q0.05", "q0.5", "q0.95"),
    ) -> Any:
        """Statistics of the predictive distribution of a single label, including noise.

        statistics : functionals ("mean", "q0.9", "p>150", ...), "sd", or "density(150)". They
            describe the label itself, so "q0.9" lies further out than the conditional quantile,
            which `predict_interval(X, "q0.9")` describes.

        Returns one column per statistic, in a frame of the same kind as X.
        """
        asked = statistics if isinstance(statistics, str) else ",".join(statistics)
        table = self._predict(self._query(X), ["--ppd", asked], point=True)
        names = [name for name in table.column_names if name.startswith("ppd_")]
        of_label = table.select(names).rename_columns([name[len("ppd_") :] for name in names])
        return _tables.like(X, of_label)

    def sample_y(self, X: ArrayLike, n_samples: int = 1) -> np.ndarray:  # noqa: N803
        """Labels drawn from their predictive distribution, shape (rows, n_samples).

        The seed is `random_state` of the estimator. Rows are independent.
        """
        return self._ask(X, ["--samples", str(n_samples)], point=True)[:, -n_samples:]

    def predict_table(
        self,
        X: ArrayLike,  # noqa: N803
        functional: str | Sequence[str] = "mean",
        *,
        level: float | None = None,
    ) -> Any:
        """All columns of `pfnamp predict`, one row per row of X.

        functional : "mean", "q0.9", "p>150", ... A list asks for several in one run.
        level : probability of the intervals; the parameter `level` by default.

        Returns for each functional the estimate and its credible interval (`mean`, `mean_lo`,
        `mean_hi`), and the predictive interval of a single label (`pi_lo`, `pi_hi`). The frame is
        of the same kind as X, a pandas frame with the index of X; it is a `pyarrow.Table` if X is
        an array.
        """
        flags = self._asked(functional, level)
        return _tables.like(X, self._predict(self._query(X), flags, conformal=True))


class Classifier(Scored, ClassifierMixin, Estimator):
    """Classification: probabilities of classes, with credible intervals.

    `model` names a classifier; None means the embedded one. The other parameters are the same as
    in `Regressor`. `predictive` and `target_values` are for numbers only.
    """

    _task = "classification"

    def fit(self, X: ArrayLike, y: ArrayLike, **unsupported: object) -> Classifier:  # noqa: N803
        """Fit the model to X and y; y has one label of any type per row of X.

        Rows without a label are skipped, and a warning counts them. `sample_weight` is not
        supported.
        """
        refuse(unsupported)
        for name in ("predictive", "target_values"):
            if getattr(self, name) is not None:
                raise ValueError(f"{name} is for numbers, but y holds classes: set it to None")
        features = self._features(X, y, fit=True)
        given: np.ndarray = column_or_1d(y, warn=True)
        check_consistent_length(features, given)
        missing = _tables.missing(given)
        if missing.all():
            raise ValueError("all labels of y are missing: at least one row needs a label")
        check_classification_targets(given[~missing])
        self.classes_, codes = np.unique(given[~missing], return_inverse=True)
        width = len(str(len(self.classes_)))  # of texts that sort as the classes do
        texts = [f"⟨{code:0{width}}⟩" for code in range(len(self.classes_))]
        labels = dict(zip(texts, map(str, self.classes_)))
        target = np.full(len(given), None)
        target[~missing] = [texts[code] for code in codes.ravel()]
        self._fit_table(features, pa.array(target, pa.string()), labels)
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:  # noqa: N803
        """The most probable classes, shape (rows,)."""
        shares = self.predict_proba(X)
        return self.classes_[shares.argmax(axis=1)]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:  # noqa: N803
        """Probabilities of classes_, shape (rows, classes)."""
        return self._ask(X, point=True)[:, ::3]

    def sample_y(self, X: ArrayLike, n_samples: int = 1) -> np.ndarray:  # noqa: N803
        """Labels drawn by their probabilities, shape (rows, n_samples).

        The seed is `random_state` of the estimator. Rows are independent.
        """
        table = self._predict(self._query(X), ["--samples", str(n_samples)], point=True)
        names = [f"sample_{s + 1}" for s in range(n_samples)]
        codes = [[int(text[1:-1]) for text in table.column(name).to_pylist()] for name in names]
        return self.classes_[np.array(codes).T]

    def predict_interval(
        self,
        X: ArrayLike,  # noqa: N803
        *,
        level: float | None = None,
    ) -> np.ndarray:
        """Credible intervals of the probabilities of classes_, shape (rows, classes, 2)."""
        columns = self._ask(X, [*self._level(level), *self._chains()])
        return columns.reshape(len(columns), -1, 3)[:, :, 1:]

    def predict_table(
        self,
        X: ArrayLike,  # noqa: N803
        *,
        level: float | None = None,
    ) -> Any:
        """All columns of `pfnamp predict`, in a frame of the same kind as X, one row per row.

        Returns the most probable class, as text, and for each label its probability and credible
        interval (`p=yes`, `p=yes_lo`, `p=yes_hi`).
        """
        output = self._predict(self._query(X), [*self._level(level), *self._chains()])
        return _tables.like(X, self._relabelled(output))
