"""Export a TabPFN network as a model bundle: see options.py."""

import argparse
import importlib.metadata
import os
import warnings
from pathlib import Path

os.environ.setdefault("TABPFN_DISABLE_TELEMETRY", "1")

import torch

from scripts.export.bundle.checkpoint import CheckpointError
from scripts.export.bundle.folder import write_json, written
from scripts.export.bundle.graphs import Graphs, finish
from scripts.export.bundle.rounding import Rounding
from scripts.export.bundle.tracing import trace_network
from scripts.export.tabpfn.checkpoint import (
    BORDERS,
    RING,
    VERSIONS,
    borders_of,
    downloaded,
    licence_of,
    read_checkpoint,
    requirements,
    task_of,
    version_of,
)
from scripts.export.tabpfn.checks import (
    NOISE,
    TOLERANCE,
    Logits,
    check_graphs,
)
from scripts.export.tabpfn.manifest import licence_text, manifest
from scripts.export.tabpfn.options import parse_options
from scripts.export.tabpfn.recipe import UnknownStep


def check_package(path: str, version: str) -> None:
    """The pipelines of a network are those of one version of the package."""
    wanted = VERSIONS[version].package
    try:
        found = f"tabpfn {importlib.metadata.version('tabpfn')}"
    except importlib.metadata.PackageNotFoundError:
        found = "no tabpfn"
    if found != f"tabpfn {wanted}":
        raise CheckpointError(
            f"{path}: {found} is installed, the pipelines of a {version} network are "
            f"those of {wanted}: pip install -r {requirements(version)}"
        )


def check_licence(path: str, version: str, o: argparse.Namespace) -> None:
    asks = licence_of(version)
    if asks and not o.accept_licence:
        name, repository = asks
        raise CheckpointError(
            f"{path}: the weights of {name} are under a licence that allows no commercial use; "
            f"read it in the repository {repository} where the file came from, then repeat with "
            "--accept-licence"
        )


def require_agreement(logits: Logits, graphs: Graphs, version: str, classes: int) -> None:
    """Compare the graphs with the package; no bundle is written of graphs that differ."""
    tables, long = 2 if version == "v2" else 1, VERSIONS[version].group == RING
    worst, noise = check_graphs(logits, graphs, tables, classes, long=long)
    print(f"largest difference between onnxruntime and the package: {worst:.2g}")
    print(f"of the package, in one pass, from itself with its cache: {noise:.2g}")
    most = TOLERANCE + NOISE * noise
    if not worst <= most:
        raise SystemExit(f"the graphs disagree with the package by {worst:.2g} > {most:.2g}")


def build(o: argparse.Namespace, folder: Path) -> None:
    """Make and check every file of the bundle in a folder."""
    if o.checkpoint is None:
        check_package("without --checkpoint the package of v2 gives its own file", "v2")
        o.checkpoint = downloaded(o.task)
    path = Path(o.checkpoint)
    saved = read_checkpoint(path, o.task)
    version = version_of(path, saved)
    check_licence(o.checkpoint, version, o)
    check_package(o.checkpoint, version)
    from scripts.export.tabpfn.golden import golden_cases
    from scripts.export.tabpfn.stages import package

    tables = 2 if version == "v2" else 1
    if o.half:
        path = folder / "half.ckpt"
        torch.save({**saved, "state_dict": halved(saved["state_dict"])}, path)
        saved = read_checkpoint(path, o.task)
    own = package.reference(path, task_of(saved))
    preset = package.preset(saved, own, o.without)
    classes = preset["classes"]
    o.members = o.members or preset["members"]
    o.temperature = preset["temperature"] if o.temperature is None else o.temperature
    torch.manual_seed(0)
    o.groups = o.groups or (4096 if VERSIONS[version].group == RING else 1024)
    trace_network(package.network(saved, own, o.groups), folder, tables)
    for what in ("context", "query"):
        finish(folder / f"{what}.onnx", o.half)
    graphs = Graphs(folder)
    require_agreement(lambda *table: package.logits(own, *table), graphs, version, classes)
    if not classes:
        borders_of(saved["state_dict"]).numpy().astype("<f4").tofile(folder / "borders.f32")
    rounding = Rounding(graphs)
    write_json(folder / "golden.json", golden_cases(path, graphs, classes, o))
    (folder / "LICENSE").write_bytes(licence_text(version, o))
    facts = manifest(saved, version, preset, folder, o) | rounding.tolerances()
    write_json(folder / "manifest.json", facts, indent=1)
    (folder / "half.ckpt").unlink(missing_ok=True)


def halved(state: dict) -> dict:
    """Weights rounded to float16, borders as they are."""
    return {
        k: v if k.startswith(("criterion.", *BORDERS)) else v.half().float()
        for k, v in state.items()
    }


def export(o: argparse.Namespace) -> None:
    """Write the bundle; nothing stays behind if a check fails."""
    with written(o.out) as folder:
        build(o, folder)


def main(arguments: list[str]) -> None:
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    warnings.filterwarnings("ignore", category=torch.jit.TracerWarning)
    try:
        export(parse_options(arguments))
    except (CheckpointError, UnknownStep) as error:
        raise SystemExit(f"error: {error}") from error
