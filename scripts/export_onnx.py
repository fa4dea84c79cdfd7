"""Export a network as a model bundle, from the root of the repository:

    python -m scripts.export_onnx --family tabicl \\
        --checkpoint runs/next/regressor/best.pt --out bundles/next
    python -m scripts.export_onnx --family tabicl \\
        --checkpoint tabicl-regressor-v2.ckpt --out bundles/tabicl-v2
    python -m scripts.export_onnx --family tabpfn \\
        --checkpoint tabpfn-v2-regressor.ckpt --out bundles/tabpfn

The options of a family: --family FAMILY --help, which needs no packages. `python
scripts/export_onnx.py` does the same from any folder.

An export needs the packages that a requirements.txt in the family's folder lists, in an environment
of their own. That downloads about 4 GB and takes 7 GB of disk, as PyTorch from PyPI brings its CUDA
libraries. An exporter does not use them: PyTorch's wheel for CPUs, from its own index, is enough.
Install it first; pip keeps it, and downloads 0.1 to 0.3 GB of other packages.
"""

import argparse
import importlib
import sys
from pathlib import Path

FAMILIES = tuple(sorted(p.parent.name for p in Path(__file__).parent.glob("export/*/options.py")))
TORCH = "2.9.1"  # as in the requirements of all families


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
    options = importlib.import_module(f"scripts.export.{known.family}.options")
    options.parse_options(rest)  # --help and wrong options end here, without any package
    try:
        exporter = importlib.import_module(f"scripts.export.{known.family}.export")
    except ModuleNotFoundError as error:
        raise SystemExit(missing(known.family, error.name or "", options.PACKAGES)) from error
    exporter.main(rest)


def missing(family: str, module: str, packages: tuple[str, ...]) -> str:
    """What to install where a module is not there, and how much that is."""
    return f"""\
error: the exporter of {family} needs the Python package {module}, which is not installed here
hint: install its packages in an environment of their own ({", or ".join(packages)}):
    python3.11 -m venv .venv-{family}
    .venv-{family}/bin/pip install -r {packages[0]}
  This downloads about 4 GB and takes 7 GB of disk. Install PyTorch's wheel for CPUs before the
  second line, and that line downloads only 0.1 to 0.3 GB:
    uv pip install --python .venv-{family} --torch-backend cpu torch=={TORCH}"""


if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[1])  # also of a file
    main()
