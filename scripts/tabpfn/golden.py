"""Golden vectors of a TabPFN bundle: inputs and what the tabpfn package makes of them."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from scripts.bundle.graphs import Graphs
from scripts.bundle.vectors import exact, golden, rounded
from scripts.tabpfn.stages import QUANTILES, Table, stages
from scripts.tabpfn.tables import tables

GRAPH_TOLERANCE = 1e-4  # of logits, relative to max(1, |logit|)
DIGITS = 9
QUERIES = 2  # of a case; logits are long


def member(m: dict, rows: int) -> dict:
    shuffled = m["steps"][-1]
    return {
        "pipeline": m["pipeline"],
        "power_target": m["power_target"],
        "seed": m["seed"],
        "permutation": m["permutation"],
        "x_train": rounded(shuffled["x"], DIGITS),
        "x_test": rounded(shuffled["queries"][:rows], DIGITS),
        "y_train": rounded(m["y"], DIGITS),
        "logits": rounded(m["logits"][:rows], 7),
    }


def check_member(m: dict, graphs: Graphs, name: str) -> None:
    """The graphs give the logits of the package for the member's own tables."""
    shuffled = m["steps"][-1]
    x, y, queries = (
        np.asarray(a, dtype=np.float32)[None] for a in (shuffled["x"], m["y"], shuffled["queries"])
    )
    gap = np.abs(graphs(x, y, queries)[0][0] - m["logits"]) / np.maximum(1, np.abs(m["logits"]))
    if not gap.max() <= GRAPH_TOLERANCE:
        raise SystemExit(f"golden case {name!r}: logits differ from the package by {gap.max():.2g}")


def case_of(d: dict, table: Table, rows: int) -> dict:
    """The golden case of what `stages` gave, with the first query rows."""
    return {
        "name": table.name,
        "x_train": exact(d["given"]),
        "categorical": [j in table.declared for j in range(d["given"].shape[1])],
        "y_train": exact(d["y"]),
        "x_test": exact(d["given_queries"][:rows]),
        "members": [member(m, rows) for m in d["members"]],
        "expect": {
            "mu": exact(d["mean"]),
            "sd": exact(d["deviation"]),
            "probabilities": rounded(d["probabilities"][:rows], 7),
            "mean": rounded(d["expect"]["mean"][:rows], 8),
            "quantile_levels": list(QUANTILES),
            "quantiles": rounded(d["expect"]["quantiles"][:rows], 8),
        },
    }


def golden_case(checkpoint: Path, table: Table, graphs: Graphs) -> dict:
    d = stages(checkpoint, table)
    for m in d["members"]:
        check_member(m, graphs, table.name)
    return case_of(d, table, QUERIES)


def golden_cases(checkpoint: Path, graphs: Graphs, o: argparse.Namespace) -> dict:
    """Cases without the hash column, which no other implementation can match to the last bit."""
    return golden([golden_case(checkpoint, t, graphs) for t in tables()[: o.cases]])
