"""Predictions for data frames of Spark: `pip install "pfnamp[spark]"` on all executors too."""

import os
from collections.abc import Iterator

import pyarrow as pa
from pyspark import SparkFiles, TaskContext
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

from pfnamp import _filter


def _placed(options: dict) -> dict:
    """The options of a task, with its GPU if Spark has assigned one and no device is named."""
    cards = TaskContext.get().resources().get("gpu")
    if cards is None or options.get("device"):
        return options
    return {**options, "device": "cuda:" + cards.addresses[0]}


def predict(
    rows: DataFrame, state: str, *, keep: str | list[str] | None = "all", **options: object
) -> DataFrame:
    """Predict the rows of a data frame, one row per row.

    state : a file of the driver that `pfnamp fit` has saved. It contains the training data, and
        Spark copies it to the executors.
    keep : columns that pass through: "all", a list, or None. Spark does not keep the order of rows,
        so keep a column that identifies them.
    options : flags of `pfnamp predict` with underscores, such as functional=["mean", "q0.9"],
        level=0.8, cpus=1. A task runs one program, so set cpus to `spark.task.cpus`.

    If a task has a GPU (`spark.task.resource.gpu.amount` 1), the program runs on it. Raises
    InputError if columns or options are not valid. A row with wrong input ends the job with the
    program's message, after `spark.task.maxFailures` attempts.
    """
    options = {"keep": keep, **options}
    state = _filter.local(state)
    rows.sparkSession.sparkContext.addFile(state)
    name = os.path.basename(state)
    schema = _filter.answer_schema(state, to_arrow_schema(rows.schema), options)

    def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return _filter.answers(SparkFiles.get(name), batches, _placed(options))

    return rows.mapInArrow(task, from_arrow_schema(schema))
