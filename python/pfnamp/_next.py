"""Which rows to measure next."""

import re
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa

from pfnamp import _words
from pfnamp._program import as_flags
from pfnamp._tables import from_frame, like, stream

PARAMETERS = _words.same("target batch cost level model") | {"for": "goal", "seed": "random_state"}


def next_rows(
    measured: Any,
    candidates: Any,
    target: str,
    goal: str,
    *,
    batch: int | None = None,
    cost: str | None = None,
    level: float = 0.9,
    random_state: int = 1,
    model: str | None = None,
) -> Any:
    """Rank candidate rows by the expected gain of measuring them.

    measured : a frame of pandas, Polars or PyArrow with the column `target`.
    candidates : a frame with the same features, without `target`.
    goal : "minimum", "maximum", "target=100" or "learn".
    batch : number of rows to choose together, so that they differ; None ranks all rows.
    cost : the column of candidates with costs; gains are divided by it.
    level : probability of the intervals.
    random_state : the seed.
    model : the name of an imported bundle, or its folder.

    Returns a frame of the same kind as `candidates`, in the order of rank. It has the columns
    `rank`, `row` (from 1), `gain`, `mean`, `mean_lo` and `mean_hi` before the candidates' own.
    """
    given = ["--target", target, "--for", goal, "--seed", str(random_state)]
    given += as_flags(batch=batch, cost=cost, level=level, model=model)
    with tempfile.TemporaryDirectory(prefix="pfnamp-") as folder:
        train = Path(folder) / "train.arrows"
        train.write_bytes(stream(from_frame(measured)))
        command = ["next", str(train), "-", "--from", "arrows", "--to", "arrows", *given]
        out = _words.run(
            command, stream(from_frame(candidates)), lambda text: _said(text, str(train))
        )
    return like(candidates, pa.ipc.open_stream(out).read_all(), index=False)


def _said(text: str, train: str) -> str:
    """A message with parameters instead of flags, and tables instead of files."""
    text = re.sub(r"^(stdin|-):", "candidates:", text.replace(train, "measured"))
    return _words.with_parameters(text, PARAMETERS)
