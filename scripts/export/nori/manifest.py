"""The manifest of a Nori bundle and the licence in it."""

import argparse
import importlib.metadata
from pathlib import Path

from scripts.export.bundle.folder import entry, provenance
from scripts.export.bundle.graphs import OPSET

PACKAGE = "synthefy-nori"


def manifest(
    saved: dict, pipelines: list[dict], features: int, folder: Path, o: argparse.Namespace
) -> dict:
    """Return the manifest. saved: from `read_checkpoint`; features: most of a table."""
    if o.no_fingerprint:
        pipelines = [p | {"fingerprint": False} for p in pipelines]
    return {
        "format": 1,
        "name": o.name,
        "version": o.version,
        "family": "nori",
        "task": "regression",
        "description": o.description or "A regressor in the format of Nori by Synthefy.",
        "opset": OPSET,
        "head": {
            "kind": "quantiles",
            "levels": saved["config"]["decoder_config"]["num_reg_quantiles"],
        },
        "limits": {"min_rows": 2, "max_rows": o.max_rows, "max_features": features},
        "ensemble": {
            "members": o.members or len(pipelines),
            "norms": [p["transform"] for p in pipelines],
            "shuffle": "permutation",
            "seed": 0,
            "outlier_threshold": 0,
        },
        "nori": {
            "preset": importlib.metadata.version(PACKAGE),
            "features_per_group": saved["config"]["features_per_group"],
            "pipelines": pipelines,
        },
        "graphs": {what: entry(folder / f"{what}.onnx") for what in ("context", "query")},
        "golden": entry(folder / "golden.json"),
        "licence": {"spdx": o.spdx, "file": "LICENSE", "notice": o.notice},
        "provenance": provenance(
            o, "Nori", sum(value.numel() for value in saved["weights"].values()), PACKAGE
        ),
    }
