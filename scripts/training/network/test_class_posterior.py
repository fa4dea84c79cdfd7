"""Laws of the posterior of class probabilities, and the losses that teach it."""

import unittest

from scripts.needs import needs

needs("scripts/requirements.txt", "numpy", "scipy", "sklearn", "torch")

import numpy as np
import torch

from scripts.reference import classes as reference
from scripts.reference.posterior import POSTERIOR_LEVELS
from scripts.training.network.class_posterior import (
    anchored,
    arcs,
    arcs_of_logits,
    cells,
    label_loss,
    posterior_loss,
)

LEVELS = torch.tensor(POSTERIOR_LEVELS)


def beta_logits(count: float, k: int = 20_000) -> tuple[torch.Tensor, torch.Tensor]:
    """Draws of p ~ Beta(count/4, 3 count/4), and the logits of its quantiles at LEVELS."""
    torch.manual_seed(1)
    p = torch.distributions.Beta(count / 4, 3 * count / 4).sample((k,))
    return p, torch.logit(torch.quantile(p, LEVELS), eps=1e-6)


class Anchors(unittest.TestCase):
    def test_mean_is_the_prediction(self):
        torch.manual_seed(2)
        offsets = torch.randn(500, 33) * torch.rand(500, 1) * 6
        p = torch.rand(500) ** 3
        q = torch.sigmoid(anchored(offsets, p, cells(LEVELS)))
        self.assertLess(((q * cells(LEVELS)).sum(-1) - p).abs().max(), 2e-6)

    def test_gradient_is_that_of_the_implicit_function(self):
        torch.manual_seed(3)
        offsets = torch.randn(3, 33, dtype=torch.float64, requires_grad=True)
        p = torch.tensor([0.1, 0.5, 0.97], dtype=torch.float64)

        def total(o: torch.Tensor) -> torch.Tensor:
            return torch.sigmoid(anchored(o, p, cells(LEVELS).double()))[:, [3, 16, 30]].sum()

        (gradient,) = torch.autograd.grad(total(offsets), offsets)
        for row, j in ((0, 2), (1, 16), (2, 31)):
            step = torch.zeros_like(offsets)
            step[row, j] = 1e-4
            slope = (total(offsets + step) - total(offsets - step)) / 2e-4
            self.assertAlmostEqual(float(slope), float(gradient[row, j]), delta=1e-5)

    def test_training_and_reference_agree(self):
        rng = np.random.default_rng(2)
        offsets, p = np.sort(rng.normal(size=(20, 33)), axis=-1), rng.uniform(0.01, 0.99, size=20)
        want = reference.anchored(offsets, p, np.array(POSTERIOR_LEVELS))
        got = torch.sigmoid(
            anchored(torch.tensor(offsets).float(), torch.tensor(p).float(), cells(LEVELS))
        )
        np.testing.assert_allclose(got.numpy(), want, atol=1e-5)


class Losses(unittest.TestCase):
    def test_arcs(self):
        p = torch.linspace(0.001, 0.999, 200)
        torch.testing.assert_close(arcs(p), arcs_of_logits(torch.logit(p)), atol=1e-5, rtol=0)
        self.assertEqual(arcs(torch.tensor([0.0, 1.0])).tolist(), [0.0, 1.0])

    def test_the_true_posterior_is_best(self):
        """For p ~ Beta the loss is least at its own spread, and does not see a shift."""
        draws, quantiles = beta_logits(8.0)
        p = torch.stack((draws, 1 - draws), dim=-1).unsqueeze(0)
        p = torch.nn.functional.pad(p, (0, 8))
        mean = draws.mean()
        logits = torch.full((1, len(draws), 10), 0.0)
        logits[..., 0] = torch.logit(mean)
        classes = torch.tensor([2])

        def loss(spread: float, shift: float = 0.0) -> float:
            o = spread * (quantiles - quantiles.mean()) + shift
            both = torch.stack((o, -o.flip(-1)))
            both = torch.nn.functional.pad(both, (0, 0, 0, 8)).expand(1, len(draws), 10, 33)
            return float(posterior_loss(both, logits, p, classes, LEVELS))

        best = loss(1.0)
        for spread in (0.6, 0.8, 1.25, 1.6):
            self.assertGreater(loss(spread), best + 1e-4, spread)
        self.assertAlmostEqual(loss(1.0, 0.7), best, places=5)

    def test_absent_classes_do_not_matter(self):
        torch.manual_seed(4)
        logits, offsets = torch.randn(2, 6, 10), torch.randn(2, 6, 10, 33)
        p = torch.softmax(torch.randn(2, 6, 3), dim=-1)
        p = torch.nn.functional.pad(p, (0, 7))
        y, classes = torch.randint(0, 3, (2, 6)), torch.tensor([3, 3])

        def both(logits, offsets):
            return (
                label_loss(logits, y, p, classes),
                posterior_loss(offsets, logits, p, classes, LEVELS),
            )

        changed, moved = logits.clone(), offsets.clone()
        changed[..., 3:] += 5
        moved[..., 3:, :] += 5
        for one, two in zip(both(logits, offsets), both(changed, moved)):
            self.assertEqual(float(one), float(two))

    def test_unknown_truth_leaves_the_label(self):
        torch.manual_seed(5)
        logits, classes = torch.randn(1, 4, 10), torch.tensor([2])
        p = torch.full((1, 4, 10), torch.nan)
        y = torch.tensor([[0, 1, -1, 1]])
        want = torch.nn.functional.cross_entropy(logits[0, [0, 1, 3], :2], y[0, [0, 1, 3]])
        self.assertAlmostEqual(float(label_loss(logits, y, p, classes)), float(want), places=5)
        offsets = torch.randn(1, 4, 10, 33)
        self.assertEqual(float(posterior_loss(offsets, logits, p, classes, LEVELS)), 0)
