"""Export a network of the TabICLv2 architecture: see options.py."""

import argparse
import warnings
from pathlib import Path

import numpy as np
import torch

from scripts.export.bundle.checkpoint import CheckpointError
from scripts.export.bundle.folder import write_json, written
from scripts.export.bundle.rounding import Rounding
from scripts.export.tabicl.class_golden import class_golden_cases
from scripts.export.tabicl.golden import golden_cases
from scripts.export.tabicl.graphs import (
    OnnxNetwork,
    check_graphs,
    difference,
    finish_graphs,
    require,
    torch_network,
    trace_network,
)
from scripts.export.tabicl.manifest import Source, listed, manifest, many_graphs
from scripts.export.tabicl.many import check_many, onnx_parts, trace_many
from scripts.export.tabicl.official import is_official, load_official, read
from scripts.export.tabicl.options import parse_options
from scripts.reference.classes import Rules, asked
from scripts.reference.hierarchy import Hierarchy
from scripts.reference.regression import Ensemble, Network
from scripts.training.train.checkpoint import load_network

LICENCE = Path(__file__).resolve().parents[3] / "LICENSE"


TABLES = ("x_train", "x_test")  # of golden stages; members' widths may differ

OWN_PRESET = {
    "temperature": 1.0,
    "name": "pfnamp-default",
    "version": "0.2.0",
    "description": "Small in-context regression network of the TabICLv2 architecture, "
    "pre-trained on synthetic tables.",
    "members": 3,
    "max_rows": 10000,
    "max_features": 200,
    "max_classes": 0,
}

OWN_CLASSES_PRESET = OWN_PRESET | {
    "name": "pfnamp-classifier",
    "version": "0.1.0",
    "description": "Small in-context classification network of the TabICLv2 architecture, "
    "pre-trained on synthetic tables.",
}


def own_source(o: argparse.Namespace) -> Source:
    """A network that was pre-trained by this project."""
    net, _ = load_network(o.checkpoint)
    plain = torch_network(net)

    def golden(ensemble: Ensemble) -> dict:
        if not net.classes:
            return golden_cases(plain, ensemble)
        levels = net.config["class_posterior"]["posterior_levels"]
        rules = Rules(ensemble, levels, o.temperature, o.surface_scale)
        return class_golden_cases(plain, rules, net.classes)

    return Source(
        net=net,
        plain=plain,
        golden=golden,
        licence=LICENCE.read_bytes(),
        spdx="Apache-2.0",
        notice="",
        weights="pre-trained by the pfnamp project with scripts/training",
        tools={},
        preset=OWN_CLASSES_PRESET if net.classes else OWN_PRESET,
    )


def tabicl_package():
    """scripts/export/tabicl/package.py, which needs the package."""
    try:
        from scripts.export.tabicl import package
    except ImportError as err:
        raise CheckpointError(
            "official checkpoints are compared with the tabicl package, which is not "
            "installed: pip install -r scripts/export/tabicl/requirements.txt"
        ) from err
    return package


def official_source(path: str, content: dict) -> Source:
    """An official TabICLv2 network; golden vectors are what its package computes."""
    net = load_official(content, path)
    return Source(net=net, **tabicl_package().source(path, content))


def check_golden(golden: dict, graphs: Network) -> None:
    """The graphs reproduce the quantiles, or the logits, of every golden case."""
    worst = 0.0
    for case in golden["cases"]:
        stages = {k: v if k in TABLES or isinstance(v, dict) else np.array(v, dtype=np.float32)
                  for k, v in case["stages"].items()}  # fmt: skip
        tables = [[np.array(x, dtype=np.float32) for x in stages[k]] for k in TABLES]
        y = np.broadcast_to(stages["y_train"], (len(tables[0]), len(tables[0][0])))
        if "trend" in stages:
            y = np.stack([np.array(stages["y_trend"].get(m.get("trend"), t), dtype=np.float32)
                          for m, t in zip(case["members"], y)])  # fmt: skip
        got = asked(graphs, tables[0], y, tables[1])
        if "logits" in stages:
            want = stages["logits"], stages.get("class_posterior")
            got = tuple(v if v is None else v[:, :, : want[0].shape[-1]] for v in got)
        else:
            want = stages["quantiles"], stages.get("surface")
        worst = max(worst, difference(got, want))
    require(worst, "golden cases")


def export(o: argparse.Namespace) -> None:
    """Write and check the bundle; nothing stays behind if the check fails."""
    if o.checkpoint is None:
        o.checkpoint = tabicl_package().downloaded(o.task)
    content = {} if Path(o.checkpoint).is_dir() else read(o.checkpoint)
    official = is_official(content)
    if official and o.trends:
        raise CheckpointError("--trends: the tabicl package has no such members")
    source = official_source(o.checkpoint, content) if official else own_source(o)
    for name, value in source.preset.items():
        if getattr(o, name) is None:
            setattr(o, name, value)
    if o.licence:
        source.licence = Path(o.licence).read_bytes()
    for name in ("spdx", "notice", "weights"):
        if getattr(o, name) is not None:
            setattr(source, name, getattr(o, name))
    with written(o.out) as folder:
        write_bundle(source, folder, o)


def write_bundle(source: Source, folder: Path, o: argparse.Namespace) -> None:
    """All files of the bundle; stops where graphs and torch disagree."""
    source.net.set_explicit(True)
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    warnings.filterwarnings("ignore", category=torch.jit.TracerWarning)
    torch.manual_seed(0)
    trace_network(source.net, folder)
    finish_graphs(folder)
    require(check_graphs(source.plain, folder, source.net.classes), "random tables")
    graphs = one = OnnxNetwork(folder)
    if many_graphs(source.net, o):
        trace_many(source.net, folder)
        graphs = Hierarchy(one, onnx_parts(folder), source.net.classes, o.temperature)
        require(check_many(source.plain, graphs), "more classes than outputs")
    ensemble = Ensemble(o.members, shuffle=source.shuffle, trends=listed(o.trends))
    golden = source.golden(ensemble)
    rounding = Rounding(one)
    check_golden(golden, graphs)
    write_json(folder / "golden.json", golden)
    (folder / "LICENSE").write_bytes(source.licence)
    facts = manifest(source, ensemble, folder, o) | rounding.tolerances()
    write_json(folder / "manifest.json", facts, indent=1)


def main(arguments: list[str]) -> None:
    torch.set_num_threads(2)
    try:
        export(parse_options(arguments))
    except CheckpointError as err:
        raise SystemExit(f"error: {err}") from err
