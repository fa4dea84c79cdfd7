"""More classes than a network has outputs, as the package `tabicl` 2.2 predicts them.

The columns read a class digit by digit (mixed-radix ensembling): K classes are written with D
digits to the smallest base that will do, every digit is read as if it were the class, and the
cells are averaged. The rows are told apart in a tree (hierarchical classification): a node of
more classes than there are outputs tells groups of neighbouring classes apart, and every group
is a node of its own rows. With p the product of the probabilities on the way to a class, its
logit is T log(p + 1e-6), T the temperature, which is also that of every node.

Shapes: D digits, N context and M query rows, C outputs; see docs/reference/bundle.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.special import softmax

from scripts.reference.regression import Array, Network

FLOOR = 1e-6  # added to a probability before its logarithm is taken


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
    `answers` makes logits [1,M,C] of rows, labels [1,N] and rows.
    """

    rows: Callable[[Array, Array, Array], tuple[Array, Array]]
    answers: Callable[[Array, Array, Array], Array]


@dataclass
class Hierarchy:
    """The interface of `reference.predict` to any number of classes.

    `plain` is the network for at most `most` classes.
    """

    plain: Network
    parts: Parts
    most: int
    temperature: float

    def __call__(self, x_train: Array, y: Array, x_test: Array) -> tuple[Array, Array | None]:
        """Logits [B,M,K], and no posterior of many classes."""
        count = int(y.max()) + 1
        if count <= self.most:
            return self.plain(x_train, y, x_test)
        y = np.broadcast_to(y, x_train.shape[:2])
        members = [self.member(*part, count) for part in zip(x_train, y, x_test)]
        return np.stack([self.temperature * np.log(p + FLOOR) for p in members]), None

    def member(self, x: Array, y: Array, queries: Array, count: int) -> Array:
        """Probabilities [M,K]."""
        coded = digits(y, count, self.most).astype(np.float32)
        rows, asked = self.parts.rows(x[None], coded, queries[None])
        return self.descend(tree(0, count, self.most), rows, y, asked)

    def descend(self, node: Node, rows: Array, y: Array, asked: Array) -> Array:
        """`member` of the classes of a node, given that the class is one of these."""
        labels = node.labels(y).astype(np.float32)[None]
        logits = self.parts.answers(rows, labels, asked)[0, :, : len(node.groups) or node.count]
        p = softmax(logits.astype(np.float64) / self.temperature, axis=-1)
        if not node.groups:
            return p
        below = [(labels[0] == k, group) for k, group in enumerate(node.groups)]
        inner = [self.descend(group, rows[:, own], y[own], asked) for own, group in below]
        return np.concatenate([p[:, k : k + 1] * q for k, q in enumerate(inner)], axis=1)
