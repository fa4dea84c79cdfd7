"""Golden vectors of a Nori bundle: inputs, and the results of the package."""

from pathlib import Path

import numpy as np

from scripts.export.bundle.cases import Table
from scripts.export.bundle.graphs import Graphs, check_member
from scripts.export.bundle.vectors import exact, golden, rounded
from scripts.export.nori.stages import stages
from scripts.export.nori.tables import golden_tables

DIGITS = 9
QUERIES = 2  # of a case


def check_members(d: dict, graphs: Graphs) -> None:
    """Check that the graphs return the package's quantiles for the tables of the members."""
    for m in d["members"]:
        check_member(d["name"], graphs, m["x"], d["standard"], m["queries"], m["quantiles"])


def member(m: dict, pipeline: dict, y: np.ndarray, rows: int) -> dict:
    return {
        "pipeline": pipeline["transform"],
        "seed": 0,
        "permutation": m["permutation"],
        "x_train": rounded(m["x"], DIGITS),
        "x_test": rounded(m["queries"][:rows], DIGITS),
        "y_train": rounded(y, DIGITS),
        "logits": rounded(m["quantiles"][:rows], 7),
    }


def case_of(d: dict, table: Table, pipelines: list[dict], rows: int) -> dict:
    """Make a golden case from the result of `stages`, with the first query rows; x are numbers."""
    return {
        "name": table.name,
        "x_train": exact(d["x"]),
        "categorical": [False] * d["x"].shape[1],
        "y_train": exact(d["y"]),
        "x_test": exact(d["given"][:rows]),
        "members": [member(m, p, d["standard"], rows) for m, p in zip(d["members"], pipelines)],
        "expect": {
            "mu": d["mean"],
            "sd": d["deviation"],
            "quantiles": rounded(d["quantiles"][:rows], 9),
        },
    }


def golden_cases(
    checkpoint: Path, graphs: Graphs, members: list[dict], pipelines: list[dict], count: int
) -> dict:
    """Make cases without the hash column: no other implementation matches its last bit."""
    cases = []
    for table in golden_tables()[:count]:
        d = stages(checkpoint, table, members)
        check_members(d, graphs)
        cases.append(case_of(d, table, pipelines, QUERIES))
    return golden(cases)
