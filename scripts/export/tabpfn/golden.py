"""Golden vectors of a TabPFN bundle: inputs and what the tabpfn package makes of them."""

import argparse
from pathlib import Path

from scripts.export.bundle.cases import Table
from scripts.export.bundle.graphs import Graphs, check_member
from scripts.export.bundle.vectors import exact, golden, rounded
from scripts.export.tabpfn.stages import QUANTILES, class_stages, stages
from scripts.export.tabpfn.tables import class_tables, tables

DIGITS = 9
QUERIES = 2  # of a case; logits of bars are long
CLASS_QUERIES = 4


def member(m: dict, rows: int) -> dict:
    """A member of either task."""
    return {
        "pipeline": m["pipeline"],
        **{key: m[key] for key in ("power_target", "classes") if key in m},
        "seed": m["seed"],
        "permutation": m["permutation"],
        "x_train": rounded(m["x"], DIGITS),
        "x_test": rounded(m["queries"][:rows], DIGITS),
        "y_train": rounded(m["y"], DIGITS),
        "logits": rounded(m["logits"][:rows], 7),
    }


def check_members(d: dict, graphs: Graphs) -> None:
    """The graphs give the logits of the package for the members' own tables."""
    for m in d["members"]:
        check_member(d["name"], graphs, m["x"], m["y"], m["queries"], m["logits"])


def case_of(d: dict, table: Table, rows: int) -> dict:
    """The golden case of what `stages` or `class_stages` gave, with the first query rows."""
    if "labels" in d:
        expect = {"probabilities": rounded(d["probabilities"][:rows], 8)}
    else:
        expect = {
            "mu": exact(d["mean"]),
            "sd": exact(d["deviation"]),
            "probabilities": rounded(d["probabilities"][:rows], 7),
            "mean": rounded(d["expect"]["mean"][:rows], 8),
            "quantile_levels": list(QUANTILES),
            "quantiles": rounded(d["expect"]["quantiles"][:rows], 8),
        }
    return {
        "name": table.name,
        "x_train": exact(d["given"]),
        "categorical": [j in table.declared for j in range(d["given"].shape[1])],
        "y_train": exact(d["y"]),
        "x_test": exact(d["given_queries"][:rows]),
        "members": [member(m, rows) for m in d["members"]],
        "expect": expect,
    }


def class_options(o: argparse.Namespace) -> dict:
    """What the exporter was told of classes, as the package calls it."""
    return {
        "softmax_temperature": o.temperature,
        "average_before_softmax": o.average_logits,
        "balance_probabilities": o.balance,
    }


def golden_cases(checkpoint: Path, graphs: Graphs, classes: int, o: argparse.Namespace) -> dict:
    """Cases without the hash column, which no other implementation can match to the last bit.

    classes: how many a classifier tells apart, 0 of a regressor.
    """
    cases = []
    for table in (class_tables() if classes else tables())[: o.cases]:
        if classes:
            d = class_stages(checkpoint, table, **class_options(o))
        else:
            d = stages(checkpoint, table)
        check_members(d, graphs)
        cases.append(case_of(d, table, CLASS_QUERIES if classes else QUERIES))
    return golden(cases)
