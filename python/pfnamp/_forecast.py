"""Forecasts of series in time."""

import re
from typing import Any

import pyarrow as pa

from pfnamp import _words
from pfnamp._program import InputError, as_flags, run
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

    table : a frame of pandas, Polars or PyArrow with one row per step.
    target : the column to forecast.
    time : the column of times; None means the only column of dates.
    horizon : number of steps to forecast; None means one season.
    series : the column that identifies the series, if the table has several.
    season : number of steps of a season; None derives it from the step.
    level : probability of the intervals.
    origins : largest number of earlier dates whose forecasts are used to learn the intervals.
    model : the name of an imported bundle, or its folder.

    Returns a frame of the same kind with the columns of `series` and `time`, `horizon`, `forecast`,
    `pi_lo` and `pi_hi`. Raises InputError, with a remedy, if the table cannot be forecast.
    """
    arguments = ["forecast", "-", "--from", "arrows", "--to", "arrows", "--target", target]
    arguments += as_flags(time=time, horizon=horizon, series=series, season=season)
    arguments += as_flags(level=level, origins=origins, model=model)
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
