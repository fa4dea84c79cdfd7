"""Write the vectors that the Go tests of pfn/internal/tabpfn read:

    python -m scripts.export.nori.make_checkpoint tiny.pt
    python -m scripts.export.nori.fixtures --checkpoint tiny.pt --out pfn/internal/tabpfn/testdata

The vectors are the package's columns of small tables, with the pipelines of nori-1-5; those of
nori-6m are in the golden vectors of testdata/nori-tiny.
"""

import argparse
import json
from pathlib import Path

from synthefy_nori.configs import MODEL_V3_INFERENCE_CONFIG, config_path

from scripts.export.bundle.vectors import exact, rounded
from scripts.export.nori.recipe import pipelines
from scripts.export.nori.stages import stages
from scripts.export.nori.tables import small_tables

DIGITS = 8


def case(d: dict) -> dict:
    return {
        "name": d["name"],
        "x": exact(d["x"]),
        "queries": exact(d["given"]),
        "members": [
            {
                "permutation": m["permutation"],
                "context": rounded(m["x"], DIGITS),
                "queries": rounded(m["queries"], DIGITS),
            }
            for m in d["members"]
        ],
    }


if __name__ == "__main__":
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--checkpoint", type=Path, required=True, help="a tiny one")
    p.add_argument("--out", type=Path, required=True, help="folder to write to")
    o = p.parse_args()
    o.out.mkdir(parents=True, exist_ok=True)
    members = json.loads(Path(config_path(MODEL_V3_INFERENCE_CONFIG)).read_text())
    content = {
        "pipelines": pipelines(members, "the package")[0],
        "cases": [case(stages(o.checkpoint, t, members)) for t in small_tables()],
    }
    text = json.dumps(content, separators=(",", ":"))
    (o.out / "nori.json").write_text(text + "\n")
    print(f"nori.json: {len(text)} bytes")
