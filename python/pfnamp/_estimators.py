"""Estimators of scikit-learn that run the program: once to fit, once for every prediction."""

from __future__ import annotations

import re
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_array, check_consistent_length, check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from pfnamp import _tables
from pfnamp._program import InputError, Note, run

# A point is a property of the network's distribution; chains are for intervals.
POINT = ["--chains", "2"]


class _Estimator(BaseEstimator):
    """What both estimators share."""

    def __init__(
        self,
        *,
        model: str | None = None,
        members: int | None = None,
        subsample: int | None = None,
        posterior: str | None = None,
        chains: int | None = None,
        steps: int | None = None,
        random_state: object = 1,
        device: str | None = None,
        threads: int | None = None,
    ) -> None:
        self.model = model
        self.members = members
        self.subsample = subsample
        self.posterior = posterior
        self.chains = chains
        self.steps = steps
        self.random_state = random_state
        self.device = device
        self.threads = threads

    def __sklearn_tags__(self) -> object:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    def _features(self, x: object, y: object = None, *, fit: bool) -> pa.Table:
        """The features as a table, whose names and number are those of fit."""
        given = {"y": y} if fit else {}
        frame = _tables.is_frame(x)
        if frame:
            validate_data(self, x, skip_check_array=True, reset=fit, **given)
            table = _tables.from_frame(x)
            if table.num_rows < 1 + fit or table.num_columns == 0:
                shape = f"{table.num_rows} sample(s) and {table.num_columns} feature(s)"
                raise ValueError(f"{shape}, but at least {1 + fit} and 1 are needed")
        else:
            if fit:
                validate_data(self, x, y, skip_check_array=True)
            x = validate_data(
                self, x, reset=fit, ensure_all_finite="allow-nan", ensure_min_samples=1 + fit
            )
            table = _tables.from_array(x)
        if not fit and frame != hasattr(self, "feature_names_in_"):  # columns go by their places
            table = table.rename_columns(self.columns_)
        return table

    def _fit(self, features: pa.Table, target: pa.Array, labels: dict[str, str]) -> None:
        """Run `pfnamp fit` and keep the state that it saves.

        `labels` are what messages call the values of the target.
        """
        self.columns_ = features.column_names
        name = _tables.free_name(features)
        table = features.append_column(name, target)
        if isinstance(self.random_state, (int, np.integer)):
            self.seed_ = int(self.random_state)
        else:
            self.seed_ = int(check_random_state(self.random_state).randint(2**31))
        with tempfile.TemporaryDirectory(prefix="pfnamp-") as folder:
            state = Path(folder) / "state"
            command = ["fit", "-", "--from", "arrows", "--target", name, "-o", str(state)]
            command += ["--task", self._task]
            context = self._flags("members", "subsample") + ["--seed", str(self.seed_)]
            try:
                _, notes = run(command + context + self._engine(), _tables.stream(table))
            except InputError as error:
                raise InputError(_named(str(error), labels)) from None
            self.state_ = state.read_bytes()
        for note in notes:
            warnings.warn(_named(note, labels), Note, stacklevel=3)

    def _ask(self, x: object, flags: list[str]) -> np.ndarray:
        """Run `pfnamp predict`: the numbers of its output, one row for every row of x."""
        check_is_fitted(self)
        table = self._features(x, fit=False)
        with tempfile.TemporaryDirectory(prefix="pfnamp-") as folder:
            state = Path(folder) / "state"
            state.write_bytes(self.state_)
            command = ["predict", str(state), "-", "--from", "arrows", "--to", "arrows"]
            command += ["--seed", str(self.seed_), *flags]
            data, _ = run(command + self._engine(), _tables.stream(table))
        return _tables.numbers(data)

    def _engine(self) -> list[str]:
        """Flags of the model and of where it runs."""
        return self._flags("model", "device", "threads")

    def _chains(self) -> list[str]:
        """Flags of the posterior that intervals come from."""
        if "," in str(self.posterior):
            raise ValueError(f"posterior is {self.posterior!r}, and intervals are of one")
        return self._flags("posterior", "chains", "steps")

    def _flags(self, *names: str) -> list[str]:
        """Flags of parameters that are not None."""
        values = {name: getattr(self, name) for name in names}
        return [w for k, v in values.items() if v is not None for w in (f"--{k}", str(v))]


def _named(text: str, labels: dict[str, str]) -> str:
    """A message of the program with the user's labels."""
    return re.sub(r'"(c\d+)"', lambda found: f'"{labels.get(found[1], found[1])}"', text)


