"""What all versions of the package are asked in the same way."""

from collections.abc import Callable

import numpy as np
import torch
from torch import nn


def caught(embedding: nn.Module, run: Callable[[], object]) -> torch.Tensor:
    """What a module of a network is given in a run without gradients."""
    given = []
    handle = embedding.register_forward_pre_hook(lambda _, args: given.append(args[0].clone()))
    with torch.no_grad():
        run()
    handle.remove()
    return given[0]


def transformed(borders: np.ndarray, transform: object, change: Callable) -> dict:
    """What a transform of the target, or none, makes of borders, by the package's function."""
    cancelled = np.zeros(len(borders) - 1, bool)
    if transform is not None:
        mask, _, borders = change(
            borders.copy(), target_transform=transform, repair_nan_borders_after_transform=True
        )
        cancelled = cancelled if mask is None else mask
    return {
        "power_target": transform is not None,
        "borders": np.asarray(borders),
        "cancelled": cancelled,
    }
