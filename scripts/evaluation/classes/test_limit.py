"""The exact posterior of a class probability covers what it says."""

from __future__ import annotations

import unittest

from scripts.needs import needs

needs("scripts/requirements.txt", "numpy", "scipy")

import numpy as np

from scripts.evaluation.classes.limit import drawn, exact


class Exact(unittest.TestCase):
    def test_coverage(self):
        """Laws are drawn from the prior, so that 90 % of the probabilities are covered."""
        covered = []
        for seed in range(60):
            rng = np.random.default_rng(seed)
            x, y, p = drawn(rng, 40, 3)
            limits = exact(rng, x[:40], y[:40], x[40:])
            covered.append(((limits[:, 0] <= p[40:]) & (p[40:] <= limits[:, 1])).mean())
        error = np.std(covered) / len(covered) ** 0.5
        self.assertAlmostEqual(np.mean(covered), 0.9, delta=3 * error)
        self.assertLess(error, 0.03)


if __name__ == "__main__":
    unittest.main()
