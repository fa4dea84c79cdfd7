"""The tabpfn package, version 9.2.0: its network v3.5, with pipelines and predictions.

The pipelines are those of version 8.4.0, with more that a configuration may ask for; what is
the same is taken from ../v2_5/package.py.
"""

from pathlib import Path

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
    logits,
    member,
    member_logits,
    members_of,
    preset,
    target,
    translate,
)
from scripts.export.tabpfn.v3_5 import network as v3_5

VERSION = "9.2.0"
KINDS = {"regression": "regressor", "classification": "classifier"}


class Reference(package.Reference):
    """The package's own network; one file is for both tasks."""

    @property
    def classes(self) -> int:
        """How many the task tells apart, 0 of regression."""
        return 0 if self.task == ("regression",) else super().classes


def reference(path: Path, task: str = "regression") -> Reference:
    """The package's own network with the weights of a checked checkpoint."""
    model, _, config, inference = load_model(path=path, estimator_type=KINDS[task])
    told = "multiclass" if task == "classification" else task
    return Reference(model, config, inference, (told,))


def network(saved: dict, own: Reference, groups: int) -> nn.Module:
    """The network to be traced."""
    del saved
    state = own.model.state_dict()
    return v3_5.Network(state, own.config, groups, own.classes, own.sigma).eval()
