"""Export a Nori network as a model bundle.

Needs the packages of scripts/export/nori/requirements.txt. The bundle is a folder with
`context.onnx` (labelled rows to keys and values), `query.onnx` (query rows to quantiles),
`manifest.json`, `golden.json` and the licence. Rows, queries and features are dynamic in both
graphs. The exporter compares them with the package's own network at shapes that differ from the
traced ones, and writes no bundle if they disagree. It downloads nothing.

The pipelines come from the file, or else from the package's default for nori-6m, nori-30m and
nori-100m.
"""

from __future__ import annotations

import argparse

PACKAGES = ("scripts/export/nori/requirements.txt",)


def parse_options(arguments: list[str]) -> argparse.Namespace:
    p = argparse.ArgumentParser(
        prog="export_onnx --family nori",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("--checkpoint", required=True, help="checkpoint, .pt")
    p.add_argument("--out", required=True, help="folder of the bundle")
    p.add_argument("--joint", action="store_true", help="write joint.onnx too, for other programs")
    p.add_argument("--name", default="nori-regressor", help="of the bundle (default %(default)s)")
    p.add_argument("--version", default="1", help="of the weights (default %(default)s)")
    p.add_argument("--description", help="one sentence")
    p.add_argument("--weights", help="where they come from (default: format and sha256)")
    p.add_argument("--members", type=int, help="ensemble members (default: one of each pipeline)")
    p.add_argument("--no-fingerprint", action="store_true", help="no member reads a hash column")
    p.add_argument("--max-rows", type=int, default=10_000, help="most context rows (at most 10000)")
    p.add_argument("--max-features", type=int, help="most features (default: the pipelines', 256)")
    p.add_argument("--cases", type=int, default=4, help="golden cases (default 4)")
    p.add_argument("--half", action="store_true", help="round the weights to float16")
    p.add_argument("--licence", help="licence text (default: the package's)")
    p.add_argument("--spdx", default="Apache-2.0", help="its SPDX identifier")
    p.add_argument("--notice", default="Nori by Synthefy.", help="attribution to print")
    return p.parse_args(arguments)
