"""What both estimators share: how they run the program, once to fit, once for every prediction."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from pfnamp import _tables, _words
from pfnamp._program import InputError, ProgramError, run

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
        subsample: int | None = None,
        posterior: str | None = None,
        chains: int | None = None,
        steps: int | None = None,
        level: float | None = None,
        predictive: str | None = None,
        target_values: str | None = None,
        dates: str | None = None,
        missing: str | None = None,
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
        self.level = level
        self.predictive = predictive
        self.target_values = target_values
        self.dates = dates
        self.missing = missing
        self.random_state = random_state
        self.device = device
        self.threads = threads

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    def summary(
        self,
        X: object,  # noqa: N803, scikit-learn's name
        *,
        by: object = None,
        contrast: str | Sequence[str] = (),
        functional: str | Sequence[str] | None = None,
        level: float | None = None,
    ) -> Any:
        """Averages over the rows of X and over groups, and contrasts, with credible limits.

        by : the name of a column of X, or a value for every row: the rows of a value are a group.
        contrast : differences such as "row 1 - row 2" or, of groups, "north - south"; the first
            row is 1. A list for several.
        functional, level : those of `predict_table`.

        The result is a frame of the kind of X, a `pyarrow.Table` where X is an array: a row for all
        rows ("all" in the column `of`), for every group and for every contrast. Rows are coupled:
        those that are alike are uncertain together.
        """
        table = self._query(X)
        flags = functionals_flag(functional) + self._level(level) + self._chains()
        if by is not None:
            table, name = _grouped(table, by)
            flags += ["--group-by", name]
        for difference in [contrast] if isinstance(contrast, str) else contrast:
            flags += ["--contrast", difference]
        with tempfile.TemporaryDirectory(prefix="pfnamp-") as folder:
            path = Path(folder) / "summary.arrow"
            self._predict(table, [*flags, "--summary", str(path)])
            summary = pa.ipc.open_file(path.read_bytes()).read_all()
        return _tables.like(X, self._relabelled(summary), index=False)

    def effects(
        self,
        columns: Sequence[str | tuple[str, str]] = (),
        *,
        functional: str | Sequence[str] | None = None,
        level: float | None = None,
    ) -> pa.Table:
        """What the answer is on average over the rows of fit, by the value of a column.

        columns : names of features, and pairs of names; all features by default.
        functional, level : those of `predict_table`.

        The columns are those of `pfnamp explain`: for every value the rows near it, their support,
        and of every functional the average with its limits and those of a band that holds at all
        values of the column at once.
        """
        check_is_fitted(self)
        flags = functionals_flag(functional) + self._level(level) + self._chains()
        for asked in columns:
            name = asked if isinstance(asked, str) else ":".join(asked)
            flags += ["--effect", '"' + name.replace('"', '""') + '"']
        return self._explained([*flags, *self._flags("missing")])

    def importance(
        self, *, correlated: float | None = None, level: float | None = None
    ) -> pa.Table:
        """How much worse the model predicts rows that it has not read without every column.

        correlated : the average correlation from which on columns are replaced together.
        level : that of the intervals; 0.9 by default.

        A row for every column, or group of columns, the most important first, with the columns that
        `pfnamp explain --importance` writes.
        """
        check_is_fitted(self)
        flags = ["--importance", *self._level(level)]
        if correlated is not None:
            flags += ["--correlated", str(correlated)]
        return self._explained(flags)

    def treatment(
        self,
        column: str,
        *,
        group_by: str | None = None,
        functional: str | Sequence[str] | None = None,
        level: float | None = None,
    ) -> pa.Table:
        """What the average of all rows of fit would be under each of the two values of a column.

        column : the name of a feature with two values.
        group_by : a feature with few values; a row for the difference in every group follows.
        functional, level : those of `predict_table`; means and probabilities only.

        Five rows, with the columns that `pfnamp explain --treatment` writes: both averages, and
        their difference adjusted for the other columns, by the model alone, and not adjusted. The
        difference is causal only if every column that influences both `column` and the target is a
        feature, and no feature is a consequence of `column`.
        """
        check_is_fitted(self)
        flags = functionals_flag(functional) + self._level(level) + self._chains()
        if group_by is not None:
            flags = ["--group-by", group_by, *flags]
        return self._explained(["--treatment", column, *flags])

    def predict_changed(
        self,
        X: object,  # noqa: N803
        change: str | Sequence[str],
        *,
        functional: str | Sequence[str] | None = None,
        level: float | None = None,
    ) -> Any:
        """Answers for the rows of X as they are, beside those for the rows with other cells.

        change : such as "airco=yes", "area*1.1", "age+5" or "built-365" (dates move by days); a
            list makes several changes at once.
        functional, level : those of `predict_table`.

        The result is a frame of the kind of X, a `pyarrow.Table` where X is an array, with the
        columns of `pfnamp predict --set`: of every functional its value as it is (`mean`), as it
        would be (`mean_set`) and the difference (`mean_diff`) with limits, and the probability that
        the difference is above 0 (`mean_diff_above0`).
        """
        flags = functionals_flag(functional) + self._level(level) + self._chains()
        for one in [change] if isinstance(change, str) else change:
            flags += ["--set", one]
        return _tables.like(X, self._relabelled(self._predict(self._query(X), flags)))

    def _explained(self, flags: Sequence[str]) -> pa.Table:
        """The table that `pfnamp explain` writes."""
        with tempfile.TemporaryDirectory(prefix="pfnamp-") as folder:
            state = Path(folder) / "state"
            state.write_bytes(self.state_)
            command = ["explain", str(state), "--to", "arrows", "--seed", str(self.seed_), *flags]
            output = self._run(command, b"")
        return self._relabelled(pa.ipc.open_stream(output).read_all())

    def _fit_table(self, features: pa.Table, target: pa.Array, labels: dict[str, str]) -> None:
        """Run `pfnamp fit` and keep the state that it saves.

        `labels` are the user's labels by the texts of `target` that stand for them.
        """
        self.columns_ = features.column_names
        self.target_ = _tables.free_name(features)
        self.labels_ = labels
        if isinstance(self.random_state, (int, np.integer)):
            self.seed_ = int(self.random_state)
        else:
            self.seed_ = int(check_random_state(self.random_state).randint(2**31))
        data = _tables.stream(features.append_column(self.target_, target))
        with tempfile.TemporaryDirectory(prefix="pfnamp-") as folder:
            state = Path(folder) / "state"
            command = ["fit", "-", "--from", "arrows", "-o", str(state)]
            self._run([*command, *self._context(), "--seed", str(self.seed_)], data)
            self.state_ = state.read_bytes()
        self.train_: bytes | None = data if self.predictive == "conformal" else None

    def _context(self) -> list[str]:
        """Flags that a state settles."""
        names = ["members", "subsample", "dates", "target_values"]
        return ["--target", self.target_, "--task", self._task, *self._flags(*names)]

    def _features(self, x: Any, y: object = None, *, fit: bool) -> pa.Table:
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

    def _query(self, x: object) -> pa.Table:
        """The rows to predict."""
        check_is_fitted(self)
        return self._features(x, fit=False)

    def _ask(
        self, x: object, flags: Sequence[str] = (), *, point: bool = False, conformal: bool = False
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
    ) -> pa.Table:
        """The table that `pfnamp predict` writes.

        `point`: nobody reads the credible limits. `conformal`: the intervals of labels are those
        of the parameter `predictive`.
        """
        conformal = conformal and self.predictive == "conformal"
        kept = self.train_ if conformal else self.state_
        if kept is None:
            raise ValueError('predictive became "conformal" after fit: fit again')
        with tempfile.TemporaryDirectory(prefix="pfnamp-") as folder:
            context = Path(folder) / ("train.arrows" if conformal else "state")
            context.write_bytes(kept)
            command = ["predict", str(context), "-", "--from", "arrows", "--to", "arrows"]
            if conformal:
                command += self._context()
            if conformal or self.predictive != "conformal":
                command += self._flags("predictive")
            command += ["--seed", str(self.seed_), *self._flags("missing"), *flags]
            if point:
                command += POINT
            output = self._run(command, _tables.stream(rows), point=point)
        return pa.ipc.open_stream(output).read_all()

    def _run(self, command: list[str], data: bytes, *, point: bool = False) -> bytes:
        """Run the program and warn of its notes.

        `point`: nobody reads the credible limits, so notes about them are left out.
        """
        command = command + self._flags("model", "device", "threads")
        try:
            output, notes = run(command, data)
        except (InputError, ProgramError) as error:
            raise type(error)(self._said(str(error), command[0])) from None
        for note in notes:
            if not (point and OF_INTERVALS.search(note)):
                _words.warn(self._said(note, command[0]))
        return output

    def _said(self, text: str, job: str) -> str:
        """A message of a job of the program in the words of this package."""
        context = "X" if job == "fit" else "X of fit"
        return _words.translated(text, context, self.target_, self.labels_)

    def _relabelled(self, table: pa.Table) -> pa.Table:
        """A table of the program with the user's labels."""
        return _tables.relabelled(table, self.labels_)

    def _level(self, level: float | None) -> list[str]:
        """The flag of a level, that of the estimator by default."""
        level = self.level if level is None else level
        return [] if level is None else ["--level", str(level)]

    def _chains(self) -> list[str]:
        """Flags of the posterior that intervals come from."""
        if "," in str(self.posterior):
            raise ValueError(f"posterior is {self.posterior!r}, and intervals are of one")
        return self._flags("posterior", "chains", "steps")

    def _flags(self, *names: str) -> list[str]:
        """Flags of parameters that are not None."""
        given = {name.replace("_", "-"): getattr(self, name) for name in names}
        return [w for k, v in given.items() if v is not None for w in (f"--{k}", str(v))]


def refuse(unsupported: Mapping[str, object]) -> None:
    """Refuse arguments of fit, weights with a reason."""
    for name, value in unsupported.items():
        if name != "sample_weight":
            raise TypeError(f"fit() got an unexpected keyword argument {name!r}")
        if value is not None:
            raise TypeError(
                "sample_weight is not supported: the network reads every row of X once, and has no "
                "place for its weight. Leave it out, or draw the rows of X by their weights; "
                "intervals are then those of the drawn rows"
            )


def functionals_flag(functional: str | Sequence[str] | None) -> list[str]:
    """The flag of one functional or of several."""
    if functional is None:
        return []
    return ["--functional", functional if isinstance(functional, str) else ",".join(functional)]


def _grouped(table: pa.Table, by: Any) -> tuple[pa.Table, str]:
    """A table with a column of groups, and its name."""
    if isinstance(by, str):
        if by not in table.column_names:
            raise ValueError(f"by is {by!r}, which is no column of X; give a value for every row")
        return table, by
    values = pa.array(np.asarray(by), from_pandas=True)
    if len(values) != table.num_rows:
        raise ValueError(f"by has {len(values)} values, and X has {table.num_rows} rows")
    name = _tables.free_name(table, "group")
    return table.append_column(name, values), name
