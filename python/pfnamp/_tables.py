"""Tables as Arrow streams, the format in which the program reads and writes them."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

LABEL = re.compile(r"^p=(c\d+)")  # of a column of a class


def is_frame(table: object) -> bool:
    """Whether an object is a data frame: pandas, Polars, PyArrow and others."""
    return hasattr(table, "__arrow_c_stream__") or hasattr(table, "__dataframe__")


def from_frame(frame: Any) -> pa.Table:
    """A table with the columns of a data frame.

    Categories become texts, whatever their values, so that the program reads them as categories.
    Periods become the times at which they begin.
    """
    try:
        if hasattr(frame, "iloc"):  # pandas, whose index is no column
            frame = frame.apply(begins) if any(map(is_period, frame.dtypes)) else frame
            table = pa.Table.from_pandas(frame, preserve_index=False)
        else:
            table = pa.table(frame)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        raise ValueError(f"cannot read a column of X: {'; '.join(map(str, error.args))}") from error
    columns = [texts(c) if pa.types.is_dictionary(c.type) else c for c in table.columns]
    own = list(frame.columns) if hasattr(frame, "iloc") else table.column_names
    return pa.table(columns, names=names(table.column_names, own))


def is_period(of: object) -> bool:
    """Whether a type of pandas holds periods."""
    return type(of).__name__ == "PeriodDtype"


def begins(column: Any) -> Any:
    """A column of pandas, with times in the place of periods."""
    return column.dt.to_timestamp() if is_period(column.dtype) else column


def texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The values of a dictionary as text."""
    chunks = [c.dictionary.cast(pa.string()).take(c.indices) for c in column.chunks]
    return pa.chunked_array(chunks, pa.string())


def from_array(array: np.ndarray) -> pa.Table:
    """A table with the columns of an array of numbers; NaN is missing."""
    columns = [pa.array(column, from_pandas=True) for column in array.T.astype(np.float64)]
    return pa.table(columns, names=names([], []) or [f"x{i}" for i in range(len(columns))])


def names(stored: list[str], own: Sequence[object]) -> list[str]:
    """The names of columns: their own if they are distinct texts, else x0, x1, ..."""
    if all(isinstance(name, str) for name in own) and len(set(stored)) == len(stored):
        return stored
    return [f"x{i}" for i in range(len(stored))]


def missing(labels: np.ndarray) -> np.ndarray:
    """Where labels are missing: None, NaN, NaT and the NA of pandas."""
    if labels.dtype.kind != "O":
        return labels != labels
    return np.array([absent(label) for label in labels.tolist()], dtype=bool)


def absent(label: object) -> bool:
    """Whether one label is missing."""
    same = label is not None and label == label  # noqa: PLR0124, NaN does not
    return not isinstance(same, (bool, np.bool_)) or not same


def free_name(table: pa.Table, name: str = "target") -> str:
    """A name for a new column that no feature has."""
    while name in table.column_names:
        name += "_"
    return name


def stream(table: pa.Table) -> bytes:
    """A table as an Arrow stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema.remove_metadata()) as writer:
        writer.write_table(table.replace_schema_metadata(None))
    return sink.getvalue().to_pybytes()


def numbers(table: pa.Table) -> np.ndarray:
    """The numbers of a table, without a first column `class`."""
    if table.column_names[:1] == ["class"]:
        table = table.drop_columns(["class"])
    columns = [column.to_numpy() for column in table.columns]
    return np.column_stack(columns).astype(np.float64, copy=False)


def relabelled(table: pa.Table, labels: Mapping[str, str]) -> pa.Table:
    """A table of predictions with the user's labels, in the names of columns and in `class`."""
    own = {text: f"p={label}" for text, label in labels.items()}
    table = table.rename_columns(
        [LABEL.sub(lambda found: own.get(found[1], found[0]), n) for n in table.column_names]
    )
    if table.column_names[:1] != ["class"]:
        return table
    column = table.column(0)
    if pa.types.is_dictionary(column.type):
        column = texts(column)
    values = pa.array([labels.get(text, text) for text in column.to_pylist()], pa.string())
    return table.set_column(0, "class", values)


def library(given: object) -> str:
    """The name of the library of a table: pandas, polars, pyarrow or numpy."""
    return type(given).__module__.partition(".")[0]


def like(given: Any, table: pa.Table, *, index: bool = True) -> Any:
    """A table as a frame of the same kind as `given`: pandas, Polars, else PyArrow.

    `given` may be its library's name. `index`: the rows correspond to the rows of `given` and get
    its index.
    """
    name = given if isinstance(given, str) else library(given)
    if name == "pandas":
        frame = table.to_pandas()
        return frame.set_index(given.index) if index else frame
    if name == "polars":
        import polars

        return polars.from_arrow(table)
    return table
