"""Write the vectors that the Go tests of pfn/internal/tabpfn read.

    python -m scripts.tabpfn.make_checkpoint --size tiny tiny.ckpt
    python -m scripts.tabpfn.fixtures --checkpoint tiny.ckpt --out pfn/internal/tabpfn/testdata

Every stage is what the tabpfn package computes for small tables that exercise
one thing each.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from scripts.tabpfn.stages import QUANTILES, Table, stages

DIGITS = 9


def rounded(values, digits: int = DIGITS):
    """Nested lists of floats with so many significant digits, NaN and infinities as text."""
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if isinstance(values, (list, tuple)):
        return [rounded(v, digits) for v in values]
    if isinstance(values, (bool, int, str)):
        return values
    if not np.isfinite(values):
        return None
    return float(f"{values:.{digits}g}")


def exact(values):
    """Nested lists of floats that read back to the same bits."""
    return rounded(values, 17)


def split(name: str, x: np.ndarray, y: np.ndarray, queries: int, **more) -> Table:
    return Table(name, x[:-queries], y[:-queries], x[-queries:], **more)


def tables() -> list[Table]:
    """Small tables: ordinary, missing, categories, few columns, extremes."""
    rng = np.random.default_rng(5)
    made = []
    x = np.round(rng.normal(size=(36, 4)) * (10, 0.5, 4, 1) + (40, 2, 0, 0), 4)
    y = np.round(20 + 3 * x[:, 1] + rng.normal(size=36), 3)
    made.append(split("numbers", x, y, 4))
    x = np.round(np.exp(rng.normal(size=(34, 5))), 3)
    x[rng.random(x.shape) < 0.15] = np.nan
    x[:, 1], x[:, 3] = 7, np.round(x[:, 3])
    x[-2:, 0] = np.nan, 500.0
    x[-1, 1] = 8
    y = np.round(np.exp(1 + 0.5 * rng.normal(size=34)), 4)
    made.append(split("missing, constant and skewed", x, y, 4))
    x = np.round(rng.normal(size=(115, 4)), 2)
    x[:, 1] = rng.choice((1.0, 4.0, 9.0), 115)
    x[:, 2] = rng.choice((0.0, 1.0), 115)
    x[:, 3] = rng.integers(0, 5, 115)
    x[rng.random(115) < 0.12, 1] = np.nan
    x[-3:, 1:] = ((5, 0, 7), (np.nan, 1, 3), (9, 2, 1))
    y = np.round(x[:, 0] + x[:, 2] + rng.normal(size=115), 2)
    made.append(split("categories", x, y, 3, declared=[0, 3]))
    x = np.round(rng.normal(size=(28, 1)), 3)
    made.append(split("one column", x, np.round(x[:, 0] ** 3, 3), 3))
    x = np.round(rng.normal(size=(12, 2)), 3)
    x[:, 1] = np.nan
    x[5, 0] = 1e6
    y = np.round(rng.pareto(1.1, 12), 3) * 100
    made.append(split("extremes and an empty column", x, y, 3))
    return made


def steps(m: dict) -> dict:
    """The member's matrices after every step that changes them, context and queries."""
    return {
        s["step"]: {"context": rounded(s["x"]), "queries": rounded(s["queries"])}
        for s in m["steps"]
        if s["step"] != "RemoveConstantFeatures"
    }


def member(m: dict, seen: dict) -> dict:
    """One member; what an earlier member of the same kind has is not written again."""
    out = {
        "seed": m["seed"],
        "pipeline": m["pipeline"],
        "power_target": m["power_target"],
        "permutation": m["permutation"],
        "logits": rounded(m["logits"], 6),
        "translated": rounded(m["translated"], 7),
    }
    matrices = steps(m)
    if m["pipeline"] not in seen:
        seen[m["pipeline"]] = True
        out["steps"] = {
            "reshaped": matrices["ReshapeFeatureDistributions"],
            "encoded": matrices["EncodeCategoricalFeatures"],
            "shuffled": matrices["ShuffleFeatures"],
        }
        if out["steps"]["encoded"] == out["steps"]["reshaped"]:
            del out["steps"]["encoded"]
    if m["power_target"] not in seen:
        seen[m["power_target"]] = True
        out |= {
            "y": rounded(m["y"]),
            "borders": rounded(m["borders"]),
            "cancelled": int(m["cancelled"].sum()),
            "translated_fixed": rounded(m["translated_fixed"][:1], 7),
        }
    return out


def case(checkpoint: Path, table: Table) -> dict:
    d = stages(checkpoint, table)
    seen: dict = {}
    return {
        "name": d["name"],
        "x": exact(d["x"]),
        "y": exact(d["y"]),
        "queries": exact(d["queries"]),
        "declared": table.declared,
        "categorical": d["categorical"],
        "mean": exact(d["mean"]),
        "deviation": exact(d["deviation"]),
        "members": [member(m, seen) for m in d["members"]],
        "probabilities": rounded(d["probabilities"], 7),
        "levels": list(QUANTILES),
        "expect": {k: rounded(v, 8) for k, v in d["expect"].items() if k != "mean64"},
    }


def fingerprint_case(checkpoint: Path) -> dict:
    """Bit-exact input of the hash, with equal rows, and what the package makes of it."""
    rng = np.random.default_rng(9)
    x = np.round(rng.normal(size=(14, 2)), 2)
    x[3] = x[4] = x[0]
    x[6, 0] = np.nan
    table = split("fingerprint", x, np.arange(14.0), 4)
    first = stages(checkpoint, table, fingerprint=True)["members"][0]
    before, after = (
        next(s for s in first["steps"] if s["step"] == name)
        for name in ("EncodeCategoricalFeatures", "AddFingerprintFeatures")
    )
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
    p.add_argument("--checkpoint", type=Path, required=True, help="tiny checkpoint")
    p.add_argument("--out", type=Path, required=True, help="folder to write to")
    o = p.parse_args()
    o.out.mkdir(parents=True, exist_ok=True)
    cases = [case(o.checkpoint, t) for t in tables()]
    borders = stages(o.checkpoint, tables()[3])["borders"]
    content = {
        "borders": exact(borders.astype(float)),
        "fingerprint": fingerprint_case(o.checkpoint),
        "cases": cases,
    }
    text = json.dumps(content, separators=(",", ":"))
    (o.out / "stages.json").write_text(text + "\n")
    print(f"{len(text)} bytes, {len(cases)} cases")
