"""What the tabpfn package computes at every stage of a prediction.

`stages` fits a TabPFNRegressor on a table, follows its members step by step and
returns plain arrays, which other implementations are compared with; `class_stages`
does so with a TabPFNClassifier. The version that is installed decides which networks
these can be.
"""

import importlib.metadata
import os
import warnings
from copy import deepcopy
from pathlib import Path

os.environ.setdefault("TABPFN_DISABLE_TELEMETRY", "1")

import numpy as np
import torch
from tabpfn import TabPFNClassifier, TabPFNRegressor

from scripts.export.bundle.cases import Table

match importlib.metadata.version("tabpfn").split(".")[0]:
    case "2":
        from scripts.export.tabpfn.v2 import package
    case "8":
        from scripts.export.tabpfn.v2_5 import package
    case _:
        from scripts.export.tabpfn.v3_5 import package

QUANTILES = (0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99)


def estimator(
    kind: type,
    checkpoint: Path,
    members: int,
    mode: str,
    declared: list[int],
    **more,
) -> TabPFNClassifier | TabPFNRegressor:
    """What the package fits and predicts with, in float32 on a CPU, without its hash column."""
    return kind(
        model_path=str(checkpoint),
        n_estimators=members,
        random_state=0,
        device="cpu",
        fit_mode=mode,
        memory_saving_mode=False,
        ignore_pretraining_limits=True,
        inference_precision=torch.float32,
        **package.OPTIONS,
        categorical_features_indices=declared or None,
        inference_config={"FINGERPRINT_FEATURE": False},
        **more,
    )


def temperature_of(model: TabPFNRegressor) -> float:
    """By what logits are divided; since package 9 a checkpoint may say so."""
    return getattr(model, "softmax_temperature_", model.softmax_temperature)


def mean_in_float64(model, members: list[dict]) -> np.ndarray:
    """Means that the package's own functions give for its logits in float64.

    In float32 the running sums of 5000 bars lose what lies in the last ones.
    """
    standard, raw = package.bars(model)
    mass = sum(
        package.translate(
            torch.from_numpy(
                np.where(m["cancelled"], -np.inf, m["logits"].astype(float) / temperature_of(model))
            ),
            frm=torch.as_tensor(m["borders"].astype(float)),
            to=standard.borders.double(),
        )
        for m in members
    )
    return deepcopy(raw).double().mean((mass / len(members)).log()).numpy()


def shared(model, table: Table, members: int) -> dict:
    """Fit, and what both tasks have: the table as the package reads it, features and logits."""
    model.fit(table.x, table.y)
    x, queries = package.encoded(model, table.x), package.encoded(model, table.queries)
    each = [package.member(model, i, x, queries) for i in range(members)]
    for m, logits in zip(each, package.member_logits(model, queries)):
        m["logits"] = logits
    return {
        "name": table.name,
        "given": package.given(table.x, x, table.declared, table.x),
        "given_queries": package.given(table.queries, queries, table.declared, table.x),
        "members": each,
    }


def class_stages(checkpoint: Path, table: Table, members: int = 4, **options) -> dict:
    """All stages of the package's classifier for one table, without its hash column.

    y are the positions of the labels among `labels`; options are those of the classifier.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        of = (checkpoint, members, "fit_preprocessors", table.declared)
        model = estimator(TabPFNClassifier, *of, **options)
        common = shared(model, table, members)
        probabilities = model.predict_proba(table.queries)
    for i, m in enumerate(common["members"]):
        m["classes"] = package.class_order(model, i)
        m["logits"] = m["logits"][:, : model.n_classes_]
    return common | {
        "y": np.searchsorted(model.classes_, table.y),
        "labels": model.classes_,
        "probabilities": probabilities,
    }


def stages(checkpoint: Path, table: Table, members: int = 4) -> dict:
    """All stages of the package for one table, without its hash column."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        of = (checkpoint, members, "fit_preprocessors", table.declared)
        model = estimator(TabPFNRegressor, *of)
        common = shared(model, table, members)
        for i, m in enumerate(common["members"]):
            m |= package.target(model, i)
        result = model.predict(
            table.queries, output_type="full", quantiles=[float(q) for q in QUANTILES]
        )
    return common | {
        "y": np.asarray(table.y, dtype=float),
        "mean": model.y_train_mean_,
        "deviation": model.y_train_std_,
        "probabilities": result["logits"].softmax(-1).numpy(),
        "expect": {
            "mean": result["mean"],
            "mean64": mean_in_float64(model, common["members"]),
            "quantiles": np.stack(result["quantiles"], -1),
        },
    }
