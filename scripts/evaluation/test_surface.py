"""The simulated families tell the truth, and the scores are what they say."""

import unittest

from scripts.needs import needs

needs("scripts/requirements.txt", "numpy", "scipy", "sklearn", "torch")

import numpy as np

from scripts.evaluation.simulated import FAMILIES, simulated
from scripts.evaluation.surface import best_scale, scored


class Families(unittest.TestCase):
    def test_targets_follow_the_truth(self):
        """Means and probabilities are those of many draws of the law."""
        for family in FAMILIES:
            for features in (2, 5):
                t = simulated(family, features, 800, 3)
                self.assertEqual(t.x_test.shape, (100, features))
                self.assertTrue((t.quantile(0.9) > t.quantile(0.5)).all())
                draws = t.f + t.s * t.law.ppf((np.arange(4000)[:, None] + 0.5) / 4000)
                np.testing.assert_allclose(draws.mean(0), t.mean(), atol=0.02)
                above = (draws > t.threshold).mean(0)
                np.testing.assert_allclose(above, t.exceeds(t.threshold), atol=1e-3)

    def test_standardised_functions(self):
        spread = [simulated(f, 5, 200, 1).f.std() for f in FAMILIES]
        self.assertEqual(spread[1], 0)  # nothing
        self.assertTrue(all(0.5 < s < 1.6 for i, s in enumerate(spread) if i != 1), spread)


class Scores(unittest.TestCase):
    def test_interval_score(self):
        found = np.array([[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]])
        got = scored(found, np.array([1.5, 2.5]), unit=2.0)
        self.assertAlmostEqual(got["coverage"], 0.5)
        self.assertAlmostEqual(got["width"], 1.0)
        self.assertAlmostEqual(got["score"], (2 + (2 + 20 * 0.5)) / 2 / 2)
        self.assertAlmostEqual(got["error"], (0.5 + 1.5) / 2 / 2)

    def test_best_scale_of_scores_that_are_too_near_the_middle(self):
        z = np.random.default_rng(0).normal(size=20_000)
        self.assertAlmostEqual(best_scale([z, z[::-1]]), 1.0, delta=0.02)
        self.assertAlmostEqual(best_scale([0.8 * z]), 0.8, delta=0.02)
