"""Tables as Arrow streams, the format in which the program reads and writes them."""

import decimal
import numbers as kinds
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

LABEL = re.compile(r"⟨\d+⟩")  # what stands for a label, like no name and no text of a user
FAULTS = (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError)


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
            own = list(frame.columns)
            columns = [of_pandas(frame.iloc[:, [i]]) for i in range(len(own))]
        else:
            table = pa.table(frame)
            own, columns = table.column_names, [texts(column) for column in table.columns]
    except FAULTS as error:
        raise ValueError(f"cannot read a column of X: {'; '.join(map(str, error.args))}") from error
    return pa.table(columns, names=names(own))


def of_pandas(frame: Any) -> pa.ChunkedArray:
    """The column of a frame of pandas. Mixed types of numbers become float64, others texts."""
    column = frame.iloc[:, 0]
    if is_period(column.dtype):
        frame = column.dt.to_timestamp().to_frame()
    try:
        return texts(pa.Table.from_pandas(frame, preserve_index=False).column(0))
    except FAULTS:
        values = column.astype(object)
        known = values.dropna()
        if column.dtype.kind != "O" or any(map(nested, known)):
            raise
        number = all(isinstance(value, (kinds.Real, decimal.Decimal)) for value in known)
        plain = values.map(float if number else str, na_action="ignore")
        return pa.chunked_array([pa.array(plain, from_pandas=True)])


def nested(value: object) -> bool:
    """Whether a value has parts, such as a list."""
    return isinstance(value, Collection) and not isinstance(value, (str, bytes))


def is_period(of: object) -> bool:
    """Whether a type of pandas holds periods."""
    return type(of).__name__ == "PeriodDtype"


def texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The values of a dictionary as text, other columns as they are."""
    if not pa.types.is_dictionary(column.type):
        return column
    chunks = [c.dictionary.cast(pa.string()).take(c.indices) for c in column.chunks]
    return pa.chunked_array(chunks, pa.string())


def from_array(array: np.ndarray) -> pa.Table:
    """A table with the columns of an array of numbers; NaN is missing."""
    columns = [pa.array(column, from_pandas=True) for column in array.T.astype(np.float64)]
    return pa.table(columns, names=names(range(len(columns))))


def names(own: Sequence[object]) -> list[str]:
    """The names of columns in a table: their own if they are distinct texts, else x0, x1, ..."""
    texts = [name for name in own if isinstance(name, str)]
    return texts if len(set(texts)) == len(own) else [f"x{i}" for i in range(len(own))]


def spoken(x: Any, stored: Sequence[str]) -> dict[str, str]:
    """What messages call the columns of X that have no text as a name, by the names in a table."""
    if hasattr(x, "iloc"):
        return {name: f"X[{own!r}]" for name, own in zip(stored, x.columns) if name != own}
    return {} if is_frame(x) else {name: f"X[:, {i}]" for i, name in enumerate(stored)}


def missing(labels: np.ndarray) -> np.ndarray:
    """Where labels are missing: None, NaN, NaT and the NA of pandas."""
    if labels.dtype.kind != "O":
        return labels != labels
    return np.array([absent(label) for label in labels.tolist()], dtype=bool)


def absent(label: object) -> bool:
    """Whether one label is missing."""
    same = label is not None and label == label  # noqa: PLR0124, NaN does not
    return not isinstance(same, (bool, np.bool_)) or not same


def free_name(taken: Collection[str], name: str = "target") -> str:
    """A name for a new column that no other column has."""
    while name in taken:
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
    table = table.rename_columns([labelled(name, labels) for name in table.column_names])
    if table.column_names[:1] != ["class"]:
        return table
    values = [labelled(text, labels) for text in texts(table.column(0)).to_pylist()]
    return table.set_column(0, "class", pa.array(values, pa.string()))


def labelled(text: str, labels: Mapping[str, str]) -> str:
    """A text with the user's labels in the place of what stands for them."""
    return LABEL.sub(lambda found: labels.get(found[0], found[0]), text)


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