class Regressor(RegressorMixin, _Estimator):
    """Predictions of a number, with intervals.

    Parameters are flags of the program; None stands for its default.

    model : the name of an imported bundle, or a folder.
    members : number of ensemble members.
    subsample : most rows of the training table that the model reads, drawn at random.
    posterior : of which the credible intervals are: "auto", "paper", "limit" or "direct".
    chains, steps : number of chains and their length.
    random_state : seed of chains and subsample; None for another one at every fit.
    device : "auto", "cpu", "cuda" or "cuda:0".
    threads : threads of onnxruntime; one per core by default.

    X is an array of numbers or a data frame (pandas, Polars, PyArrow), where NaN and null are
    missing and texts and categories are features as well. After `fit`, `state_` holds the saved
    state of `pfnamp fit`, and with it the training data; pickles contain it.
    """

    _task = "regression"

    def fit(self, X: object, y: object) -> Regressor:  # noqa: N803, scikit-learn's name
        """Encode the training table. y holds numbers, one for every row of X.

        Rows whose number is missing are left out, which a `Note` counts.
        """
        features = self._features(X, y, fit=True)
        y = column_or_1d(y, warn=True)
        y = check_array(
            y, ensure_2d=False, dtype=np.float64, ensure_all_finite="allow-nan", input_name="y"
        )
        check_consistent_length(features, y)
        self._fit(features, pa.array(y, from_pandas=True), {})
        return self

    def predict(self, X: object) -> np.ndarray:  # noqa: N803
        """Conditional means, shape (rows,)."""
        return self._ask(X, POINT)[:, 0]

    def predict_interval(
        self,
        X: object,  # noqa: N803
        functional: str = "mean",
        *,
        level: float = 0.9,
        kind: str = "credible",
    ) -> np.ndarray:
        """Limits of intervals that hold with probability level, shape (rows, 2).

        kind "credible": of the functional ("mean", "q0.9", "p>150", ...), whose uncertainty is that
        about the function. kind "predictive": of a single label, noise included, whatever the
        functional.
        """
        if kind not in ("credible", "predictive"):
            raise ValueError(f'kind is {kind!r}, and neither "credible" nor "predictive"')
        chains = self._chains() if kind == "credible" else POINT
        flags = ["--functional", functional, "--level", str(level), *chains]
        columns = self._ask(X, flags)
        if columns.shape[1] != 5:  # the point, its limits and those of a label
            raise ValueError(f"functional is {functional!r}, and intervals are of one")
        return columns[:, 1:3] if kind == "credible" else columns[:, -2:]

    def predict_quantiles(
        self,
        X: object,  # noqa: N803
        q: float | Sequence[float] = (0.05, 0.5, 0.95),
    ) -> np.ndarray:
        """Quantiles of a label, noise included, shape (rows, number of levels q)."""
        levels = np.atleast_1d(np.asarray(q, dtype=np.float64))
        functionals = ",".join(f"q{level!r}" for level in levels.tolist())
        flags = ["--functional", functionals, *POINT, "--posterior", "paper"]  # whose point it is
        return self._ask(X, flags)[:, : 3 * len(levels) : 3]


class Classifier(ClassifierMixin, _Estimator):
    """Probabilities of classes, with intervals.

    `model` names a classifier; None is the embedded one. The other parameters are those of
    `Regressor`.
    """

    _task = "classification"

    def fit(self, X: object, y: object) -> Classifier:  # noqa: N803
        """Encode the training table. y holds labels of any type, one for every row of X.

        Rows whose label is missing are left out, which a `Note` counts.
        """
        features = self._features(X, y, fit=True)
        y = column_or_1d(y, warn=True)
        check_consistent_length(features, y)
        missing = _tables.missing(y)
        if missing.all():
            raise ValueError("y has no label: all of them are missing")
        check_classification_targets(y[~missing])
        self.classes_, codes = np.unique(y[~missing], return_inverse=True)
        width = len(str(len(self.classes_)))  # of texts that sort as the classes do
        texts = [f"c{code:0{width}}" for code in range(len(self.classes_))]
        labels = dict(zip(texts, map(str, self.classes_)))
        target = np.full(len(y), None)
        target[~missing] = [texts[code] for code in codes.ravel()]
        self._fit(features, pa.array(target, pa.string()), labels)
        return self

    def predict(self, X: object) -> np.ndarray:  # noqa: N803
        """The most probable classes, shape (rows,)."""
        shares = self.predict_proba(X)
        return self.classes_[shares.argmax(axis=1)]

    def predict_proba(self, X: object) -> np.ndarray:  # noqa: N803
        """Probabilities of classes_, shape (rows, classes)."""
        return self._ask(X, POINT)[:, ::3]

    def predict_interval(self, X: object, *, level: float = 0.9) -> np.ndarray:  # noqa: N803
        """Credible limits of the probabilities of classes_, shape (rows, classes, 2)."""
        columns = self._ask(X, ["--level", str(level), *self._chains()])
        return columns.reshape(len(columns), -1, 3)[:, :, 1:]
