"""What the exporter takes from the `tabicl` package besides the weights."""

import importlib.metadata
from typing import Any

import numpy as np
import torch
from tabicl import TabICLClassifier, TabICLRegressor
from tabicl._model.inference_config import InferenceConfig
from tabicl._model.tabicl import TabICL

from scripts.export.bundle import cases
from scripts.export.bundle.checkpoint import CheckpointError, first_line
from scripts.export.bundle.folder import digest, packaged
from scripts.export.bundle.vectors import golden
from scripts.export.tabicl import classes, quantiles
from scripts.export.tabicl.names import class_count
from scripts.reference.regression import Ensemble, Network

PRESET = {
    "name": "tabicl-v2",
    "version": "2",
    "description": "An in-context regression network in the format of TabICLv2 by Soda, Inria.",
    "members": 8,
    "max_rows": 10000,
    "max_features": 500,
    "max_classes": 1000,
}

CLASSES_PRESET = PRESET | {
    "temperature": classes.TEMPERATURE,
    "name": "tabicl-classifier",
    "description": "An in-context classification network in the format of TabICLv2 by Soda, Inria.",
}

NOTICE = (
    "TabICLv2 (c) 2025 Soda team @ Inria. The text in LICENSE is that of the tabicl package; "
    "check the terms of the weights where you got them before you pass them on."
)


def downloaded(task: str = "regression") -> str:
    """The checkpoint that the package keeps in its cache or downloads, by its own means."""
    estimator = (TabICLRegressor if task == "regression" else TabICLClassifier)(device="cpu")
    try:
        estimator._load_model()
    except Exception as err:  # whatever the download fails with
        raise CheckpointError(
            f"the tabicl package cannot get {estimator.checkpoint_version} "
            f"({first_line(err)}); give a file: --checkpoint FILE"
        ) from err
    return str(estimator.model_path_)


def network(content: dict) -> Network:
    """The package's module behind the interface of `reference.predict`, in float32.

    Without dropout, the forward pass for training is that for inference without
    its mixed precision. It has no way for more classes than outputs.
    """
    module = TabICL(**{**content["config"], "dropout": 0.0})
    module.load_state_dict(content["state_dict"])
    exact = InferenceConfig()
    for stage in (exact.COL_CONFIG, exact.ROW_CONFIG, exact.ICL_CONFIG):
        stage.update({"device": "cpu", "use_amp": False})

    def run(x_train, y, x_test):
        x = torch.from_numpy(np.concatenate((x_train, x_test), axis=1))
        labels = torch.from_numpy(y).expand(len(x), -1)
        many = 0 < module.max_classes <= y.max()
        with torch.no_grad():
            if not many:
                return module(x, labels).numpy(), None
            module.eval()
            out = module._inference_forward(x, labels, inference_config=exact)
            module.train()
            return out.numpy(), None

    return run


def golden_tables(classifier: bool) -> list[cases.Table]:
    """Small tables for the golden vectors of a bundle."""
    single = cases.wide(1, 300, 3)
    if not classifier:
        tables = [cases.numbers(), cases.missing(), cases.texts(), single, cases.ties()]
        return [*tables, cases.few(2)]
    cut = [(cases.numbers(), [0, 1]), (cases.missing(), 3), (cases.texts(), 4)]
    tables = [cases.classified(*pair) for pair in [*cut, (single, list(range(10)))]]
    return [*tables, cases.unequal(), cases.two_rows(), cases.many(11, 44), cases.many(101, 210, 2)]


def vectors(path: str, ensemble: Ensemble, classifier: bool) -> dict:
    """Golden vectors that the package's estimator computes."""
    kind, made = classes if classifier else quantiles, []
    for table in golden_tables(classifier):
        table.members = ensemble.members
        made.append(kind.golden_case(kind.fit(path, table, ensemble), table))
    return golden(made)


def source(path: str, content: dict) -> dict[str, Any]:
    """The fields of `manifest.Source` other than the network."""
    version = importlib.metadata.version("tabicl")
    classifier = class_count(content["config"]) > 0
    return {
        "plain": network(content),
        "golden": lambda ensemble: vectors(path, ensemble, classifier),
        "licence": packaged("tabicl", "LICENSE"),
        "spdx": "BSD-3-Clause",
        "notice": NOTICE,
        "weights": f"a checkpoint in the format of the official TabICLv2 "
        f"{'classifier' if classifier else 'regressor'}, sha256 {digest(path)}, unchanged",
        "tools": {"tabicl": version},
        "shuffle": "latin",
        "preset": CLASSES_PRESET if classifier else PRESET,
    }
