"""Laws of the functionals that are read off a posterior surface."""

from __future__ import annotations

import unittest

from scripts.needs import needs

needs("scripts/requirements.txt", "numpy", "scipy", "sklearn", "torch")

import numpy as np
from scipy.special import ndtr, ndtri

from scripts.pretrain.posterior import PosteriorSurface
from scripts.pretrain.reference import averaged_surface
from scripts.pretrain.surface import LEVELS, POSTERIOR_LEVELS

TAUS = (0.01, 0.05, 0.3, 0.5, 0.7, 0.95, 0.99)


def located(spread: float = 0.3, scale: float = 1.0) -> PosteriorSurface:
    """Rows whose distribution is N(a, 1) with the unknown mean a ~ N(centre, spread²)."""
    centres = np.array([-1.0, 0.0, 2.0])
    rows = np.append(ndtri(LEVELS), 0.0)
    values = centres[:, None, None] + rows[:, None] + spread * ndtri(POSTERIOR_LEVELS)
    return PosteriorSurface(values, np.array(LEVELS), np.array(POSTERIOR_LEVELS), scale)


class Functionals(unittest.TestCase):
    def test_a_posterior_that_is_known(self):
        s, centres = located(), np.array([-1.0, 0.0, 2.0])
        for tau in TAUS:
            shift = 0.3 * ndtri(tau)
            np.testing.assert_allclose(s.mean(tau), centres + shift)
            np.testing.assert_allclose(s.quantile(0.75, tau), centres + ndtri(0.75) + shift)
            want = ndtr(0.4 - centres + shift)  # F(t) = Phi(t - a), and a falls as F grows
            inside = (want > 0.01) & (want < 0.99)
            np.testing.assert_allclose(s.cdf(0.4, tau)[inside], want[inside])
            np.testing.assert_allclose(s.exceeds(0.4, tau), 1 - s.cdf(0.4, 1 - tau))

    def test_scale_reads_nearer_the_middle(self):
        wide, narrow = located(), located(scale=0.5)
        np.testing.assert_allclose(narrow.mean(0.95), wide.mean(ndtr(0.5 * ndtri(0.95))))
        np.testing.assert_allclose(narrow.mean(0.5), wide.mean(0.5))

    def test_unresolved_events_have_outer_limits(self):
        s = located()
        for t in (-50.0, 50.0):
            low, point, high = (s.cdf(t, a)[0] for a in (0.05, 0.5, 0.95))
            self.assertLessEqual(low, point)
            self.assertLessEqual(point, high)
        self.assertEqual(s.cdf(-50.0, 0.05)[0], 0)
        self.assertEqual(s.cdf(-50.0, 0.95)[0], LEVELS[0])
        self.assertEqual(s.cdf(50.0, 0.05)[0], LEVELS[-1])
        self.assertEqual(s.cdf(50.0, 0.95)[0], 1)

    def test_every_limit_increases(self):
        raw = np.random.default_rng(1).normal(size=(3, 5, len(LEVELS) + 1, len(POSTERIOR_LEVELS)))
        for w in (1 / 3, 1 / 3, 1 / 3), (0.7, 0.2, 0.1):
            for spread in (False, True):
                self.check_limits(averaged_surface(raw, np.tile(w, (5, 1)).T, spread))

    def test_variances_of_members_are_added(self):
        z = ndtri(POSTERIOR_LEVELS)
        raw = np.stack([np.broadcast_to(m + 0.5 * z, (1, len(LEVELS) + 1, len(z))) for m in (0, 2)])
        w = np.array([[0.25], [0.75]])
        want = 1.5 + np.sqrt(0.25 + 0.25 * 1.5**2 + 0.75 * 0.5**2) * z
        np.testing.assert_allclose(averaged_surface(raw, w, True)[0], np.tile(want, (len(LEVELS) + 1, 1)))

    def check_limits(self, values):
        self.assertTrue((np.diff(values, axis=-1) >= 0).all())
        self.assertTrue((np.diff(values[:, :-1], axis=-2) >= 0).all())
        s = PosteriorSurface(values, np.array(LEVELS), np.array(POSTERIOR_LEVELS), 0.8)
        for way in (s.mean, lambda a: s.quantile(0.33, a), lambda a: s.cdf(0.1, a)):
            limits = np.array([way(a) for a in TAUS])
            self.assertTrue((np.diff(limits, axis=0) >= -1e-12).all())

    def test_ranks(self):
        s = located()
        np.testing.assert_allclose(s.rank(-1, np.array([-1.0, 0.3, 2.0])), [0, 1, 0], atol=1e-9)
        self.assertEqual(s.rank(-1, np.array([-9.0, 0, 9])).tolist(), [-np.inf, 0, np.inf])


if __name__ == "__main__":
    unittest.main()
