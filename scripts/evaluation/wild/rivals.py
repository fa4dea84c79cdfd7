"""What people would use on a real table instead, from a data frame to quantiles or probabilities.

Regressors return quantiles [M, 99] of the levels 0.01, 0.02, ...; classifiers return probabilities
[M, K] of the sorted labels. Texts that hardly ever come twice are left out, and dates become
numbers.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri
from sklearn.base import ClassifierMixin
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from scripts.evaluation.wild.tables import LEAST_REPEATED, WildTable

try:
    import catboost
except ImportError:
    catboost = None

Array = np.ndarray
LEVELS = np.arange(1, 100) / 100
PENALTIES = np.logspace(-3, 4, 29)
CAT_LEVELS = (0.01, 0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95, 0.99)
BOOSTED_LEVELS = 255  # the most that histogram boosting takes of a category
DATE = r"\d{4}-\d\d-\d\d"


def readable(table: WildTable) -> tuple[pd.DataFrame, pd.DataFrame, list[str]]:
    """The features of both parts and the names of the categories."""
    train, test = table.train[table.features].copy(), table.test[table.features].copy()
    words = []
    for name in table.features:
        column = train[name]
        if name not in table.words():
            for part in (train, test):
                part[name] = part[name].astype(float)
        elif column.dropna().astype(str).str.match(DATE).mean() > 0.95:
            for part in (train, test):
                time = pd.to_datetime(part[name].astype(str), errors="coerce", utc=True)
                part[name] = time.map(lambda t: np.nan if pd.isna(t) else t.timestamp())
        elif column.nunique() * LEAST_REPEATED > len(train):
            train, test = train.drop(columns=name), test.drop(columns=name)
        else:
            words.append(name)
            for part in (train, test):
                part[name] = part[name].map(lambda v: "" if pd.isna(v) else str(v)).astype(object)
    return train, test, words


def indicators(table: WildTable) -> tuple[Array, Array]:
    """Both parts: numbers standardised, missing ones the median; categories as indicators."""
    train, test, words = readable(table)
    numbers = [c for c in train if c not in words]
    fill = SimpleImputer(strategy="median", keep_empty_features=True)
    made = ColumnTransformer(
        [
            ("numbers", make_pipeline(fill, StandardScaler()), numbers),
            ("words", OneHotEncoder(handle_unknown="ignore"), words),
        ],
        sparse_threshold=0,
    )
    return made.fit_transform(train), made.transform(test)


def coded(table: WildTable) -> tuple[Array, Array, list[int]]:
    """Both parts with codes of categories first, and which columns boosting reads as categories."""
    train, test, words = readable(table)
    codes = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan)
    numbers = [c for c in train if c not in words]
    few = [k for k, c in enumerate(words) if train[c].nunique() <= BOOSTED_LEVELS]
    made = ColumnTransformer([("words", codes, words), ("numbers", "passthrough", numbers)])
    return made.fit_transform(train), made.transform(test), few


def ridge(table: WildTable) -> Array:
    """One-hot ridge regression; penalty and Gaussian spread by leaving one row out."""
    x, asked = indicators(table)
    model = RidgeCV(PENALTIES, store_cv_results=True).fit(x, table.y_train)
    best = int(np.argmin(np.abs(PENALTIES - model.alpha_)))
    spread = np.sqrt(model.cv_results_[:, best].mean())
    return model.predict(asked)[:, None] + spread * ndtri(LEVELS)


def forest(table: WildTable) -> Array:
    """Quantile regression forest: 200 trees, 3 rows a leaf, targets weighted by shared leaves."""
    (x, asked), y = indicators(table), table.y_train
    model = RandomForestRegressor(200, min_samples_leaf=3, random_state=0).fit(x, y)
    here, there, order = model.apply(x), model.apply(asked), np.argsort(y)
    out = np.empty((len(asked), len(LEVELS)))
    for i, leaves in enumerate(there):
        same = here == leaves
        weights = (same / np.maximum(same.sum(0), 1)).mean(1)[order]
        out[i] = y[order][np.searchsorted(np.cumsum(weights), LEVELS).clip(0, len(y) - 1)]
    return out


def boosting(table: WildTable) -> Array:
    """Histogram boosting of the mean; quantiles of its out-of-fold residuals."""
    (x, asked, few), y = coded(table), table.y_train
    model = HistGradientBoostingRegressor(categorical_features=few, random_state=0)
    folds = KFold(5, shuffle=True, random_state=0)
    residuals = y - cross_val_predict(model, x, y, cv=folds)
    return model.fit(x, y).predict(asked)[:, None] + np.quantile(residuals, LEVELS)


def cat(table: WildTable) -> Array:
    """CatBoost of nine levels at once, 500 trees, categories as they are; linear between levels."""
    train, test, words = readable(table)
    alpha = ",".join(map(str, CAT_LEVELS))
    model = catboost.CatBoostRegressor(
        iterations=500, loss_function=f"MultiQuantile:alpha={alpha}", **quiet(words)
    )
    knots = np.sort(model.fit(train, table.y_train).predict(test), axis=1)
    return np.stack([np.interp(LEVELS, CAT_LEVELS, row) for row in knots])


def quiet(words: list[str]) -> dict[str, Any]:
    fixed = {"verbose": False, "random_seed": 0, "allow_writing_files": False, "thread_count": 1}
    return fixed | {"cat_features": words}


def on_indicators(model: ClassifierMixin) -> Callable[[WildTable], Array]:
    def said(table: WildTable) -> Array:
        x, asked = indicators(table)
        return model.fit(x, table.y_train).predict_proba(asked)

    return said


def class_boosting(table: WildTable) -> Array:
    x, asked, few = coded(table)
    model = HistGradientBoostingClassifier(categorical_features=few, random_state=0)
    return model.fit(x, table.y_train).predict_proba(asked)


def class_cat(table: WildTable) -> Array:
    train, test, words = readable(table)
    model = catboost.CatBoostClassifier(iterations=300, **quiet(words))
    return model.fit(train, table.y_train).predict_proba(test)


Rival = Callable[[WildTable], Array]
REGRESSORS: dict[str, Rival] = {"ridge": ridge, "forest": forest, "boosting": boosting}
CLASSIFIERS: dict[str, Rival] = {
    "logistic": on_indicators(LogisticRegression(max_iter=2000)),
    "forest": on_indicators(RandomForestClassifier(300, min_samples_leaf=3, random_state=0)),
    "boosting": class_boosting,
}
if catboost is not None:
    REGRESSORS["CatBoost"], CLASSIFIERS["CatBoost"] = cat, class_cat
