"""Export a TabPFN network as a model bundle: a regressor or a classifier.

Needs the packages of scripts/tabpfn/requirements.txt for v2 and those of
requirements-8.txt for newer networks. The bundle is a folder with `context.onnx`
(labelled rows to keys and values), `query.onnx` (query rows to logits),
`borders.f32` of a regressor, `manifest.json`, `golden.json` and the licence. Tables (v2 alone), rows,
queries and features are dynamic in both graphs. They are compared with the
package's own network at shapes that differ from the traced ones; a bundle that
disagrees is not written. Without --checkpoint the package of v2 looks for its own
file, or downloads it; otherwise nothing is downloaded.

The weights of v2.5, v2.6 and v3 are under non-commercial licences: --accept-licence
says that you have read and accepted the one of the file.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import warnings
from pathlib import Path

os.environ.setdefault("TABPFN_DISABLE_TELEMETRY", "1")

import torch

from scripts.bundle.checkpoint import CheckpointError
from scripts.bundle.folder import write_json, written
from scripts.bundle.graphs import Graphs, finish
from scripts.bundle.joint import write_joint
from scripts.tabpfn.checkpoint import (
    BORDERS,
    NON_COMMERCIAL,
    PACKAGES,
    borders_of,
    downloaded,
    read_checkpoint,
    version_of,
)
from scripts.tabpfn.checks import (
    NOISE,
    TOLERANCE,
    Logits,
    check_graphs,
    own_noise,
)
from scripts.tabpfn.manifest import licence_text, manifest
from scripts.tabpfn.recipe import UnknownStep
from scripts.tabpfn.tracing import trace_network


TASKS = ("regression", "classification")


def check_package(path: str, version: str) -> None:
    """The pipelines of a network are those of one version of the package."""
    wanted, requirements = PACKAGES[version]
    try:
        found = f"tabpfn {importlib.metadata.version('tabpfn')}"
    except importlib.metadata.PackageNotFoundError:
        found = "no tabpfn"
    if found != f"tabpfn {wanted}":
        raise CheckpointError(
            f"{path}: {found} is installed, the pipelines of a {version} network are "
            f"those of {wanted}: pip install -r scripts/tabpfn/{requirements}"
        )


def check_licence(path: str, version: str, o: argparse.Namespace) -> None:
    if version in NON_COMMERCIAL and not o.accept_licence:
        name, repository = NON_COMMERCIAL[version]
        raise CheckpointError(
            f"{path}: the weights of {name} are under a licence that allows no commercial use; "
            f"read it in the repository {repository} where the file came from, then repeat with "
            "--accept-licence"
        )


def require_agreement(logits: Logits, folder: Path, version: str, classes: int) -> None:
    """Compare the graphs with the package; no bundle is written of graphs that differ."""
    noise, tables = own_noise(logits, classes), 2 if version == "v2" else 1
    worst = check_graphs(logits, folder, tables, classes, long=version == "v3")
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
    saved = read_checkpoint(path)
    version = version_of(path, saved)
    check_licence(o.checkpoint, version, o)
    check_package(o.checkpoint, version)
    from scripts.tabpfn.golden import golden_cases
    from scripts.tabpfn.stages import package

    tables = 2 if version == "v2" else 1
    if o.half:
        path = folder / "half.ckpt"
        torch.save({**saved, "state_dict": halved(saved["state_dict"])}, path)
        saved = read_checkpoint(path)
    own = package.reference(path)
    preset = package.preset(saved, own)
    classes = preset["classes"]
    o.members = o.members or preset["members"]
    torch.manual_seed(0)
    o.groups = o.groups or (4096 if version == "v3" else 1024)
    trace_network(package.network(saved, own, o.groups), folder, tables)
    for what in ("context", "query"):
        finish(folder / f"{what}.onnx", o.half)
    require_agreement(lambda *table: package.logits(own, *table), folder, version, classes)
    if o.joint:
        write_joint(folder)
    if not classes:
        borders_of(saved["state_dict"]).numpy().astype("<f4").tofile(folder / "borders.f32")
    golden = golden_cases(path, Graphs(folder), classes, o)
    write_json(folder / "golden.json", golden)
    (folder / "LICENSE").write_bytes(licence_text(version, o))
    write_json(folder / "manifest.json", manifest(saved, version, preset, folder, o), indent=1)
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


def parse_options(arguments: list[str]) -> argparse.Namespace:
    p = argparse.ArgumentParser(
        prog="export_onnx --family tabpfn",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument(
        "--checkpoint",
        help="checkpoint, .ckpt (default: the one that the tabpfn package downloads for --task)",
    )
    p.add_argument("--task", choices=TASKS, default="regression", help="without --checkpoint")
    p.add_argument("--out", required=True, help="folder of the bundle")
    p.add_argument(
        "--joint", action="store_true", help="write joint.onnx too, for other programs"
    )
    p.add_argument("--accept-licence", action="store_true", help="of weights that ask for it")
    p.add_argument("--name", help="of the bundle (default: by the version)")
    p.add_argument("--version", help="of the weights (default: that of the network)")
    p.add_argument("--description", help="one sentence")
    p.add_argument("--weights", default="Prior Labs, exported by the user")
    p.add_argument(
        "--members", type=int, help="ensemble members (default 8, of a classifier of v2 4)"
    )
    p.add_argument("--temperature", type=float, default=0.9, help="of the softmax (default 0.9)")
    p.add_argument(
        "--cdf", choices=("2.0.5", "fixed"), help="border translation (default: the package's)"
    )
    p.add_argument("--tails", choices=("compat", "full-support"), default="compat")
    p.add_argument(
        "--average-logits", action="store_true", help="of classes, rather than probabilities"
    )
    p.add_argument(
        "--balance", action="store_true", help="divide the probabilities of classes by their shares"
    )
    p.add_argument("--no-fingerprint", action="store_true", help="no hash column by default")
    p.add_argument(
        "--groups",
        type=int,
        help="most feature groups, of v3 columns of a member (default 1024, of v3 4096)",
    )
    p.add_argument("--max-rows", type=int, help="most context rows (default: the package's)")
    p.add_argument("--max-features", type=int, help="most features (default: the package's)")
    p.add_argument("--cases", type=int, default=4, help="golden cases (default 4)")
    p.add_argument("--half", action="store_true", help="round the weights to float16")
    p.add_argument("--licence", help="licence text (default: the package's, or where to find it)")
    p.add_argument("--spdx", help="its SPDX identifier")
    p.add_argument("--notice", help="attribution to print")
    return p.parse_args(arguments)


def main(arguments: list[str]) -> None:
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    warnings.filterwarnings("ignore", category=torch.jit.TracerWarning)
    try:
        export(parse_options(arguments))
    except (CheckpointError, UnknownStep) as error:
        raise SystemExit(f"error: {error}") from error
