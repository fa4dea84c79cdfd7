"""The tabpfn package, version 9.2.0: its network v3.5, with pipelines and predictions.

The pipelines are those of version 8.4.0, with more that a configuration may ask for; what is
the same is taken from ../v2_5/package.py.
"""

from pathlib import Path

import numpy as np
import torch
from tabpfn.model_loading import load_model
from torch import nn

from scripts.export.tabpfn.v2_5 import package
from scripts.export.tabpfn.v2_5.package import (  # noqa: F401  what both versions do alike
    OPTIONS,
    POWERS,
    PowerTransformer,
    bars,
    class_order,
    encoded,
    given,
    member,
    member_logits,
    members_of,
    preset,
    target,
    tensors,
    translate,
    walk,
)
from scripts.export.tabpfn.v3_5 import network as v3_5

VERSION = "9.2.0"
KINDS = {"regression": "regressor", "classification": "classifier"}


class Reference(package.Reference):
    """The package's own network; one file is for both tasks."""

    task: str

    @property
    def classes(self) -> int:
        """How many the task tells apart, 0 of regression."""
        if self.task == "regression":
            return 0
        return min(self.config.max_num_classes, self.inference.MAX_NUMBER_OF_CLASSES)


def reference(path: Path, task: str = "regression") -> Reference:
    """The package's own network with the weights of a checked checkpoint."""
    model, _, config, inference = load_model(path=path, estimator_type=KINDS[task])
    own = Reference(model, config, inference)
    own.task = task
    return own


def network(saved: dict, own: Reference, groups: int) -> nn.Module:
    """The network to be traced."""
    del saved
    state = own.model.state_dict()
    return v3_5.Network(state, own.config, groups, own.classes, own.sigma).eval()


def logits(own: Reference, x, y, queries, cached: bool) -> np.ndarray:
    """Logits [1, M, K] of the package, with its own cached context or in one pass."""
    x, y, queries = tensors(own, x, y, queries)
    task = "multiclass" if own.classes else "regression"
    with torch.no_grad():
        if cached:
            _, cache = own.model(x, y, task, return_kv_cache=True)
            out = own.model(queries, y, task, kv_cache=cache, x_is_test_only=True)
        else:
            out = own.model(torch.cat((x, queries)), y, task)
    if own.classes:
        out = out[..., : own.classes]
    return out.transpose(0, 1).numpy()
