"""Read an official TabICLv2 checkpoint, regressor or classifier, into the project's network.

The file is a torch archive of {"config", "state_dict"}. It is read without
executing anything it contains. What the network cannot represent is refused.
"""

from pathlib import Path
from typing import Any

from torch import Tensor

from scripts.export.bundle.checkpoint import CheckpointError, load
from scripts.export.tabicl.names import FREQS, dimensions, renamed
from scripts.training.network.network import TabICL


def read(path: str | Path) -> dict[str, Any]:
    """The content of a torch file, without running code from it."""
    content = load(Path(path))
    if not isinstance(content, dict):
        raise CheckpointError(f"{path}: holds a {type(content).__name__}, not a checkpoint")
    return content


def is_official(content: dict) -> bool:
    """Whether a file has the package's format and not that of trainer.py."""
    return "state_dict" in content


def load_official(content: dict, path: str) -> TabICL:
    """The project's network with the weights of an official checkpoint, in float32."""
    if "config" not in content:
        raise CheckpointError(f"{path}: has no configuration: another family or version")
    net = TabICL(dimensions(content["config"], path))
    weights, wanted = {}, net.state_dict()
    for name, value in content["state_dict"].items():
        if not isinstance(value, Tensor) or not value.isfinite().all():
            raise CheckpointError(f"{path}: {name} is not a tensor of finite numbers")
        if name == FREQS:
            net.freqs.copy_(value)
        elif ours := renamed(name):
            weights[ours] = value.float()
        else:
            raise CheckpointError(f"{path}: unknown weights {name}: another family or version")
    absent = sorted(set(wanted) - set(weights))
    if absent or FREQS not in content["state_dict"]:
        raise CheckpointError(f"{path}: weights are missing, such as {(absent or [FREQS])[0]}")
    for name, value in weights.items():
        if name not in wanted or value.numel() != wanted[name].numel():
            raise CheckpointError(f"{path}: {name} does not fit the configuration")
        weights[name] = value.reshape(wanted[name].shape)
    net.load_state_dict(weights)
    return net.eval()
