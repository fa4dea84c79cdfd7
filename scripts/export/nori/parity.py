"""Compare the program with the `synthefy-nori` package.

    python -m scripts.export.nori.parity --program build/bin/pfnamp --data folder

Networks have random weights and are made here; any --checkpoint comes too. The package predicts
without its hash column; `csv` are quantiles in standard deviations of the target.

"own" is the difference between the package's results for two orders of the context rows. It is 0
above 2,000 rows, because the package then draws other rows. "border" is the distance of a number
from a power of ten after the network's standardisation. Close to one, digits follow rounding
errors, and where "own" is large, so does the package's result. The exit status is 1 if a table on
which both mean the same exceeds a gate.
"""

from pathlib import Path

import numpy as np

from scripts.export.bundle import cases, parity
from scripts.export.bundle.cases import Table, rows_of
from scripts.export.bundle.parity import GOLDEN, Found, Program, Report
from scripts.export.nori.checkpoint import model_of, read_checkpoint
from scripts.export.nori.checks import border
from scripts.export.nori.golden import case_of
from scripts.export.nori.make_checkpoint import checkpoint
from scripts.export.nori.recipe import pipelines
from scripts.export.nori.stages import LEVELS, default_members, quiet, regressor, stages
from scripts.export.nori.tables import gaps, small_tables

REPORT = Report("nori", GOLDEN | {"csv": 1e-4}, own=("own", "border"))
MOST_ROWS = 400  # of a real table
GOLDEN_ROWS = 6  # query rows of golden vectors
MOST_FITTED = 2000  # rows that the package fits some steps to
UNSURE = 1e-4  # where "own" is larger, the package's result is not a reference
FOLLOWS = "the package's answer follows rounding errors"


def own_noise(network: Path, t: Table, members: list[dict]) -> np.ndarray:
    """The package's results for the first query rows with the context rows in the opposite order.

    Of a longer context the package fits some steps to a part, which depends on the order. So its
    order stays, and the first query rows come without the others.
    """
    x, y, queries = t.x, t.y, t.queries
    if len(x) > MOST_FITTED:
        queries = queries[:GOLDEN_ROWS]
    else:
        x, y = rows_of(x, np.arange(len(y))[::-1]), y[::-1]
    with quiet():
        model = regressor(network, members).fit(x, y)
        return model.predict(queries, output_type="full")["quantiles"]


def compare(program: Program, network: Path, bundle: Path, t: Table, folder: Path) -> Found:
    """Largest differences of one table."""
    saved = read_checkpoint(network)
    members = saved["inference_config"] or default_members()
    d, model = stages(network, t, members), model_of(network, saved)
    case = case_of(d, t, pipelines(members, "")[0], GOLDEN_ROWS)
    golden = program.golden(bundle, case, folder)
    names = [f"q{p}" for p in LEVELS]
    more = ("--posterior", "limit", "--no-fingerprint", "--target-values", "any")
    got = program.predict(bundle, t, folder, "--functional", ",".join(names), *more)
    want = np.stack([np.interp(LEVELS, d["levels"], q) for q in d["quantiles"]])
    row = {"csv": float(np.abs(got[names].to_numpy(float) - want).max()) / d["deviation"]}
    again = own_noise(network, t, members)
    row["own"] = float(np.abs(again - d["quantiles"][: len(again)]).max()) / d["deviation"]
    tables = [[m[key].astype(np.float32)[None] for key in ("x", "queries")] for m in d["members"]]
    row["border"] = min(border(model, *pair) for pair in tables)
    if row["own"] > UNSURE:
        t.differs = FOLLOWS
    noise = parity.grain(t.y) + 3 * row["own"]
    return Found.of(golden, row, {"csv": noise}, (8,), 10 * noise)


def tables(folder: str) -> list[Table]:
    more = [cases.wide(30, 90), cases.wide(256, 60), cases.wide(3, 2500, 20), gaps()]
    return [*cases.real(folder, MOST_ROWS, parity.QUERIES), *cases.made(), *more, *small_tables()]


if __name__ == "__main__":
    o = parity.options(__doc__, "tiny,small").parse_args()
    made = tables(o.data)
    parity.end(parity.run(o, "nori", lambda s: checkpoint(s, parity.SEED), made, REPORT, compare))
