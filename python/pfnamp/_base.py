"""The base class of both estimators. It runs the program once to fit and once per prediction."""

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from pfnamp import _tables, _words
from pfnamp._program import as_flags

# A point is a property of the network's distribution; chains are for intervals.
POINT = ["--chains", "2"]
OF_INTERVALS = re.compile(r"^--chains\b|\bcredible\b")  # notes about them


class Estimator(BaseEstimator):
    """Parameters, the saved state, and runs of the program."""

    _task: str

    def __init__(
        self,
        *,
        model: str | None = None,
        members: int | None = None,
        subsample: int | str | None = None,
        posterior: str | None = None,
        chains: int | None = None,
        steps: int | None = None,
        level: float | None = None,
        predictive: str | None = None,
        target_values: str | None = None,
        dates: str | None = None,
        repeated: str | None = None,
        keep_feature: str | Sequence[str] | None = None,
        group: str | None = None,
        allow_new: bool = False,
        missing: str | None = None,
        half: bool = False,
        random_state: object = 1,
        device: str | None = None,
        threads: int | None = None,
        precision: str | None = None,
    ) -> None:
        self.model = model
        self.members = members
        self.subsample = subsample
        self.posterior = posterior
        self.chains = chains
        self.steps = steps
        self.level = level
        self.predictive = predictive
        self.target_values = target_values
        self.dates = dates
        self.repeated = repeated
        self.keep_feature = keep_feature
        self.group = group
        self.allow_new = allow_new
        self.missing = missing
        self.half = half
        self.random_state = random_state
        self.device = device
        self.threads = threads
        self.precision = precision

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    def summary(
        self,
        X: ArrayLike,  # noqa: N803, scikit-learn's name
        *,
        by: object = None,
        contrast: str | Sequence[str] = (),
        functional: str | Sequence[str] | None = None,
        level: float | None = None,
    ) -> Any:
        """Averages over rows and groups, and contrasts, with credible intervals.

        by : groups of rows: the name of a column of X, or one value per row.
        contrast : a difference such as "row 1 - row 2" (rows count from 1) or, for groups,
            "north - south". A list asks for several.
        functional, level : as in `predict_table`.

        Returns a frame of the same kind as X, or a `pyarrow.Table` if X is an array. It has one
        row for all rows ("all" in the column `of`), one per group and one per contrast. The
        intervals include the correlation between similar rows.
        """
        table = self._query(X)
        flags = self._asked(functional, level)
        if by is not None:
            _same_rows(X, by=by)
            table, name = _grouped(table, by)
            flags += ["--group-by", name]
        for difference in [contrast] if isinstance(contrast, str) else contrast:
            flags += ["--contrast", difference]
        with tempfile.TemporaryDirectory(prefix="pfnamp-") as folder:
            path = Path(folder) / "summary.arrow"
            flags += ["--summary", str(path)]
            self._predict(table, flags, divided=self.group is not None)
            summary = pa.ipc.open_file(path.read_bytes()).read_all()
        return _tables.like(X, self._relabelled(summary), index=False)

    def effects(
        self,
        columns: Sequence[str | tuple[str, str]] = (),
        *,
        functional: str | Sequence[str] | None = None,
        level: float | None = None,
    ) -> Any:
        """The average prediction over the rows of fit, by the value of a column.

        columns : names of features, or pairs of names; all features by default.
        functional, level : as in `predict_table`.

        Returns the columns of `pfnamp explain` as a frame of the kind of X of fit, one row per
        value: the number of rows near the value, their support, and for each functional the
        average, its credible interval, and the simultaneous band, which contains the whole curve.
        """
        check_is_fitted(self)
        flags = self._asked(functional, level)
        for asked in columns:
            name = asked if isinstance(asked, str) else ":".join(asked)
            flags += ["--effect", _listed(name)]
        return self._explained([*flags, *self._flags("missing")])

    def importance(self, *, correlated: float | None = None, level: float | None = None) -> Any:
        """Importance of columns: how much worse the model predicts unread rows without them.

        correlated : average correlation, in (0, 1], at which columns are replaced together; 0.8 by
            default.
        level : probability of the intervals; 0.9 by default.

        Returns the columns of `pfnamp explain --importance` as `effects` does, one row per column
        or group of columns, the most important first.
        """
        check_is_fitted(self)
        flags = ["--importance", *self._level(level), *as_flags(correlated=correlated)]
        return self._explained(flags)

    def treatment(
        self,
        column: str,
        *,
        group_by: str | None = None,
        functional: str | Sequence[str] | None = None,
        level: float | None = None,
    ) -> Any:
        """The difference between two groups, adjusted for the other columns.

        column : the name of a feature with two values.
        group_by : a feature with few values; the result gets one more row per value, with the
            difference in that group.
        functional, level : as in `predict_table`; means and probabilities only.

        Returns the columns of `pfnamp explain --treatment` as `effects` does. The first five rows
        are the average over all rows under either value, then their difference: adjusted, by the
        model alone, and not adjusted. The difference is causal only if every column that
        influences both `column` and the target is a feature, and no feature is a consequence of
        `column`.
        """
        check_is_fitted(self)
        flags = ["--treatment", column, *as_flags(group_by=group_by)]
        return self._explained([*flags, *self._asked(functional, level)])

    def predict_changed(
        self,
        X: ArrayLike,  # noqa: N803
        change: str | Sequence[str],
        *,
        functional: str | Sequence[str] | None = None,
        level: float | None = None,
    ) -> Any:
        """Predictions for the rows of X, and for the same rows with changed cells (what if).

        change : for example "airco=yes", "area*1.1", "age+5" or "built-365" (dates move by days).
            A list makes several changes at once.
        functional, level : as in `predict_table`.

        Returns the columns of `pfnamp predict --set` as a frame of the same kind as X, or a
        `pyarrow.Table` if X is an array. For each functional: its value now (`mean`), after the
        change (`mean_set`), the difference (`mean_diff`) with its interval, and the probability
        that the difference is above 0 (`mean_diff_above0`).
        """
        flags = self._asked(functional, level)
        for one in [change] if isinstance(change, str) else change:
            flags += ["--set", one]
        return _tables.like(X, self._relabelled(self._predict(self._query(X), flags)))

    def _explained(self, flags: Sequence[str]) -> Any:
        """The table that `pfnamp explain` writes, as a frame of the kind that fit has read."""
        with tempfile.TemporaryDirectory(prefix="pfnamp-") as folder:
            context = self._kept(folder, divided=self.group is not None)
            command = ["explain", *context, "--to", "arrows", "--seed", str(self.seed_), *flags]
            output = self._run(command, b"")
        table = self._relabelled(pa.ipc.open_stream(output).read_all())
        return _tables.like(self.library_, table, index=False)

    def _fit_table(self, features: pa.Table, target: pa.Array, labels: dict[str, str]) -> None:
        """Run `pfnamp fit` and keep the state that it saves.

        `labels` are the user's labels by the texts of `target` that stand for them.
        """
        self.columns_ = features.column_names
        self.target_ = _tables.free_name(self.columns_)
        self.labels_ = labels
        if isinstance(self.random_state, (int, np.integer)):
            self.seed_ = int(self.random_state)
        else:
            self.seed_ = int(check_random_state(self.random_state).randint(2**31))
        data = _tables.stream(features.append_column(self.target_, target))
        with tempfile.TemporaryDirectory(prefix="pfnamp-") as folder:
            state = Path(folder) / "state"
            command = ["fit", "-", "--from", "arrows", "-o", str(state)]
            if self.group is not None:  # it is no feature
                command += ["--ignore", _listed(self.group)]
            command += ["--half"] * bool(self.half)
            self._run([*command, *self._context(), "--seed", str(self.seed_)], data)
            self.state_ = state.read_bytes()
        divided = self.predictive == "conformal" or self.group is not None
        self.train_: bytes | None = data if divided else None
        self._try(features)

    def _try(self, features: pa.Table) -> None:
        """Predict no rows, so that what predict would refuse is refused by fit."""
        names = ["posterior", "level", "chains", "steps", "missing"]
        names += ["predictive"] * (self.predictive != "conformal")
        if flags := self._flags(*names):
            with tempfile.TemporaryDirectory(prefix="pfnamp-") as folder:
                command = ["predict", *self._kept(folder, divided=False), "-", "--from", "arrows"]
                self._run([*command, "--to", "arrows", *flags], _tables.stream(features[:0]))

    def _context(self) -> list[str]:
        """Flags that matter at fit only, as the state stores them."""
        names = ["members", "subsample", "dates", "repeated", "target_values", "precision"]
        kept = [self.keep_feature] if isinstance(self.keep_feature, str) else self.keep_feature
        flags = ["--keep-feature", ",".join(map(_listed, kept))] if kept else []
        return ["--target", self.target_, "--task", self._task, *flags, *self._flags(*names)]

    def _kept(self, folder: str, *, divided: bool) -> list[str]:
        """The arguments for the context: the state, or the table if its rows are `divided`."""
        kept = self.train_ if divided else self.state_
        if kept is None:
            what = 'predictive was set to "conformal"' if self.group is None else "group was set"
            raise ValueError(f"{what} after fit: call fit again")
        context = Path(folder) / ("train.arrows" if divided else "state")
        context.write_bytes(kept)
        return (
            [str(context), *self._context(), *self._flags("group")] if divided else [str(context)]
        )

    def _features(self, x: Any, y: ArrayLike | None = None, *, fit: bool) -> pa.Table:
        """The features as a table, whose names and number are those of fit."""
        given = {"y": y} if fit else {}
        frame = _tables.is_frame(x)
        if fit:
            self.library_ = _tables.library(x)
            _same_rows(x, y=y)
        if frame:
            validate_data(self, x, skip_check_array=True, reset=fit, **given)
            table = _tables.from_frame(x)
            if table.num_rows < 1 + fit or table.num_columns == 0:
                shape = f"{table.num_rows} sample(s) and {table.num_columns} feature(s)"
                raise ValueError(f"X has {shape}, but at least {1 + fit} and 1 are required")
        else:
            if fit:
                validate_data(self, x, y, skip_check_array=True)
            x = validate_data(
                self, x, reset=fit, ensure_all_finite="allow-nan", ensure_min_samples=1 + fit
            )
            table = _tables.from_array(x)
        if fit:
            self.spoken_ = _tables.spoken(x, table.column_names)
        elif frame != hasattr(self, "feature_names_in_"):  # columns go by their places
            table = table.rename_columns(self.columns_)
        return table

    def _query(self, x: ArrayLike) -> pa.Table:
        """The rows to predict."""
        check_is_fitted(self)
        return self._features(x, fit=False)

    def _ask(
        self,
        x: ArrayLike,
        flags: Sequence[str] = (),
        *,
        point: bool = False,
        conformal: bool = False,
    ) -> np.ndarray:
        """The numbers that `pfnamp predict` writes, one row for every row of x."""
        table = self._query(x)
        return _tables.numbers(self._predict(table, flags, point=point, conformal=conformal))

    def _predict(
        self,
        rows: pa.Table,
        flags: Sequence[str],
        *,
        point: bool = False,
        conformal: bool = False,
        divided: bool = False,
    ) -> pa.Table:
        """The table that `pfnamp predict` writes.

        `point`: the caller does not use the credible intervals. `conformal`: the intervals of
        labels follow the parameter `predictive`. `divided`: the groups of rows matter.
        """
        conformal = conformal and self.predictive == "conformal"
        with tempfile.TemporaryDirectory(prefix="pfnamp-") as folder:
            context, *more = self._kept(folder, divided=conformal or divided)
            command = ["predict", context, "-", "--from", "arrows", "--to", "arrows", *more]
            if conformal or self.predictive != "conformal":
                command += self._flags("predictive")
            command += ["--allow-new"] * bool(self.allow_new)
            command += ["--seed", str(self.seed_), *self._flags("missing"), *flags]
            if point:
                command += POINT
            output = self._run(command, _tables.stream(rows), point=point)
        return pa.ipc.open_stream(output).read_all()

    def _run(self, command: list[str], data: bytes, *, point: bool = False) -> bytes:
        """Run the program and turn its notes into warnings.

        `point`: skip notes about credible intervals, as the caller does not use them.
        """
        context = "X" if command[0] == "fit" else "X of fit"

        def said(text: str) -> str:
            text = _words.translated(text, context, self.target_, self.spoken_)
            return _tables.labelled(text, self.labels_)

        command = command + self._flags("model", "device", "threads")
        return _words.run(command, data, said, but=OF_INTERVALS if point else None)

    def _relabelled(self, table: pa.Table) -> pa.Table:
        """A table of the program with the user's labels."""
        return _tables.relabelled(table, self.labels_)

    def _asked(self, functional: str | Sequence[str] | None, level: float | None) -> list[str]:
        """Flags of functionals and of their intervals."""
        return as_flags(functional=functional) + self._level(level) + self._chains()

    def _level(self, level: float | None) -> list[str]:
        """The flag of a level, that of the estimator by default."""
        return as_flags(level=self.level if level is None else level)

    def _chains(self) -> list[str]:
        """Flags of the posterior that intervals come from."""
        if "," in str(self.posterior):
            raise ValueError(
                f"posterior is {self.posterior!r}, but intervals come from one posterior: name one"
            )
        return self._flags("posterior", "chains", "steps")

    def _flags(self, *names: str) -> list[str]:
        """Flags of parameters that are not None."""
        return as_flags(**{name: getattr(self, name) for name in names})


