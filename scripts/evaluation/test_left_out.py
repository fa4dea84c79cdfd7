"""The scores of families left out are what they say."""

from __future__ import annotations

import unittest

from scripts.needs import needs

needs("scripts/requirements.txt", "numpy", "scipy", "torch")

import numpy as np
import torch
from scipy.special import ndtri

from scripts.evaluation.left_out import normal_scores, scores, summary
from scripts.reference.posterior import LEVELS, POSTERIOR_LEVELS
from scripts.training.network.network import Output


class LeftOut(unittest.TestCase):
    def test_normal_scores(self):
        levels = torch.tensor(3 + 2 * ndtri(np.array(POSTERIOR_LEVELS))).float()
        truth = torch.tensor([3.0, 5.0, 0.5, 30.0])
        found = normal_scores(levels.expand(4, -1), truth)
        np.testing.assert_allclose(found[:3], [0, 1, -1.25], atol=1e-5)
        self.assertGreater(found[3], ndtri(POSTERIOR_LEVELS[-1]))

    def test_honest_posterior(self):
        """Truths drawn from the posterior itself are inside as often as it says."""
        torch.manual_seed(1)
        rows, tables, context = 200, 8, 10
        centre = torch.randn(tables, rows, len(LEVELS) + 1)
        z = torch.tensor(ndtri(np.array(POSTERIOR_LEVELS))).float()

        def net(x: torch.Tensor, y: torch.Tensor) -> Output:
            return Output(None, centre.unsqueeze(-1) + 0.5 * z)

        truth = torch.full((tables, context + rows, len(LEVELS) + 1), torch.nan)
        truth[:, context:] = centre + 0.5 * torch.randn(centre.shape)
        truth[0] = torch.nan  # a table whose truth is unknown
        x, y = torch.zeros(tables, context + rows, 2), torch.zeros(tables, context)
        found = scores(net, x, y, truth)
        self.assertEqual(len(found), tables - 1)
        covered, width, score, scale = map(float, summary(found).split(", "))
        self.assertAlmostEqual(covered, 0.9, delta=0.02)
        self.assertAlmostEqual(width, 1.645, delta=0.01)
        self.assertGreater(score, width)
        self.assertAlmostEqual(scale, 1, delta=0.05)


if __name__ == "__main__":
    unittest.main()
