"""What people would use instead of a classifier bundle, with the defaults of scikit-learn.

Every model maps a task to probabilities [M, classes] of its test rows. Missing numbers are the
median, numbers are standardised, and categories become indicator columns. The forest and the
boosting come as they are and with probabilities calibrated on folds of the training rows (Platt's
method, scikit-learn's default).
"""

from functools import partial

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from scripts.evaluation.classes.tasks import Array, ClassTask

FOLDS = 5


def columns(task: ClassTask) -> ColumnTransformer:
    words = np.array(task.categorical)
    numbers = make_pipeline(
        SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler()
    )
    return ColumnTransformer(
        [
            ("numbers", numbers, np.flatnonzero(~words)),
            ("words", OneHotEncoder(handle_unknown="ignore"), np.flatnonzero(words)),
        ],
        sparse_threshold=0,
    )


def calibrated(model: ClassifierMixin, task: ClassTask) -> ClassifierMixin:
    """The model with folds for its calibration, as far as the smallest class has rows for them."""
    folds = min(FOLDS, int(np.bincount(task.y_train).min()))
    return CalibratedClassifierCV(model, cv=folds) if folds > 1 else model


def fitted(task: ClassTask, model: ClassifierMixin, on_folds: bool) -> Array:
    model = calibrated(model, task) if on_folds else model
    whole = make_pipeline(columns(task), model).fit(task.x_train, task.y_train)
    return whole.predict_proba(task.x_test)


def shares(task: ClassTask) -> Array:
    counts = np.bincount(task.y_train, minlength=task.classes)
    return np.tile(counts / counts.sum(), (len(task.y_test), 1))


FOREST = RandomForestClassifier(random_state=0)
BOOSTING = HistGradientBoostingClassifier(random_state=0)
MODELS = {  # and whether they are calibrated
    "logistic": (LogisticRegression(max_iter=1000), False),
    "forest": (FOREST, False),
    "calibrated forest": (FOREST, True),
    "boosting": (BOOSTING, False),
    "calibrated boosting": (BOOSTING, True),
}
CLASS_BASELINES = {"shares": shares} | {
    name: partial(fitted, model=model, on_folds=on_folds)
    for name, (model, on_folds) in MODELS.items()
}
