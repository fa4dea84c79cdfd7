"""Which rows to measure next."""

import unittest

import numpy as np
import pandas as pd
import pfnamp

RANDOM = np.random.default_rng(0)
X = RANDOM.random(20)
MEASURED = pd.DataFrame({"x": X, "loss": 10 * (X - 0.3) ** 2})
CANDIDATES = pd.DataFrame({"x": np.linspace(0, 1, 21), "days": 1.0})


class NextTest(unittest.TestCase):
    def test_minimum(self) -> None:
        told = pfnamp.next_rows(MEASURED, CANDIDATES, "loss", "minimum", batch=2)
        self.assertEqual(
            list(told.columns), ["rank", "row", "gain", "mean", "mean_lo", "mean_hi", "x", "days"]
        )
        self.assertEqual(told["rank"].tolist(), [1, 2])
        self.assertTrue(0.1 <= told.x[0] <= 0.5)
        np.testing.assert_array_equal(CANDIDATES.x[told.row - 1], told.x)

    def test_maximum_ranks_all(self) -> None:
        told = pfnamp.next_rows(MEASURED, CANDIDATES, "loss", "maximum", cost="days")
        self.assertEqual(len(told), 21)
        self.assertGreater(told.x[0], 0.8)
        self.assertTrue(told.gain.is_monotonic_decreasing)

    def test_refusals_speak_of_parameters(self) -> None:
        with self.assertRaisesRegex(pfnamp.InputError, 'goal "best" is not one of minimum'):
            pfnamp.next_rows(MEASURED, CANDIDATES, "loss", "best")
        with self.assertRaisesRegex(pfnamp.InputError, 'candidates: column "x".* .measured has it'):
            pfnamp.next_rows(MEASURED, CANDIDATES[["days"]], "loss", "learn")
