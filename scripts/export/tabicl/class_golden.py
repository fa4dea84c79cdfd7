"""Golden vectors of a classifier of this project: inputs and expected values per stage."""

import numpy as np

from scripts.export.bundle.vectors import golden, rounded
from scripts.export.tabicl.golden import DIGITS, told, with_gaps
from scripts.reference.classes import MANY_ROWS, ClassPrediction, Rules, predict_classes
from scripts.reference.regression import Network
from scripts.training.prior.class_tables import sample_class_tables


def table(seed: int, rows: int, features: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Features of the prior, and classes of nearly equal size that go with the first one."""
    x = sample_class_tables(seed, 1, rows, features).x[0].double().numpy()
    noise = np.random.default_rng(seed).normal(size=rows)
    rank = np.argsort(np.argsort(np.nan_to_num(x[:, 0]) + noise, kind="stable"), kind="stable")
    return x, rank * classes // rows


def missing_case() -> tuple:
    x, y = table(22, 36, 5, 3)
    kinds = [False] * 3 + [True, False]
    return "missing, constant and categorical, 3 classes", with_gaps(x), y, kinds, 30


def rare_case() -> tuple:
    """Three classes, the last one of a single row."""
    x, y = table(24, 36, 3, 2)
    y[5] = 2
    return "a class of one row", x, y, [False] * 3, 32


def bent_case() -> tuple:
    """Two classes by a sine of one column and noise, with so many rows that members read no
    lines.
    """
    rng = np.random.default_rng(28)
    x = rng.normal(size=(MANY_ROWS + 4, 1))
    y = np.sin(3 * x[:, 0]) > rng.normal(size=len(x))
    return "many rows, 2 classes", x, y.astype(int), [False], MANY_ROWS


def groups_case() -> tuple:
    """Three classes that go with the levels of a category and of a number; one query row has a new
    category.
    """
    rng = np.random.default_rng(29)
    group, year = rng.integers(0, 5, 64), rng.integers(0, 6, 64)
    score = rng.normal(size=5)[group] + rng.normal(size=6)[year] + 0.2 * rng.normal(size=64)
    group[62] = -1
    x = np.column_stack([2000.0 + year, rng.normal(size=64), group])
    y = np.digitize(score, np.quantile(score, [1 / 3, 2 / 3]))
    return "groups, 3 classes", x, y, [False, False, True], 60


def cases(most: int) -> list[tuple]:
    """Tables for a network of so many outputs, at least 3."""
    few = min(4, most)
    two, many, single = table(21, 28, 5, 2), table(23, 46, 4, most), table(25, 23, 1, few)
    pair, _ = table(26, 4, 2, 2)
    return [
        ("numeric, 2 classes", *two, [False] * 5, 24),
        missing_case(),
        (f"{most} classes", *many, [False] * 4, 40),
        (f"single feature, {few} classes", *single, [False], 20),
        rare_case(),
        ("two rows", pair, np.array([1, 0, 0, 1]), [False] * 2, 2),
        bent_case(),
        groups_case(),
    ]


def expectations(p: ClassPrediction) -> dict:
    return {
        "logits": rounded(p.logits, DIGITS),
        "probabilities": rounded(p.probabilities, DIGITS),
        "class_posterior": rounded(p.posterior, DIGITS),
    }


def class_golden_case(network: Network, rules: Rules, case: tuple) -> dict:
    name, x, y, categorical, n = case
    assert set(y[:n]) == set(range(y.max() + 1)), f"{name}: a class is not in the context"
    x = np.array(rounded(x, 6), dtype=float)
    p = predict_classes(network, rules, x[:n], y[:n], x[n:], categorical)
    case = name, x, y, categorical, n
    return told(case, y[:n].tolist(), p) | {"expect": expectations(p)}


def class_golden_cases(network: Network, rules: Rules, most: int) -> dict:
    """The content of golden.json of a network of `most` outputs."""
    return golden([class_golden_case(network, rules, c) for c in cases(most)])
