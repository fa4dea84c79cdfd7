"""Trends learned in batches are those of one table, and leave what they should."""

from __future__ import annotations

import unittest

from scripts.needs import needs

needs("scripts/requirements.txt", "torch")

import numpy as np
import torch

from scripts.pretrain import batch_trend, trend
from scripts.pretrain.reference import Ensemble, Pipeline, ensemble_members


def tables(b: int = 3, t: int = 70, h: int = 4) -> tuple[torch.Tensor, torch.Tensor]:
    """x [b,t,h] and a target that bends, of every table."""
    g = torch.Generator().manual_seed(3)
    x = torch.randn(b, t, h, generator=g, dtype=torch.float64)
    y = torch.sin(2 * x[..., 0]) + x[..., 1] * x[..., 2] + 0.3 * x[..., 3]
    return x, y + 0.1 * torch.randn(b, t, generator=g, dtype=torch.float64)


def standardised(y: torch.Tensor, n: int) -> torch.Tensor:
    return (y - y[:, :n].mean(1, keepdim=True)) / y[:, :n].std(1, keepdim=True, unbiased=False)


class Agreement(unittest.TestCase):
    def test_targets_of_a_batch_are_those_of_the_reference(self):
        for kind, t, n in (("linear", 70, 50), ("kernel", 70, 50), ("kernel", 330, 300)):
            x, y = tables(t=t)
            y = standardised(y, n)
            truth = torch.stack((y, 0.5 * y), dim=-1)
            rest, left = batch_trend.without_trend(x, y, truth, n, kind)
            for i in range(len(x)):
                table = x[i].numpy()
                z = Pipeline("none").fit(table[:n])
                context, queries = z.transform(table[:n]), z.transform(table[n:])
                found, target = trend.fit_trend(kind, context, y[i, :n].numpy())
                want = (y[i, n:].numpy() - found.at(queries)) / found.scale
                np.testing.assert_allclose(rest[i, :n], target, atol=1e-5)
                np.testing.assert_allclose(rest[i, n:], want, atol=1e-5)
                half = (0.5 * y[i, n:].numpy() - found.at(queries)) / found.scale
                np.testing.assert_allclose(left[i, n:, 1], half, atol=1e-5)

    def test_shares_of_a_batch_are_those_of_the_reference(self):
        n = 50
        for kind in ("linear", "kernel"):
            x, y = tables()
            classes = torch.tensor([3, 2, 3])
            labels = torch.bucketize(standardised(y, n), torch.tensor([-0.4, 0.5]).double())
            labels[1] = labels[1].clamp_max(1)
            columns = batch_trend.share_columns(x, labels, classes, n, kind)
            for i, count in enumerate(classes):
                table = x[i].numpy()
                z = Pipeline("none").fit(table[:n])
                parts = trend.share_columns(
                    kind, z.transform(table[:n]), labels[i, :n].numpy(), z.transform(table[n:])
                )
                want = np.concatenate(parts)
                got = columns[i].numpy()
                if count == 2:
                    self.assertEqual(abs(got[:, 2]).max(), 0)
                    got = got[:, 1:2]
                np.testing.assert_allclose(got, want, atol=1e-6)


class Kernel(unittest.TestCase):
    def test_features_have_the_kernel_as_inner_products(self):
        x = tables(1, 40)[0][0].numpy()
        features = trend.Basis("kernel", x)(x)
        np.testing.assert_allclose(features @ features.T, trend.kernel(x, x), atol=2e-6)

    def test_a_row_left_out_is_predicted_by_the_others(self):
        x, y = tables(1, 40)
        x, y = x[0].numpy(), standardised(y, 40)[0].numpy()
        found, target = trend.fit_trend("kernel", x, y)
        k = trend.kernel(x, x)
        centring = np.eye(40) - 1 / 40
        values, vectors = np.linalg.eigh(centring @ k @ centring)
        shrunk = [values / (values + 40 * p) for p in trend.KERNEL_PENALTIES]
        fits = [vectors @ (s * (vectors.T @ y)) for s in shrunk]
        best = int(np.argmin([np.abs(fit - found.at(x) + found.shift).max() for fit in fits]))
        penalty = 40 * trend.KERNEL_PENALTIES[best]
        for i in (0, 17, 39):
            keep = np.arange(40) != i
            gaps = k[np.ix_(keep, keep)] + 1e9  # a constant with no penalty
            weights = np.linalg.solve(gaps + penalty * np.eye(39), y[keep])
            want = y[i] - (k[i, keep] + 1e9) @ weights
            self.assertAlmostEqual(target[i] * found.scale + found.shift, want, delta=2e-3)

    def test_it_follows_what_bends(self):
        x, y = tables(1, 400)
        x, y = x[0].numpy(), standardised(y, 300)[0].numpy()
        left = {
            kind: (y[300:] - trend.fit_trend(kind, x[:300], y[:300])[0].at(x[300:])).std()
            for kind in ("linear", "kernel")
        }
        self.assertGreater(left["linear"], 0.8)
        self.assertLess(left["kernel"], 0.4)


class Members(unittest.TestCase):
    def test_norms_and_trends_take_turns(self):
        ensemble = Ensemble(7, shuffle="latin_diagonal", trends=("none", "linear", "kernel"))
        kinds = [(m.norm, m.trend) for m in ensemble_members(7, ensemble)]
        norms, trends = ("none", "power"), ("none", "linear", "kernel")
        self.assertEqual(kinds, [(norms[i % 2], trends[i % 3]) for i in range(7)])


if __name__ == "__main__":
    unittest.main()
