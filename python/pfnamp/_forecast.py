"""Forecasts of series in time."""

import re
from typing import Any

import pyarrow as pa

from pfnamp import _words
from pfnamp._program import as_flags
from pfnamp._tables import free_name, from_frame, is_period, like, stream

PARAMETERS = _words.same("target time horizon series season level origins model")


def forecast(
    table: Any,
    target: str | None = None,
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

    table : a frame of pandas, Polars or PyArrow with one row per step, or a series of pandas.
    target : the column to forecast; not needed for a series of pandas.
    time : the column of times, or the index of pandas; None means an index of dates, else the only
        column of dates.
    horizon : number of steps to forecast; None means one season.
    series : the column that identifies the series, if the table has several.
    season : number of steps of a season; None derives it from the step.
    level : probability of the intervals.
    origins : largest number of earlier dates whose forecasts are used to learn the intervals.
    model : the name of an imported bundle, or its folder.

    Returns a frame of the same kind with the columns of `series` and `time`, `horizon`, `forecast`,
    `pi_lo` and `pi_hi`. Times in the index of pandas are in the index again. Raises InputError,
    with a remedy, if the table cannot be forecast.
    """
    levels: list[str] = []
    if hasattr(table, "iloc"):
        if table.ndim == 1:
            target = target or str(table.name or "value")
            table = table.to_frame(target)
        table, time, levels = _with_index(table, time, series)
    arguments = ["forecast", "-", "--from", "arrows", "--to", "arrows"]
    arguments += as_flags(target=target, time=time, horizon=horizon, series=series, season=season)
    arguments += as_flags(level=level, origins=origins, model=model)
    out = _words.run(arguments, stream(from_frame(table)), _said)
    told = like(table, pa.ipc.open_stream(out).read_all(), index=False)
    return told.set_index([name for name in levels if name in told.columns]) if levels else told


def _with_index(table: Any, time: str | None, series: str | None) -> tuple:
    """A frame of pandas with the levels of its index as columns.

    It is as it was unless the levels are asked for, are dates, or nothing else can be the times.
    Returns the frame, the column of times, and the names of the levels.
    """
    given = table.index.to_frame(index=False)
    levels = [name if isinstance(name, str) else free_name(table.columns, "time") for name in given]
    given.columns = levels
    dates = [name for name, kind in given.dtypes.items() if kind.kind == "M" or is_period(kind)]
    asked = {time, series} & set(levels) or table.shape[1] == 1 or (time is None and dates)
    if not asked or set(levels) & set(table.columns):
        return table, time, []
    table = table.set_axis(table.index.set_names(levels)).reset_index()
    return table, time or [*dates, *levels][0], levels


def _said(text: str) -> str:
    """A message with parameters instead of flags."""
    text = re.sub(r"(^|(?<= of ))(stdin|-)(?=[: ])", "table", text)
    text = re.sub(r"(--[a-z]+) (?=[A-Z\d])", r"\1=", text)
    return _words.with_parameters(text, PARAMETERS)
