"""What a bundle of the TabICLv2 architecture says of itself."""

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import onnx
import torch

from scripts.export.bundle.folder import digest, entry
from scripts.export.bundle.graphs import OPSET
from scripts.export.tabicl.many import NAMES
from scripts.reference.regression import Ensemble, Network
from scripts.training.network.network import TabICL, parameter_count


@dataclass
class Source:
    """A network, what it is compared with, and what its bundle says of it.

    `preset` holds the defaults of the options of the same name.
    """

    net: TabICL
    plain: Network
    golden: Callable[[Ensemble], dict]
    licence: bytes
    spdx: str
    notice: str
    weights: str
    tools: dict[str, str]
    shuffle: str = "latin_diagonal"
    preset: dict = field(default_factory=dict)


def surface(net: TabICL, scale: float) -> dict:
    """The manifest's entry for the surface that the network returns, if it does."""
    if net.surface is None:
        return {}
    levels = {k: net.config["surface"][k] for k in ("levels", "posterior_levels")}
    return {"surface": levels | {"scale": scale}}


def outputs(net: TabICL, scale: float, temperature: float) -> dict:
    """The manifest's entries for what the network returns, and what becomes of it."""
    if not net.classes:
        head = {"kind": "quantiles", "levels": net.config["quantiles"]}
        return {"head": head, **surface(net, scale)}
    rules = {"shuffle": "shift", "average": "logits", "temperature": temperature}
    head = {"head": {"kind": "classes", "levels": net.classes}, "classification": rules}
    if net.class_posterior is None:
        return head
    levels = net.config["class_posterior"]["posterior_levels"]
    return head | {"class_posterior": {"posterior_levels": levels, "scale": scale}}


def listed(names: str) -> tuple[str, ...]:
    """Comma-separated names."""
    return tuple(filter(None, names.split(",")))


def many_classes(net: TabICL, o: argparse.Namespace) -> int:
    """The most classes of a classifier that takes more than it has outputs, otherwise 0."""
    return o.max_classes if 0 < net.classes < o.max_classes else 0


def many_graphs(net: TabICL, o: argparse.Namespace) -> int:
    """The most classes of graphs for more classes than outputs, 0 if there are none.

    With a posterior of its own, a network reads groups of classes one by one instead.
    """
    return 0 if net.config["class_posterior"] else many_classes(net, o)


def limits(net: TabICL, o: argparse.Namespace) -> dict:
    """The manifest's entry for the tables that the network takes."""
    found = {"min_rows": 2, "max_rows": o.max_rows, "max_features": o.max_features}
    most = many_classes(net, o)
    return found | ({"max_classes": most} if most else {})


def checkpoint_digest(path: Path) -> str:
    """SHA-256 of what was exported: of a bundle, the one that its manifest says."""
    if not path.is_dir():
        return digest(path)
    found = json.loads((path / "manifest.json").read_text())
    return found["provenance"]["checkpoint_sha256"]


def manifest(source: Source, e: Ensemble, folder: Path, o: argparse.Namespace) -> dict:
    """What a bundle says of itself; the other files are in the folder."""
    versions = {"torch": torch.__version__.split("+")[0], "onnx": onnx.__version__}
    graphs = ("context", "query") + (NAMES if many_graphs(source.net, o) else ())
    return {
        "format": 1,
        "name": o.name,
        "version": o.version,
        "family": "tabicl",
        "task": "classification" if source.net.classes else "regression",
        "description": o.description,
        "opset": OPSET,
        **outputs(source.net, o.surface_scale, o.temperature),
        "limits": limits(source.net, o),
        "ensemble": {
            "members": e.members,
            "norms": list(e.norms),
            "shuffle": e.shuffle,
            "seed": e.seed,
            "outlier_threshold": e.threshold,
        }
        | ({"trends": list(e.trends)} if e.trends else {}),
        "graphs": {what: entry(folder / f"{what}.onnx") for what in graphs},
        "golden": entry(folder / "golden.json"),
        "licence": {"spdx": source.spdx, "file": "LICENSE", "notice": source.notice},
        "provenance": {
            "weights": source.weights,
            "parameters": parameter_count(source.net),
            "checkpoint_sha256": checkpoint_digest(Path(o.checkpoint)),
            "tools": versions | source.tools,
        }
        | ({"recipe_sha256": digest(o.recipe)} if o.recipe else {}),
    }
