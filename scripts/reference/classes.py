"""What surrounds a classifier, in float64 NumPy: members, probabilities and their posterior.

The features go through the pipelines of `regression.py`. Members differ by the order of the
classes too, as TabICLv2 defines it. The posterior of the class probabilities is that of
docs/design/posterior.md.
"""

import random
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit, logit, ndtri, softmax

from scripts.reference.regression import (
    Array,
    Ensemble,
    Network,
    Pipeline,
    encoded,
    latin_permutations,
    stacked,
)
from scripts.reference.trend import share_columns

SMALLEST = 1e-12  # a predicted probability is kept so far from 0 and 1
MANY_ROWS, SHARE_GAIN = 400, 0.9
HALVINGS = 70


@dataclass(frozen=True)
class ClassMember:
    """Column j of the member is column permutation[j]; it sees class k as classes[k].

    With a trend the columns are the features and then its predictions of the classes' shares.
    """

    norm: str
    permutation: tuple[int, ...]
    classes: tuple[int, ...]
    trend: str = "none"


@dataclass
class Rules:
    """How members are composed and combined; `levels` are those of the posterior."""

    ensemble: Ensemble
    levels: list[float]
    temperature: float = 1.0
    scale: float = 1.0


@dataclass
class ClassPrediction:
    """Averaged logits and probabilities [M,K], their posterior's quantiles [M,K,J], the stages."""

    logits: Array
    probabilities: Array
    posterior: Array
    members: list[ClassMember]
    stages: dict[str, Array]


def class_members(features: int, classes: int, ensemble: Ensemble) -> list[ClassMember]:
    """Shuffled pairs of a feature permutation and a rotation of the classes, with the norms."""
    if ensemble.members == 1:
        return [ClassMember("none", tuple(range(features)), tuple(range(classes)))]
    kinds = ensemble.kinds(classes)
    width = features + any(trend != "none" for _, trend in kinds) * max(1, classes - (classes == 2))
    plain, trended = (orders(h, classes, ensemble.seed) for h in (features, width))
    every = ensemble.composed(list(range(len(plain))), kinds)
    return [
        ClassMember(norm, *(plain if trend == "none" else trended)[k], trend)
        for k, (norm, trend) in every
    ]


def orders(features: int, classes: int, seed: int) -> list[tuple]:
    """Shuffled pairs of an order of the features and a rotation of the classes."""
    turned = [tuple((k - by) % classes for k in range(classes)) for by in range(classes)]
    pairs = [(tuple(p), t) for p in latin_permutations(features, seed) for t in turned]
    random.Random(seed).shuffle(pairs)
    return pairs


def cells(levels: Array) -> Array:
    """Weights with which quantiles at these levels have their mean."""
    middle = (levels[1:] + levels[:-1]) / 2
    return np.diff(np.concatenate(([0.0], middle, [1.0])))


def anchored(offsets: Array, p: Array, levels: Array) -> Array:
    """Quantiles expit(a + offsets) [...,J] with the mean p [...]."""
    p = np.clip(p, SMALLEST, 1 - SMALLEST)[..., None]
    low, high = logit(p) - offsets.max(-1, keepdims=True), logit(p) - offsets.min(-1, keepdims=True)
    weights = cells(levels)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        below = (expit(middle + offsets) * weights).sum(-1, keepdims=True) < p
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return expit((low + high) / 2 + offsets)


def mirrored(offsets: Array) -> Array:
    """Offsets [M,2,J] of two classes as both say them."""
    first = (offsets[:, 0] - offsets[:, 1, ::-1]) / 2
    return np.stack((first, -first[:, ::-1]), axis=1)


def combined(offsets: Array, p: Array, rules: Rules) -> Array:
    """Members' offsets [B,M,K,J] in the order of the classes -> posterior quantiles [M,K,J].

    Every member is sorted, members are averaged, two classes are made each other's mirror
    image, and limits are read at the scaled normal score, before the anchor is found.
    """
    levels = np.array(rules.levels)
    mean = np.sort(offsets.astype(np.float64), axis=-1).mean(0)
    if mean.shape[1] == 2:
        mean = mirrored(mean)
    score = ndtri(levels)
    mean = np.apply_along_axis(lambda row: np.interp(rules.scale * score, score, row), -1, mean)
    return anchored(mean, p, levels)


def class_tables(
    members: list[ClassMember],
    threshold: float,
    train: Array,
    y: Array,
    test: Array,
    words: int = 0,
) -> tuple[list[ClassMember], list[Array], list[Array]]:
    """The members and what every one reads of both parts of a table.

    With many context rows the kernel's shares take the place of lines that leave more. The first
    columns, so many, are codes of categories.
    """
    ready, left = {"none": (train, test)}, {}
    plain = Pipeline("none", threshold).fit(train)
    for kind in {m.trend for m in members} - {"none"}:
        *shares, left[kind] = share_columns(
            kind, plain.transform(train), y, plain.transform(test), words
        )
        ready[kind] = tuple(np.hstack(pair) for pair in zip((train, test), shares))
    kernel, line = (left.get(kind, np.inf) for kind in ("kernel", "linear"))
    if len(y) >= MANY_ROWS and kernel < SHARE_GAIN * line:
        members = [replace(m, trend="kernel") if m.trend == "linear" else m for m in members]
    parts = [[part[0] for part in stacked([m], threshold, *ready[m.trend])] for m in members]
    return members, *map(list, zip(*parts))


def asked(network: Network, context: list, y: Array, queries: list) -> tuple[Array, Array | None]:
    """What the network says of members, whose widths may differ."""
    found = [network(x[None], t[None], q[None]) for x, t, q in zip(context, y, queries)]
    raw, offsets = zip(*found)
    return np.concatenate(raw), None if offsets[0] is None else np.concatenate(offsets)


def predict_classes(
    network: Network,
    rules: Rules,
    x_train: Array,
    y_train: Array,
    x_test: Array,
    categorical: list[bool] | None = None,
) -> ClassPrediction:
    """Everything from the raw table, classes 0..K-1, to the posterior of its query rows."""
    train, test, words = encoded(x_train, x_test, categorical)
    count = int(y_train.max()) + 1
    members = class_members(train.shape[1], count, rules.ensemble)
    members, context, queries = class_tables(
        members, rules.ensemble.threshold, train, y_train, test, words
    )
    orders = [m.classes for m in members]
    y = np.array(orders)[:, y_train.astype(int)].astype(np.float32)
    raw, offsets = asked(network, context, y, queries)
    stages = {"x_train": context, "y_train": y, "x_test": queries, "logits": raw[..., :count]}
    back = [member[:, order] for member, order in zip(raw.astype(np.float64), orders)]
    logits = np.mean(back, axis=0)
    p = softmax(logits / rules.temperature, axis=-1)
    stages["class_posterior"] = offsets[:, :, :count]
    ordered = np.stack([member[:, order] for member, order in zip(offsets, orders)])
    return ClassPrediction(logits, p, combined(ordered, p, rules), members, stages)
