"""Export a network as a model bundle, from the root of the repository:

    python -m scripts.export_onnx --family tabicl \\
        --checkpoint runs/next/regressor/best.pt --out bundles/next
    python -m scripts.export_onnx --family tabicl \\
        --checkpoint tabicl-regressor-v2.ckpt --out bundles/tabicl-v2
    python -m scripts.export_onnx --family tabpfn \\
        --checkpoint tabpfn-v2-regressor.ckpt --out bundles/tabpfn

The options of a family: --family FAMILY --help. `python scripts/export_onnx.py` does the same
from any folder.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
from pathlib import Path

FAMILIES = ("tabicl", "tabpfn")


def main() -> None:
    """Hand the options to the exporter of the family, which needs packages of its own."""
    p = argparse.ArgumentParser(
        prog="export_onnx",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
        allow_abbrev=False,
    )
    p.add_argument("--family", choices=FAMILIES)
    known, rest = p.parse_known_args()
    if known.family is None:
        p.add_argument("-h", "--help", action="help")
        p.parse_args(rest)
        p.error("the following arguments are required: --family")
    importlib.import_module(f"scripts.{known.family}.export").main(rest)


def as_module() -> int:
    """Run this file as the module that it is.

    As a file it would find scripts/tabicl and scripts/tabpfn before the packages of these names.
    """
    root = str(Path(__file__).resolve().parents[1])
    places = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    command = [sys.executable, "-P", "-m", "scripts.export_onnx", *sys.argv[1:]]
    return subprocess.call(command, env=os.environ | {"PYTHONPATH": os.pathsep.join(places)})


if __name__ == "__main__":
    raise SystemExit(main() if __package__ else as_module())
