"""python -m unittest scripts.reference.test_hierarchy"""

import math
import unittest

from scripts.needs import needs

needs("scripts/requirements.txt", "scipy")

import numpy as np

from scripts.reference.classes import cells
from scripts.reference.hierarchy import FLOOR, Hierarchy, Parts, digits, tree

LEVELS = [(j + 0.5) / 33 for j in range(33)]


def leaves(node) -> list[int]:
    return [node.count] if not node.groups else [n for g in node.groups for n in leaves(g)]


class TreeTest(unittest.TestCase):
    def test_groups_of_the_package(self) -> None:
        self.assertEqual(leaves(tree(0, 25, 10)), [9, 8, 8])
        self.assertEqual(leaves(tree(0, 101, 10)), [6, 5] + 9 * [10])

    def test_labels(self) -> None:
        root = tree(0, 25, 10)
        self.assertEqual(root.labels(np.array([0, 8, 9, 16, 17, 24])).tolist(), [0, 0, 1, 1, 2, 2])
        self.assertEqual(root.groups[1].labels(np.array([9, 16])).tolist(), [0, 7])

    def test_digits(self) -> None:
        self.assertEqual(digits(np.array([0, 7, 24]), 25, 10).tolist(), [[0, 1, 4], [0, 2, 4]])
        for count in (11, 26, 101, 1000):
            found = digits(np.arange(count), count, 10)
            self.assertEqual(len(np.unique(found, axis=1).T), count)
            self.assertLess(found.max(), 10)


def counting(rows, labels, asked):
    """Logits of a network that says how many rows every label has."""
    count = np.bincount(labels[0].astype(int), minlength=3)
    logits = np.log(np.maximum(count, 1e-9))
    return np.tile(logits, (1, asked.shape[1], 1)), np.zeros((1, asked.shape[1], 3, 33))


class HierarchyTest(unittest.TestCase):
    def setUp(self) -> None:
        parts = Parts(lambda x, y, queries: (x, queries), counting)
        self.network = Hierarchy(None, parts, 3, 1.0, LEVELS)

    def test_probabilities_are_products(self) -> None:
        y = np.repeat(np.arange(11), np.arange(1, 12)).astype(np.float32)
        x, queries = np.zeros((2, len(y), 1)), np.zeros((2, 4, 1))
        logits, offsets = self.network(x, y, queries)
        self.assertEqual((logits.shape, offsets.shape), ((2, 4, 11), (2, 4, 11, 33)))
        want = np.arange(1, 12) / len(y)  # whatever the tree, shares multiply to shares
        np.testing.assert_allclose(np.exp(logits[1, 3]) - FLOOR, want, rtol=1e-9)
        np.testing.assert_allclose(offsets[0, 0, :, 0], np.log(want / (1 - want)), rtol=1e-6)

    def test_product_of_uniform_probabilities(self) -> None:
        uniform, one = np.array([LEVELS]), np.ones((1, 33))
        for level, q in zip(LEVELS, self.network.product(uniform, uniform)[0]):
            self.assertAlmostEqual(q - q * math.log(q), level, delta=0.01)
        np.testing.assert_allclose(self.network.product(one, uniform)[0], LEVELS, rtol=1e-12)
        mean = (self.network.product(uniform, uniform)[0] * cells(np.array(LEVELS))).sum()
        self.assertAlmostEqual(mean, 0.25, delta=1e-12)


if __name__ == "__main__":
    unittest.main()
