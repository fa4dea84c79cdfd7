"""Export a Nori network as a model bundle: see options.py."""

import argparse
import importlib.metadata
import warnings
from pathlib import Path

import torch

from scripts.export.bundle.checkpoint import CheckpointError
from scripts.export.bundle.folder import packaged, write_json, written
from scripts.export.bundle.graphs import Graphs, finish
from scripts.export.bundle.rounding import Rounding
from scripts.export.bundle.tracing import trace_network
from scripts.export.nori.checkpoint import model_of, read_checkpoint
from scripts.export.nori.checks import NOISE, TOLERANCE, compare
from scripts.export.nori.manifest import PACKAGE, manifest
from scripts.export.nori.options import PACKAGES, parse_options
from scripts.export.nori.recipe import pipelines

VERSION = "0.22.0"  # of the package; pfnamp has the pipelines of this version


def check_package() -> None:
    """Refuse other versions of the package: pfnamp has the pipelines of one."""
    found = importlib.metadata.version(PACKAGE)
    if found != VERSION:
        raise CheckpointError(
            f"{PACKAGE} {found} is installed, but pfnamp has the pipelines of {VERSION}: "
            f"pip install -r {PACKAGES[0]}"
        )


def build(o: argparse.Namespace, folder: Path) -> None:
    """Make and check every file of the bundle in a folder."""
    check_package()
    path = Path(o.checkpoint)
    saved = read_checkpoint(path)
    if o.half:
        saved["weights"] = {k: v.half().float() for k, v in saved["weights"].items()}
        path = folder / "half.pt"
        kept = {"model_config": saved["config"], "model_state_dict": saved["weights"]}
        torch.save(kept, path)
    from scripts.export.nori.golden import golden_cases
    from scripts.export.nori.network import Network
    from scripts.export.nori.stages import default_members

    members = saved["inference_config"] or default_members()
    made, most = pipelines(members, o.checkpoint)
    model = model_of(o.checkpoint, saved)
    features = min(o.max_features or most, most)
    torch.manual_seed(0)
    trace_network(Network(model).eval(), folder, 1, "quantiles")
    for what in ("context", "query"):
        finish(folder / f"{what}.onnx", o.half)
    worst, own = compare(model, folder)
    print(f"largest difference between onnxruntime and the package: {worst:.2g}")
    print(f"of the package from itself, with its cache or with rows in another order: {own:.2g}")
    if not worst <= TOLERANCE + NOISE * own:
        raise SystemExit(f"the graphs disagree with the package by {worst:.2g}")
    graphs = Graphs(folder)
    rounding = Rounding(graphs)
    write_json(folder / "golden.json", golden_cases(path, graphs, members, made, o.cases))
    licence = Path(o.licence).read_bytes() if o.licence else packaged(PACKAGE, "Apache-2.0.txt")
    (folder / "LICENSE").write_bytes(licence)
    facts = manifest(saved, made, features, folder, o) | rounding.tolerances()
    write_json(folder / "manifest.json", facts, indent=1)
    (folder / "half.pt").unlink(missing_ok=True)


def main(arguments: list[str]) -> None:
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    warnings.filterwarnings("ignore", category=torch.jit.TracerWarning)
    o = parse_options(arguments)
    try:
        if not 2 <= o.max_rows <= 10_000:
            raise CheckpointError(
                f"--max-rows {o.max_rows}: the package reads only a part of more than 10000 rows"
            )
        with written(o.out) as folder:
            build(o, folder)
    except CheckpointError as error:
        raise SystemExit(f"error: {error}") from error
