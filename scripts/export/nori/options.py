"""Export a Nori network as a model bundle.

Needs the packages of scripts/export/nori/requirements.txt. The bundle is a folder with
`context.onnx` (labelled rows to keys and values), `query.onnx` (query rows to quantiles),
`manifest.json`, `golden.json` and the licence. Rows, queries and features are dynamic in both
graphs. The exporter compares them with the package's own network at shapes that differ from the
traced ones, and writes no bundle if they disagree. It downloads nothing.

The pipelines come from the file, or else from the package's default for nori-6m, nori-30m and
nori-100m.
"""

import argparse

from scripts.export.bundle.arguments import of_package, parser

PACKAGES = ("scripts/export/nori/requirements.txt",)
DEFAULTS = {
    "name": "nori-regressor",
    "version": "1",
    "max_rows": 10_000,
    "spdx": "Apache-2.0",
    "notice": "Nori by Synthefy.",
}


def parse_options(arguments: list[str]) -> argparse.Namespace:
    said = {
        "members": "one of each pipeline",
        "max_features": "the pipelines', 256",
        "licence": "the package's",
        "weights": "format and sha256",
    }
    p = of_package(parser("nori", __doc__, said, **DEFAULTS))
    p.add_argument("--checkpoint", required=True, help="checkpoint, .pt")
    return p.parse_args(arguments)
