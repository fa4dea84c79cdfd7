"""Predictions of Spark's data frames: `pip install "pfnamp[spark]"`, on the executors too."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pyarrow as pa
from pyspark import SparkFiles, TaskContext
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

from pfnamp import _filter


def _placed(options: dict) -> dict:
    """The options of a task: on its card, where Spark has assigned one and no device is named."""
    cards = TaskContext.get().resources().get("gpu")
    if cards is None or options.get("device"):
        return options
    return {**options, "device": "cuda:" + cards.addresses[0]}


def predict(
    rows: DataFrame, state: str, *, keep: str | list[str] | None = "all", **options: object
) -> DataFrame:
    """The predictions of the rows of a data frame, a row each.

    `state` is a file of the driver that `pfnamp fit` has saved; Spark copies it to the executors.
    It contains the training data. Columns of `keep` pass through ("all", a list, None): Spark
    promises no order of rows, so keep what tells them apart. `options` are flags of `pfnamp
    predict` with underscores, such as functional=["mean", "q0.9"], level=0.8, cpus=1. A task runs
    one program: cpus should be `spark.task.cpus`. Where tasks have cards
    (`spark.task.resource.gpu.amount` 1), it runs on that of its task.

    Raises InputError where columns or options do not fit. A row that is wrong ends the job with the
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
