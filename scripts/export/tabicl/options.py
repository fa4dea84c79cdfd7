"""Export a network of the TabICLv2 architecture as a model bundle.

The checkpoint is one of this project, or an official TabICLv2 regressor or classifier,
for which scripts/export/tabicl/requirements.txt must be installed; without `--checkpoint` it is
the one that the package keeps or downloads (`--task`).

A bundle is a folder with `manifest.json`, `context.onnx` (labelled rows to
keys and values), `query.onnx` (query rows to quantiles of the target and, if the
network has that output, the posterior surface of `docs/design/posterior.md`, or to logits of
classes), `golden.json` (inputs and expected values at every stage) and `LICENSE`; that of a
classifier has the graphs of `many.py` too, for more classes than it has outputs. Rows,
features and tables are dynamic in both graphs. The graphs are compared with torch
at shapes that differ from the traced ones; a bundle that disagrees is not written.
"""

import argparse

from scripts.export.bundle.arguments import parser

PACKAGES = ("scripts/export/tabicl/requirements.txt",)


def parse_options(arguments: list[str]) -> argparse.Namespace:
    said = {
        "members": "3, official 8",
        "max_rows": "10000",
        "max_features": "200, official 500",
        "licence": "that of the weights",
    }
    p = parser("tabicl", __doc__, said)
    p.add_argument(
        "--checkpoint",
        help="checkpoint of trainer.py, a small checkpoint, a bundle of this project, or an "
        "official TabICLv2 regressor or classifier (default: what the tabicl package downloads)",
    )
    p.add_argument(
        "--task",
        choices=["regression", "classification"],
        default="regression",
        help="which checkpoint the package downloads; a given file tells its task",
    )
    p.add_argument(
        "--trends",
        default="",
        help="comma-separated trends of the members in turn, none, linear or kernel: what one "
        "leaves of the target, of which the narrower members weigh more, or its shares of classes",
    )
    p.add_argument(
        "--surface-scale",
        type=float,
        default=1.0,
        help="scale of the normal score at which limits of the surface, or of the posterior of "
        "class probabilities, are read (default 1: as the network says)",
    )
    p.add_argument(
        "--temperature",
        type=float,
        help="by which a classifier's averaged logits are divided (default 1, official 0.9)",
    )
    p.add_argument(
        "--max-classes",
        type=int,
        help="most classes; up to the network's outputs no graphs for more are written "
        "(default 0, official 1000)",
    )
    p.add_argument("--recipe", help="the recipe that made the checkpoint, a file")
    return p.parse_args(arguments)
