"""More classes than a network has outputs, as the package `tabicl` 2.2 predicts them.

The columns read a class digit by digit (mixed-radix ensembling): K classes are written with D
digits to the smallest base that will do, every digit is read as if it were the class, and the
cells are averaged. The rows are told apart in a tree (hierarchical classification): a node of
more classes than there are outputs tells groups of neighbouring classes apart, and every group
is a node of its own rows. With p the product of the probabilities on the way to a class, its
logit is T log(p + 1e-6), T the temperature, which is also that of every node.

The posterior of a class's probability is that of the product on the way to it, the nodes being
independent, as in a Dirichlet tree. Shapes: D digits, N context and M query rows, C outputs, J
levels; see docs/design/posterior.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.special import logit, softmax

from scripts.reference.classes import anchored, cells, mirrored
from scripts.reference.regression import Array, Network

FLOOR = 1e-6  # added to a probability before its logarithm is taken
EDGE = 1e-9  # quantiles are kept so far from 0 and 1, where 1 - q has digits enough


@dataclass
class Node:
    """The classes first, ..., first+count-1, told apart by groups if there are any."""

    first: int
    count: int
    groups: list[Node] = field(default_factory=list)

    def labels(self, y: Array) -> Array:
        """What the node's rows are called: 0, 1, ... by group or class."""
        if not self.groups:
            return y - self.first
        starts = np.array([group.first for group in self.groups])
        return np.searchsorted(starts, y, side="right") - 1


def tree(first: int, count: int, most: int) -> Node:
    """The node of these classes; groups differ in size by one at most."""
    node = Node(first, count)
    if count <= most:
        return node
    left = min(-(-count // most), most)
    while left:
        size = -(-count // left)
        node.groups.append(tree(first, size, most))
        first, count, left = first + size, count - size, left - 1
    return node


def digits(y: Array, count: int, most: int) -> Array:
    """Classes [N] below `count` as digits [D,N], the highest first."""
    length, base = 1, 1
    while most**length < count:
        length += 1
    while base**length < count:
        base += 1
    places = base ** np.arange(length)[::-1]
    return (y.astype(np.int64) // places[:, None]) % base


@dataclass
class Parts:
    """A network by its parts, in NumPy.

    `rows` makes rows [1,N,D] and [1,M,D] of x_train [1,N,H], digits [D,N] and x_test [1,M,H];
    `answers` makes logits [1,M,C] and offsets [1,M,C,J] or None of rows, labels [1,N] and rows.
    """

    rows: Callable[[Array, Array, Array], tuple[Array, Array]]
    answers: Callable[[Array, Array, Array], tuple[Array, Array | None]]


@dataclass
class Hierarchy:
    """The interface of `reference.predict` to any number of classes.

    `plain` is the network for at most `most` classes; `levels` are those of the posterior.
    """

    plain: Network
    parts: Parts
    most: int
    temperature: float
    levels: list[float] | None = None

    def __call__(self, x_train: Array, y: Array, x_test: Array) -> tuple[Array, Array | None]:
        """Logits [B,M,K] and offsets [B,M,K,J] of the posterior, or None."""
        count = int(y.max()) + 1
        if count <= self.most:
            return self.plain(x_train, y, x_test)
        y = np.broadcast_to(y, x_train.shape[:2])
        members = [self.member(*part, count) for part in zip(x_train, y, x_test)]
        logits = np.stack([self.temperature * np.log(p + FLOOR) for p, _ in members])
        if members[0][1] is None:
            return logits, None
        q = np.stack([q for _, q in members])
        return logits, logit(np.clip(q, EDGE, 1 - EDGE))

    def member(self, x: Array, y: Array, queries: Array, count: int):
        """Probabilities [M,K] and, or None, their posterior's quantiles [M,K,J]."""
        coded = digits(y, count, self.most).astype(np.float32)
        rows, asked = self.parts.rows(x[None], coded, queries[None])
        return self.descend(tree(0, count, self.most), rows, y, asked)

    def descend(self, node: Node, rows: Array, y: Array, asked: Array, reached=None):
        """`member` of the classes of a node.

        `reached` are the quantiles [M,J] of the probability of coming here, None at the root;
        probabilities are given that, quantiles are not.
        """
        labels = node.labels(y).astype(np.float32)[None]
        logits, offsets = self.answers(rows, labels, asked, len(node.groups) or node.count)
        p = softmax(logits / self.temperature, axis=-1)
        q = None if offsets is None else self.quantiles(offsets, p)
        if q is not None and reached is not None:
            q = np.stack([self.product(reached, one) for one in np.moveaxis(q, 1, 0)], axis=1)
        if not node.groups:
            return p, q
        below = []
        for k, group in enumerate(node.groups):
            own = labels[0] == k
            way = None if q is None else q[:, k]
            inner, spread = self.descend(group, rows[:, own], y[own], asked, way)
            below.append((p[:, k : k + 1] * inner, spread))
        p = np.concatenate([inner for inner, _ in below], axis=1)
        return p, None if q is None else np.concatenate([spread for _, spread in below], axis=1)

    def answers(self, rows: Array, labels: Array, asked: Array, count: int):
        """Logits [M,count] and offsets [M,count,J] or None in float64."""
        out = self.parts.answers(rows, labels, asked)
        return tuple(None if v is None else v[0, :, :count].astype(np.float64) for v in out)

    def quantiles(self, offsets: Array, p: Array) -> Array:
        """Quantiles [M,count,J] of a node's probabilities."""
        offsets = np.sort(offsets, axis=-1)
        if p.shape[1] == 2:
            offsets = mirrored(offsets)
        return anchored(offsets, p, np.array(self.levels))

    def product(self, first: Array, second: Array) -> Array:
        """Quantiles [M,J] of the product of two independent probabilities.

        Each is the mean of the products that lie in its part of (0, 1), in ascending order.
        """
        weights = cells(np.array(self.levels))
        edges = np.concatenate(([0.0], np.cumsum(weights)))
        pairs = np.outer(weights, weights).ravel()
        values = (first[:, :, None] * second[:, None, :]).reshape(len(first), -1)
        order = np.argsort(values, axis=1)
        values, pairs = np.take_along_axis(values, order, axis=1), pairs[order]
        start = np.zeros((len(first), 1))
        at = np.hstack((start, np.cumsum(pairs, axis=1)))
        total = np.hstack((start, np.cumsum(pairs * values, axis=1)))
        return np.stack([np.diff(np.interp(edges, *row)) / weights for row in zip(at, total)])
