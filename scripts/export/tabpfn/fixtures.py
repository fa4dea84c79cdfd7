"""Write the vectors that the Go tests of pfn/internal/tabpfn read, with package 8.4.0:

    for p in varied products; do
        python -m scripts.export.tabpfn.v2_5.make_checkpoint --network v2.6 --pipelines $p $p.ckpt
    done
    python -m scripts.export.tabpfn.fixtures --checkpoint varied.ckpt --checkpoint products.ckpt \\
        --out pfn/internal/tabpfn/testdata

They are what the package computes of small tables by pipelines whose steps no bundle of testdata
has. Those of the bundles are in their golden vectors.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from scripts.export.bundle.cases import Table
from scripts.export.bundle.vectors import exact, rounded
from scripts.export.tabpfn.stages import package, stages
from scripts.export.tabpfn.tables import inferred, split, tables

DIGITS = 7


def member(m: dict, seen: set) -> dict:
    """One member; what an earlier member of the same kind has is not written again."""
    out = {k: m[k] for k in ("seed", "pipeline", "power_target", "permutation")}
    if m["pipeline"] not in seen:
        last = next(s for s in reversed(m["steps"]) if s["step"] == "ShuffleFeatures")
        out["shuffled"] = {
            "context": rounded(last["x"], DIGITS),
            "queries": rounded(last["queries"], DIGITS),
        }
    if m["power_target"] not in seen:
        out["y"] = rounded(m["y"], 9)
    seen |= {m["pipeline"], m["power_target"]}
    return out


def case(checkpoint: Path, table: Table, members: int) -> dict:
    d, seen = stages(checkpoint, table, members=members), set()
    return {
        "name": d["name"],
        "x": exact(d["given"]),
        "y": exact(d["y"]),
        "queries": exact(d["given_queries"]),
        "declared": table.declared,
        "mean": exact(d["mean"]),
        "deviation": exact(d["deviation"]),
        "members": [member(m, seen) for m in d["members"]],
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


def content(checkpoint: Path) -> dict:
    said = package.preset({}, package.reference(checkpoint))
    pairs = len(said["norms"]) * len(said["recipe"]["targets"])
    return {
        "norms": said["norms"],
        "recipe": said["recipe"],
        "borders": exact(stages(checkpoint, tables()[3])["borders"].astype(float)),
        "fingerprint": fingerprint_case(checkpoint),
        "cases": [case(checkpoint, t, pairs + 1) for t in [*tables()[1:4], inferred()]],
    }


if __name__ == "__main__":
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--checkpoint", type=Path, action="append", required=True, help="tiny ones")
    p.add_argument("--out", type=Path, required=True, help="folder to write to")
    o = p.parse_args()
    o.out.mkdir(parents=True, exist_ok=True)
    text = json.dumps([content(c) for c in o.checkpoint], separators=(",", ":"))
    (o.out / "stages.json").write_text(text + "\n")
    print(f"stages.json: {len(text)} bytes")
