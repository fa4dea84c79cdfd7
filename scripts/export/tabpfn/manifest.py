"""The manifest of a TabPFN bundle and the licence in it."""

import argparse
import importlib.metadata
from pathlib import Path

from scripts.export.bundle.folder import entry, packaged, provenance
from scripts.export.bundle.graphs import OPSET
from scripts.export.tabpfn.checkpoint import BORDERS, borders_of, classes_of, licence_of, task_of

KINDS = {"regression": "regressor", "classification": "classifier"}  # of networks
CODE_LICENCE = ("LicenseRef-Prior-Labs-1.1", "Built with PriorLabs-TabPFN")
TERMS = """The weights in this bundle were exported from a checkpoint of {name}.

They are under the {name} non-commercial licence of Prior Labs, not under an open
licence, which the person who exported them has declared to accept. Its text is in the
repository {repository} that the checkpoint came from; read it there,
and put it in the place of this file before you pass the bundle on, if the licence
lets you do so. A licence for commercial use is to be had from Prior Labs.
"""


def licence_text(version: str, o: argparse.Namespace) -> bytes:
    """The licence given, the one that the package carries, or where that of the weights is."""
    if o.licence:
        return Path(o.licence).read_bytes()
    if asks := licence_of(version):
        return TERMS.format(name=asks[0], repository=asks[1]).encode()
    return packaged("tabpfn", "LICENSE")


def licence(version: str, o: argparse.Namespace) -> dict:
    """The manifest's account of the licence of the weights."""
    spdx, notice = CODE_LICENCE
    asks = licence_of(version)
    if asks:
        name = asks[0]
        spdx = f"LicenseRef-{name}-Non-Commercial"
        notice = f"Not for commercial use: {name} non-commercial licence. {notice}"
    found = {
        "spdx": o.spdx or spdx,
        "file": "LICENSE",
        "notice": notice if o.notice is None else o.notice,
    }
    return found | ({"acceptance": True} if asks else {})


def head(saved: dict, preset: dict, o: argparse.Namespace) -> dict:
    """What the network says of the label, and how classes are made of it."""
    classes = preset["classes"]
    if not classes:
        return {"head": {"kind": "bars", "levels": len(borders_of(saved["state_dict"])) - 1}}
    return {
        "head": {"kind": "classes", "levels": classes},
        "classification": {
            "shuffle": preset["shuffle"],
            "average": "logits" if o.average_logits else "probabilities",
            "temperature": o.temperature,
            **({"balanced": True} if o.balance else {}),
        },
    }


def bars(preset: dict, folder: Path, o: argparse.Namespace) -> dict:
    """What is said of bars alone."""
    return {
        "temperature": o.temperature,
        "cdf": o.cdf or preset["cdf"],
        "tails": o.tails,
        "borders": entry(folder / "borders.f32"),
    }


def manifest(saved: dict, version: str, preset: dict, folder: Path, o: argparse.Namespace) -> dict:
    """saved: the checkpoint; preset: what its package says of the pipelines."""
    state = saved["state_dict"]
    parameters = sum(
        t.numel() for k, t in state.items() if not k.startswith(("criterion.", *BORDERS))
    )
    rows, features = preset["limits"]
    task, kind = task_of(saved), KINDS[task_of(saved)]
    return {
        "format": 1,
        "name": o.name or f"tabpfn-{version}-{kind}",
        "version": o.version or version.removeprefix("v") + ("" if "." in version else ".0"),
        "family": "tabpfn",
        "task": task,
        "description": o.description
        or f"A {kind} in the format of TabPFN {version} by Prior Labs.",
        "opset": OPSET,
        **head(saved, preset, o),
        "limits": {
            "min_rows": 2,
            "max_rows": o.max_rows or rows,
            "max_features": o.max_features or features,
        },
        "ensemble": {
            "members": o.members,
            "norms": preset["norms"],
            "shuffle": "permutation",
            "seed": 0,
            "outlier_threshold": 0,
        },
        "tabpfn": {
            "preset": importlib.metadata.version("tabpfn"),
            "fingerprint": preset["fingerprint"] and not o.no_fingerprint,
            "svd_sign": "components",
            "features_per_group": preset["features_per_group"],
            "groups": o.groups,
            **({} if classes_of(saved) else bars(preset, folder, o)),
            **({"recipe": preset["recipe"]} if preset["recipe"] else {}),
        },
        "graphs": {what: entry(folder / f"{what}.onnx") for what in ("context", "query")},
        "golden": entry(folder / "golden.json"),
        "licence": licence(version, o),
        "provenance": provenance(o, f"the official TabPFN {version} {kind}", parameters, "tabpfn"),
    }
