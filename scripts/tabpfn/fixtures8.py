"""Write the vectors of package 8.4.0 that the Go tests of pfn/internal/tabpfn read.

    python -m scripts.tabpfn.make_checkpoint25 tiny25.ckpt
    for p in varied products; do
        python -m scripts.tabpfn.make_checkpoint25 --network v2.6 --pipelines $p $p.ckpt
    done
    python -m scripts.tabpfn.fixtures8 --checkpoint tiny25.ckpt --checkpoint varied.ckpt \\
        --checkpoint products.ckpt --out pfn/internal/tabpfn/testdata

As fixtures.py: what the package computes at every stage for small tables, with the
default pipelines, and with pipelines of other steps and subsets of the columns.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from scripts.tabpfn.fixtures import exact, rounded, split, tables
from scripts.tabpfn.package8 import preset, reference
from scripts.tabpfn.stages import stages

DIGITS = 7  # of features
STEPS = {
    "ReshapeFeatureDistributions": "reshaped",
    "ShuffleFeatures": "shuffled",
}


def member(m: dict, seen: set, logits: bool) -> dict:
    """One member; what an earlier member of the same kind has is not written again."""
    out = {k: m[k] for k in ("seed", "pipeline", "power_target", "permutation")}
    if logits:
        out["logits"] = rounded(m["logits"], 6)
        out["translated"] = rounded(m["translated"], 7)
    if m["pipeline"] not in seen:
        seen.add(m["pipeline"])
        out["steps"] = {
            STEPS[s["step"]]: {
                "context": rounded(s["x"], DIGITS),
                "queries": rounded(s["queries"], DIGITS),
            }
            for s in m["steps"]
            if s["step"] in STEPS
        }
    if m["power_target"] not in seen:
        seen.add(m["power_target"])
        out |= {
            "y": rounded(m["y"]),
            "borders": rounded(m["borders"]),
            "cancelled": int(m["cancelled"].sum()),
        }
    return out


def case(checkpoint: Path, table, members: int, logits: bool) -> dict:
    d, seen = stages(checkpoint, table, members=members), set()
    return {
        "name": d["name"],
        "x": exact(d["given"]),
        "y": exact(d["y"]),
        "queries": exact(d["given_queries"]),
        "declared": table.declared,
        "categorical": d["categorical"],
        "mean": exact(d["mean"]),
        "deviation": exact(d["deviation"]),
        "members": [member(m, seen, logits) for m in d["members"]],
        "probabilities": rounded(d["probabilities"], 7) if logits else [],
    }


def inferred():
    """More than 100 rows, in which columns of few numbers are taken for categories."""
    rng = np.random.default_rng(6)
    x = np.round(rng.normal(size=(116, 5)), 2)
    x[:, 1] = rng.choice((2.5, 7.0, 11.0), 116)
    x[:, 2] = rng.choice((0.0, 1.0), 116)
    x[:, 3] = 4.0
    x[rng.random(116) < 0.2, 2] = np.nan
    x[-4:, 1:4] = ((3, 1, 7), (np.nan, 0, 4), (7, np.nan, 2), (11, 5, 0))
    y = np.round(x[:, 0] + 1e-3 * x[:, 1] ** 2 + rng.normal(size=116), 2) - 50
    return split("inferred categories", x, y, 4)


def fingerprint_case(checkpoint: Path) -> dict:
    """Input of the hash, with equal rows, and what the package makes of it."""
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


if __name__ == "__main__":
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--checkpoint", type=Path, action="append", required=True, help="tiny ones")
    p.add_argument("--out", type=Path, required=True, help="folder to write to")
    o = p.parse_args()
    o.out.mkdir(parents=True, exist_ok=True)
    content = []
    for i, checkpoint in enumerate(o.checkpoint):
        said = preset({}, reference(checkpoint))
        pairs = len(said["norms"]) * len(said["recipe"]["targets"])
        chosen = [*tables(), inferred()] if i == 0 else [*tables()[1:4], inferred()]
        content.append(
            {
                "norms": said["norms"],
                "recipe": said["recipe"],
                "borders": exact(stages(checkpoint, tables()[3])["borders"].astype(float)),
                "fingerprint": fingerprint_case(checkpoint),
                "cases": [case(checkpoint, t, pairs + 1, i == 0) for t in chosen],
            }
        )
    text = json.dumps(content, separators=(",", ":"))
    (o.out / "stages8.json").write_text(text + "\n")
    print(f"{len(text)} bytes")