class Scored:
    """The score of scikit-learn, of rows that belong together."""

    def score(
        self,
        X: ArrayLike,  # noqa: N803
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """R² of the predictions for the rows of X, or for classes the accuracy."""
        _same_rows(X, y=y, sample_weight=sample_weight)
        return super().score(X, y, sample_weight)  # type: ignore[misc]


def _same_rows(x: Any, **beside: Any) -> None:
    """Warn if pandas labels the rows of X otherwise than what is beside it, row by row.

    scikit-learn and this package match rows by their positions. An index that is new beside an old
    one, as of a table made from an array, says nothing.
    """
    for name, given in beside.items():
        if not (hasattr(x, "iloc") and hasattr(given, "iloc")) or x.index.equals(given.index):
            continue
        new = any(np.array_equal(of.index, np.arange(len(of))) for of in (x, given))
        if not new or set(x.index) == set(given.index):
            _words.warn(
                f"X and {name} have different indexes, and their rows are matched by position: to "
                f"match them by label, pass {name}.loc[X.index], else {name}.to_numpy()"
            )


def refuse(unsupported: Mapping[str, object]) -> None:
    """Refuse arguments of fit, weights with a reason."""
    for name, value in unsupported.items():
        if name != "sample_weight":
            raise TypeError(f"fit() got an unexpected keyword argument {name!r}")
        if value is not None:
            raise TypeError(
                "sample_weight is not supported: the network reads every row of X once, without a "
                "weight. Remove it, or resample the rows of X by their weights; the intervals are "
                "then for the resampled rows"
            )


def _listed(name: str) -> str:
    """A column in the value of a flag that takes a list."""
    return '"' + name.replace('"', '""') + '"'


def _grouped(table: pa.Table, by: Any) -> tuple[pa.Table, str]:
    """A table with a column of groups, and its name."""
    if isinstance(by, str):
        if by not in table.column_names:
            raise ValueError(f"X has no column {by!r}: give by a column name or one value per row")
        return table, by
    values = pa.array(np.asarray(by), from_pandas=True)
    if len(values) != table.num_rows:
        raise ValueError(
            f"by has {len(values)} values, but X has {table.num_rows} rows: give one value per row"
        )
    name = _tables.free_name(table.column_names, "group")
    return table.append_column(name, values), name
