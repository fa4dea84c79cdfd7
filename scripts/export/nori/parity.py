"""Compare the program with the `synthefy-nori` package, stage by stage and end to end.

    python -m scripts.export.nori.parity --program build/bin/pfnamp --data folder

For networks with random weights, made here, and any --checkpoint, the package's regressor predicts
every table without its hash column. Its stages become golden vectors, which `pfnamp models verify`
replays. `pfnamp predict` reads the labelled table as a CSV file. Differences of features and of
outputs of the network are relative to max(1, |value|). Differences of quantiles are in standard
deviations of the target.

"own" is the difference between the package's results for two orders of the context rows. It is 0
above 2,000 rows, because the package then draws other rows. "border" is the distance of a number
from a power of ten after the network's standardisation. Close to one, digits follow rounding
errors, and where "own" is large, so does the package's result. The exit status is 1 if a table on
which both mean the same exceeds a gate.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from sklearn.datasets import make_friedman1

from scripts.export.bundle import parity
from scripts.export.bundle.parity import Case, Program, Report
from scripts.export.bundle.tables import normal
from scripts.export.nori.checkpoint import model_of, read_checkpoint
from scripts.export.nori.checks import border
from scripts.export.nori.golden import case_of
from scripts.export.nori.make_checkpoint import checkpoint
from scripts.export.nori.recipe import pipelines
from scripts.export.nori.stages import LEVELS, Table, default_members, quiet, regressor, stages
from scripts.export.nori.tables import gaps, small_tables, split

# Columns of the report: its name, the stages of `models verify` in it, and the gate.
STAGES = (
    ("members", ("members",), 0.0),
    ("target", ("mu", "sd", "y_train"), 1e-5),
    ("features", ("x_train", "x_test"), 2e-5),
    ("network", ("network",), 1e-3),
    ("read-out", ("post-processing: quantiles",), 1e-5),
    ("knots", ("result: quantiles",), 1e-4),
)
GATES = {name: gate for name, _, gate in STAGES} | {"csv": 1e-4}
REPORT = Report("nori", GATES, own=("own", "border"))
GOLDEN_ROWS = 6  # query rows whose stages are compared
MOST_FITTED = 2000  # rows that the package fits some steps to
UNSURE = 1e-4  # where "own" is larger, the package's result is not a reference
FOLLOWS = "the package's answer follows rounding errors"
MEANT = {"a constant column with gaps": "the scale of a constant column is a rounding error"}


def texts() -> Table:
    """Text columns with missing and unseen labels between columns of numbers."""
    rng = np.random.default_rng(3)
    x, y = normal(3, 165, 3)
    table = pd.DataFrame(x, columns=["a", "b", "c"])
    colour = rng.choice(np.array(["red", "green", "Blue", "grey"], dtype=object), len(x))
    town = rng.choice(np.array(["Oslo", "Tromso", "Bergen"], dtype=object), len(x))
    colour[rng.random(len(x)) < 0.1] = None
    table.insert(1, "colour", colour)
    table["town"] = town
    table.loc[len(x) - 2, "town"] = "Vardo"
    return split("text", table.round(6), y + (colour == "red"), 5)


def constant_with_gaps() -> Table:
    x, y = normal(12, 40, 3)
    x[:, 1] = 5.3
    x[::5, 1] = np.nan
    return split("a constant column with gaps", x, y, 4)


def made() -> list[Table]:
    """Tables of a generator."""
    sizes = [(1, 60), (2, 40), (30, 90), (100, 120), (256, 60)]
    found = [split(f"{c} features", *normal(10 + c, rows, c), 6) for c, rows in sizes]
    found.append(split("2500 rows", *normal(31, 2520, 3), 20))
    x, y = make_friedman1(200, 20, noise=1.0, random_state=0)
    found.append(split("Friedman #1", x, y, 80))
    x, y = normal(8, 40, 3)
    found.append(split("target with a large offset", x, 1e4 + np.round(y, 2), 4))
    found.append(split("5 rows", *normal(9, 8, 2), 3))
    return [*found, *small_tables(), gaps(), texts(), constant_with_gaps()]


def through_csv(program: Program, bundle: Path, t: Table, folder: Path) -> np.ndarray:
    """Quantiles [M, levels] of all query rows by way of files."""
    x, test = (pd.DataFrame(a).rename(columns=str) for a in (t.x, t.queries))
    numbers = [c for c in x.columns if x[c].dtype != object]
    more = ("--numeric", ",".join(numbers), "--posterior", "limit", "--no-fingerprint")
    more += ("--functional", ",".join(f"q{p}" for p in LEVELS), "--target-values", "any")
    path = program.predict(bundle, x.assign(target=t.y), test, folder, *more)
    return pd.read_csv(path)[[f"q{p}" for p in LEVELS]].to_numpy(float)


def own_noise(network: Path, t: Table, members: list[dict]) -> np.ndarray:
    """The package's results for the first query rows with the context rows in the opposite order.

    Of a longer context the package fits some steps to a part, which depends on the order. So its
    order stays, and the first query rows come without the others.
    """
    x, y, queries = t.x, t.y, t.queries
    if len(x) > MOST_FITTED:
        queries = queries[:GOLDEN_ROWS]
    else:
        x, y = parity.reordered(x, np.arange(len(y))[::-1]), y[::-1]
    with quiet():
        model = regressor(network, members).fit(x, y)
        return model.predict(queries, output_type="full")["quantiles"]


def compare(program: Program, network: Path, bundle: Path, t: Table) -> dict[str, float]:
    """Largest differences of one table: stages, then end to end."""
    saved = read_checkpoint(network)
    members = saved["inference_config"] or default_members()
    d, model = stages(network, t, members), model_of(network, saved)
    with tempfile.TemporaryDirectory(dir=bundle) as name:
        folder = Path(name)
        case = case_of(d, t, pipelines(members, "")[0], GOLDEN_ROWS)
        row = parity.worst(STAGES, program.verify(parity.with_golden(bundle, case, folder)))
        got = through_csv(program, bundle, t, folder)
    want = np.stack([np.interp(LEVELS, d["levels"], q) for q in d["quantiles"]])
    row["csv"] = float(np.abs(got - want).max()) / d["deviation"]
    again = own_noise(network, t, members)
    row["own"] = float(np.abs(again - d["quantiles"][: len(again)]).max()) / d["deviation"]
    tables = [[m[key].astype(np.float32)[None] for key in ("x", "queries")] for m in d["members"]]
    row["border"] = min(border(model, *pair) for pair in tables)
    return row


def report(case: Case, row: dict[str, float]) -> bool:
    """Print one line; return whether every gate holds, plus the package's own noise."""
    if row["own"] > UNSURE:
        case.differs = FOLLOWS
    y = case.task.y
    grain = 3 * float(np.spacing(np.float32(np.abs(y).max()))) / float(np.std(y))
    late = dict.fromkeys(("read-out", "knots", "csv"), grain + 3 * row["own"])
    return REPORT.line(case, (8,), row, late | {"network": 30 * row["own"]})


def main() -> None:
    p = parity.options(__doc__, sizes="tiny,small")
    p.add_argument("--rows", type=int, default=400, help="most context rows (default 400)")
    p.set_defaults(work="build/parity/nori")
    o = p.parse_args()
    torch.set_num_threads(o.threads)
    program, good = Program(o.program), True
    real = parity.real_tables(o.data, o.rows, o.queries)
    tables = [split(*table) for table in real] + made()
    for name, path in parity.networks(o, lambda size: checkpoint(size, o.seed)):
        cases = [Case(t, MEANT.get(t.name, "")) for t in tables]
        bundle = Path(o.work) / name
        parity.export("nori", path, bundle)
        REPORT.header(f"network {name}")
        for case in parity.chosen(o, cases):
            good &= report(case, compare(program, path, bundle, case.task))
        REPORT.save(o.csv, name)
    parity.end(good)


if __name__ == "__main__":
    main()
