"""What the golden vectors do not show of trends (scripts/export/tabicl/test_golden.py)."""

import unittest

from scripts.needs import needs

needs("scripts/requirements.txt", "sklearn")

import numpy as np

from scripts.reference import trend
from scripts.reference.regression import Ensemble, ensemble_members, targets_of


class TrendTest(unittest.TestCase):
    def test_columns_are_turned_to_a_direction(self):
        x = np.random.default_rng(3).normal(size=(300, 4))
        direction = np.array([0.5, 0.5, -0.5, 0.5])
        y = np.cos(2 * x @ direction)
        columns, _ = trend.suited_columns(x, [(y - y.mean()) / y.std()])
        self.assertGreater(abs(columns.axes[:, -1] @ direction), 0.99)
        np.testing.assert_allclose(columns.axes.T @ columns.axes, np.eye(4), atol=1e-12)

    def test_levels_of_few_rows_are_left_out_together(self):
        x = np.repeat(np.arange(6.0), (5, 12, 8, 3, 8, 4))[:, None]
        for most, want in ((400, 6), (4, 4), (3, 3), (2, 1)):
            self.assertEqual(len(trend.Levels.of(x, 1, False, most).pairs), want)

    def test_a_law_is_followed_beyond_the_clip(self):
        ensemble = Ensemble(2, shuffle="latin_diagonal", trends=("none", "linear"))
        rng = np.random.default_rng(3)
        x = np.exp(rng.normal(size=(60, 2)))
        for noise, law in ((0.0, True), (0.5, False)):
            y = x @ [1.0, -2.0] + noise * rng.normal(size=60)
            members = ensemble_members(2, ensemble)
            far = np.array([[60.0, 3.0]])
            _, _, trends, _ = targets_of(members, ensemble, x, far, y)
            got = y.mean() + y.std() * trends["linear"][0][0]
            self.assertEqual(abs(got - 54.0) < 0.01, law)
