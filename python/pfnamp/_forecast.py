"""Forecasts of series in time."""

from __future__ import annotations

import re
from typing import Any

import pyarrow as pa

from pfnamp import _words
from pfnamp._program import InputError, run
from pfnamp._tables import from_frame, like, stream


def forecast(
    table: Any,
    target: str,
    *,
    time: str | None = None,
    horizon: int | None = None,
    series: str | None = None,
    season: int | None = None,
    level: float = 0.9,
    origins: int | None = None,
    model: str | None = None,
) -> Any:
    """Forecast the next steps of a series, with predictive intervals.

    `table` is a frame of pandas, Polars or PyArrow with a row for every step, `target` the column
    to forecast, `time` the column of times (the only column of dates if None), `series` the column
    that tells several series apart. `horizon` and `season` are in steps; None leaves them to the
    step: one season. Intervals are learned from forecasts of up to `origins` earlier dates.

    Returns a frame of the same kind with the columns of `series` and `time`, `horizon`, `forecast`,
    `pi_lo` and `pi_hi`. Raises InputError where the table cannot be forecast; the message has a
    remedy.
    """
    arguments = ["forecast", "-", "--from", "arrows", "--to", "arrows", "--target", target]
    for flag, value in (
        ("time", time),
        ("horizon", horizon),
        ("series", series),
        ("season", season),
        ("level", level),
        ("origins", origins),
        ("model", model),
    ):
        if value is not None:
            arguments += [f"--{flag}", str(value)]
    try:
        out, notes = run(arguments, stream(from_frame(table)))
    except InputError as error:
        raise InputError(_said(str(error))) from None
    for note in notes:
        _words.warn(_said(note))
    return like(table, pa.ipc.open_stream(out).read_all(), index=False)


def _said(text: str) -> str:
    """A message with parameters instead of flags."""
    text = re.sub(r"^(stdin|-):", "table:", text)
    return re.sub(r"--([a-z]+) (\w+)", r"\1=\2", text)
