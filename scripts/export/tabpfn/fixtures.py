"""Write the vectors that the Go tests of pfn/internal/tabpfn read.

With package 2.0.9 they are those of a v2 network, stages.json:

    python -m scripts.export.tabpfn.v2.make_checkpoint --size tiny tiny.ckpt
    python -m scripts.export.tabpfn.fixtures --checkpoint tiny.ckpt \\
        --out pfn/internal/tabpfn/testdata

With package 8.4.0 they are those of newer networks, stages8.json, with the default pipelines
first, then with pipelines of other steps and subsets of the columns:

    python -m scripts.export.tabpfn.v2_5.make_checkpoint tiny25.ckpt
    for p in varied products; do
        python -m scripts.export.tabpfn.v2_5.make_checkpoint --network v2.6 --pipelines $p $p.ckpt
    done
    python -m scripts.export.tabpfn.fixtures --checkpoint tiny25.ckpt --checkpoint varied.ckpt \\
        --checkpoint products.ckpt --out pfn/internal/tabpfn/testdata

Every stage is what the package computes for small tables that exercise one thing each.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from scripts.export.bundle.cases import Table
from scripts.export.bundle.vectors import exact, rounded
from scripts.export.tabpfn.stages import QUANTILES, package, stages
from scripts.export.tabpfn.tables import inferred, split, tables

OLD = package.VERSION == "2.0.9"
STEPS = {  # of a member's pipeline, and how they are called here
    "ReshapeFeatureDistributions": "reshaped",
    "EncodeCategoricalFeatures": "encoded",
    "ShuffleFeatures": "shuffled",
}


def steps(m: dict, names: dict[str, str], digits: int) -> dict:
    """The member's matrices after some of its steps, context and queries."""
    return {
        names[s["step"]]: {
            "context": rounded(s["x"], digits),
            "queries": rounded(s["queries"], digits),
        }
        for s in m["steps"]
        if s["step"] in names
    }


def member(m: dict, seen: set, logits: bool = True) -> dict:
    """One member; what an earlier member of the same kind has is not written again."""
    out = {k: m[k] for k in ("seed", "pipeline", "power_target", "permutation")}
    if logits:
        out["logits"] = rounded(m["logits"], 6)
        out["translated"] = rounded(m["translated"], 7)
    if m["pipeline"] not in seen:
        out["steps"] = old_steps(m) if OLD else new_steps(m)
    if m["power_target"] not in seen:
        out |= {
            "y": rounded(m["y"], 9),
            "borders": rounded(m["borders"], 9),
            "cancelled": int(m["cancelled"].sum()),
        }
        if OLD:
            out["translated_fixed"] = rounded(m["translated_fixed"][:1], 7)
    seen |= {m["pipeline"], m["power_target"]}
    return out


def old_steps(m: dict) -> dict:
    """The matrices of package 2.0.9, without that of an encoding that changes nothing."""
    out = steps(m, STEPS, 9)
    if out["encoded"] == out["reshaped"]:
        del out["encoded"]
    return out


def new_steps(m: dict) -> dict:
    return steps(m, {k: v for k, v in STEPS.items() if v != "encoded"}, 7)


def case(d: dict, table: Table, members: list[dict]) -> dict:
    """What a case of either file begins with: the table, and its members."""
    x, queries = ("x", "queries") if OLD else ("given", "given_queries")
    return {
        "name": d["name"],
        "x": exact(d[x]),
        "y": exact(d["y"]),
        "queries": exact(d[queries]),
        "declared": table.declared,
        "categorical": d["categorical"],
        "mean": exact(d["mean"]),
        "deviation": exact(d["deviation"]),
        "members": members,
    }


def old_case(checkpoint: Path, table: Table) -> dict:
    d, seen = stages(checkpoint, table), set()
    return case(d, table, [member(m, seen) for m in d["members"]]) | {
        "probabilities": rounded(d["probabilities"], 7),
        "levels": list(QUANTILES),
        "expect": {k: rounded(v, 8) for k, v in d["expect"].items() if k != "mean64"},
    }


def new_case(checkpoint: Path, table: Table, members: int, logits: bool) -> dict:
    d, seen = stages(checkpoint, table, members=members), set()
    return case(d, table, [member(m, seen, logits) for m in d["members"]]) | {
        "probabilities": rounded(d["probabilities"], 7) if logits else [],
    }


def fingerprint_case(checkpoint: Path) -> dict:
    """Bit-exact input of the hash, with equal rows, and what the package makes of it."""
    rng = np.random.default_rng(9)
    x = np.round(rng.normal(size=(14, 2)), 2)
    x[3] = x[4] = x[0]
    x[6, 0] = np.nan
    table = split("fingerprint", x, np.arange(14.0), 4)
    first = stages(checkpoint, table, fingerprint=True)["members"][0]
    at = next(i for i, s in enumerate(first["steps"]) if s["step"] == "AddFingerprintFeatures")
    before, after = first["steps"][at - 1 : at + 1]
    return {
        "seed": first["seed"],
        "context": exact(before["x"]),
        "queries": exact(before["queries"]),
        "context_hash": exact(after["x"][:, -1]),
        "query_hash": exact(after["queries"][:, -1]),
    }


def borders(checkpoint: Path) -> list[float]:
    """The common borders of the bars."""
    return exact(stages(checkpoint, tables()[3])["borders"].astype(float))


def old_content(checkpoint: Path) -> dict:
    return {
        "borders": borders(checkpoint),
        "fingerprint": fingerprint_case(checkpoint),
        "cases": [old_case(checkpoint, t) for t in tables()],
    }


def new_content(checkpoint: Path, first: bool) -> dict:
    """Of the first network all tables, with logits; of the others three."""
    said = package.preset({}, package.reference(checkpoint))
    pairs = len(said["norms"]) * len(said["recipe"]["targets"])
    chosen = [*(tables() if first else tables()[1:4]), inferred()]
    return {
        "norms": said["norms"],
        "recipe": said["recipe"],
        "borders": borders(checkpoint),
        "fingerprint": fingerprint_case(checkpoint),
        "cases": [new_case(checkpoint, t, pairs + 1, first) for t in chosen],
    }


if __name__ == "__main__":
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--checkpoint", type=Path, action="append", required=True, help="tiny ones")
    p.add_argument("--out", type=Path, required=True, help="folder to write to")
    o = p.parse_args()
    o.out.mkdir(parents=True, exist_ok=True)
    if OLD:
        file, content = "stages.json", old_content(*o.checkpoint)
    else:
        file, content = "stages8.json", [new_content(c, i == 0) for i, c in enumerate(o.checkpoint)]
    text = json.dumps(content, separators=(",", ":"))
    (o.out / file).write_text(text + "\n")
    print(f"{file}: {len(text)} bytes")
