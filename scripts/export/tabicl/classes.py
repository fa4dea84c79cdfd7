"""What the `tabicl` package's classifier computes for a table, stage by stage.

Classes are the positions of the labels in their order, 0, 1, ...
"""

import numpy as np
from tabicl import TabICLClassifier

from scripts.export.bundle.cases import Table
from scripts.export.bundle.tables import Array
from scripts.export.bundle.vectors import rounded
from scripts.export.tabicl.stages import DIGITS, case, fitted, members, stacked
from scripts.reference.regression import Ensemble

TEMPERATURE = 0.9  # the package's default, and the manifest's


def fit(checkpoint: str, table: Table, ensemble: Ensemble = Ensemble()) -> TabICLClassifier:
    """The estimator with as many members as the table asks for."""
    more = {"softmax_temperature": TEMPERATURE}
    return fitted(TabICLClassifier, checkpoint, table, ensemble, **more)


def expectations(estimator: TabICLClassifier, table: Table, logits: Array) -> dict:
    """Averaged logits [M,K], and the probabilities [M,K] that the estimator returns."""
    shuffles = estimator.ensemble_generator_.class_shuffles_
    orders = [shuffles[norm][k] for norm, k in members(estimator)]
    back = [member[:, order] for member, order in zip(logits.astype(np.float64), orders)]
    return {
        "logits": rounded(np.mean(back, axis=0), DIGITS),
        "probabilities": rounded(estimator.predict_proba(table.test), DIGITS),
    }


def golden_case(estimator: TabICLClassifier, table: Table) -> dict:
    """One case of golden.json with what the package computed."""
    x, y, queries, logits = stacked(estimator, table, return_logits=True)
    stages = {"x_train": x, "y_train": y, "x_test": queries, "logits": logits}
    labels = estimator.y_encoder_.transform(table.y)
    return case(estimator, table, labels, stages, expectations(estimator, table, logits))
