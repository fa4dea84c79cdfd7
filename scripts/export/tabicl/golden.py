"""Golden vectors of a quantile model: inputs and expected values per stage.

The network runs in torch with the weights the graphs hold, everything else in
`regression.py`.
"""

import numpy as np

from scripts.export.bundle.tables import normal
from scripts.export.bundle.vectors import golden, rounded
from scripts.reference.classes import ClassMember, ClassPrediction
from scripts.reference.regression import Ensemble, Member, Network, Prediction, predict

QUANTILE_LEVELS = (0.0005, 0.01, 0.05, 0.5, 0.95, 0.9995)
DIGITS = 9
CDF_OFFSETS = (-3.0, -1.0, -0.25, 0.0, 0.5, 1.0, 4.0)


def numeric_case() -> tuple:
    x, y = normal(11, 28, 5)
    x = x * np.array([10.0, 0.5, 4.0, 13.0, 1.0]) + np.array([48.0, 1.5, 26.0, 95.0, 0.0])
    return "numeric", x, 150 + 75 * y, [False] * 5, 24


def with_gaps(x: np.ndarray) -> np.ndarray:
    """The five columns with missing cells, one of them constant and one a category."""
    rng = np.random.default_rng(12)
    x[:, 1] = 3.25
    x[:, 3] = rng.integers(-1, 4, len(x))
    for column in (0, 4):
        x[rng.random(len(x)) < 0.2, column] = np.nan
    return x


def missing_case() -> tuple:
    x, y = normal(12, 29, 5)
    with_gaps(x)[25, 4] = np.nan
    return "missing, constant and categorical", x, -4 + 0.02 * y, [False] * 3 + [True, False], 24


def single_case() -> tuple:
    x, y = normal(13, 23, 1)
    return "single feature", x, y, [False], 20


def ties_case() -> tuple:
    x, y = normal(14, 36, 3)
    x = np.exp(1.5 * x)
    x[5, 0] *= 400
    return "ties and skewed features", x, np.maximum(np.round(y), 0.0), [False] * 3, 32


def two_row_case() -> tuple:
    x, y = normal(15, 4, 2)
    return "two rows", x, 1e3 + 30 * y, [False] * 2, 2


def groups_case() -> tuple:
    """Levels of a category and of a number have effects; the query rows have a new category."""
    rng = np.random.default_rng(16)
    group, year, z = rng.integers(0, 5, 46), rng.integers(0, 6, 46), rng.normal(size=46)
    effects, years = rng.normal(size=5), rng.normal(size=6)
    y = effects[group] + 0.7 * years[year] + 0.3 * z + 0.05 * rng.normal(size=46)
    group[44] = -1
    x = np.column_stack([2000.0 + year, z, group])
    return "groups", x, 40 + 12 * y, [False, False, True], 42


def expectations(p: Prediction) -> dict:
    d = p.distribution
    points = [float(f"{p.mu + p.sd * o:.9g}") for o in CDF_OFFSETS]
    pairs = [[[y, d.row_cdf(i, (y - p.mu) / p.sd)] for y in points] for i in range(len(d.knots))]
    return {
        "mu": p.mu,
        "sd": p.sd,
        "knots": rounded(d.knots, DIGITS),
        "beta_left": rounded(d.beta_left, DIGITS),
        "beta_right": rounded(d.beta_right, DIGITS),
        "mean": rounded(p.mean(), 12),
        "quantile_levels": list(QUANTILE_LEVELS),
        "quantiles": rounded(p.quantiles(QUANTILE_LEVELS), 12),
        "cdf_at": rounded(pairs, 10),
    } | ({} if p.surface is None else {"surface": rounded(p.surface, DIGITS)})


def member(m: Member | ClassMember) -> dict:
    classes = {"classes": list(m.classes)} if isinstance(m, ClassMember) else {}
    trend = {} if m.trend == "none" else {"trend": m.trend}
    return {"norm": m.norm, "permutation": list(m.permutation)} | classes | trend


def told(case: tuple, y: list, p: Prediction | ClassPrediction) -> dict:
    """What a case of either task says of a prediction; y are the targets of its context."""
    name, x, _, categorical, n = case
    return {
        "name": name,
        "x_train": rounded(x[:n], DIGITS),
        "categorical": categorical,
        "y_train": y,
        "x_test": rounded(x[n:], DIGITS),
        "members": [member(m) for m in p.members],
        "stages": {name: rounded(value, DIGITS) for name, value in p.stages.items()},
    }


def golden_case(network: Network, ensemble: Ensemble, case: tuple) -> dict:
    name, x, y, categorical, n = case
    x, y = (np.array(rounded(v, 6), dtype=float) for v in (x, y))
    p = predict(network, ensemble, x[:n], y[:n], x[n:], categorical)
    case = name, x, y, categorical, n
    return told(case, rounded(y[:n], DIGITS), p) | {"expect": expectations(p)}


def golden_cases(network: Network, ensemble: Ensemble) -> dict:
    cases = (
        numeric_case(),
        missing_case(),
        single_case(),
        ties_case(),
        two_row_case(),
        groups_case(),
    )
    return golden([golden_case(network, ensemble, c) for c in cases])
