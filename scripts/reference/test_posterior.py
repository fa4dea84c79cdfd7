"""Laws of the functionals that are read off a posterior surface."""

import unittest
from dataclasses import dataclass

from scripts.needs import needs

needs("scripts/requirements.txt", "numpy", "scipy", "sklearn", "torch")

import numpy as np
from scipy.special import ndtr, ndtri

from scripts.reference.posterior import LEVELS, POSTERIOR_LEVELS, PosteriorSurface

TAUS = (0.01, 0.05, 0.3, 0.5, 0.7, 0.95, 0.99)


@dataclass
class Normal:
    """Rows of normal labels."""

    centre: np.ndarray
    deviation: float

    def quantiles(self, levels):
        return self.centre[:, None] + self.deviation * ndtri(levels)

    def cdf(self, y):
        return ndtr((y - self.centre) / self.deviation)


def located(spread: float = 0.3, scale: float = 1.0) -> PosteriorSurface:
    """Rows whose distribution is N(a, 1) with the unknown mean a ~ N(centre, spread²)."""
    centres = np.array([-1.0, 0.0, 2.0])
    rows = np.append(ndtri(LEVELS), 0.0)
    values = centres[:, None, None] + rows[:, None] + spread * ndtri(POSTERIOR_LEVELS)
    label = Normal(centres, np.hypot(1, spread))
    return PosteriorSurface(values, np.array(LEVELS), np.array(POSTERIOR_LEVELS), label, scale)


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

    def test_beyond_the_levels_the_labels_tail_goes_on(self):
        s, last = located(), len(LEVELS) - 1
        low, point, high = (
            s.quantile(0.999, a) - s.quantile(LEVELS[last], a) for a in (0.05, 0.5, 0.95)
        )
        tail = np.hypot(1, 0.3) * (ndtri(0.999) - ndtri(LEVELS[last]))
        for got, share in ((low, 0.1), (point, 1), (high, 1)):
            np.testing.assert_allclose(got, share * tail)
        below = s.quantile(0.001, 0.95) - s.quantile(LEVELS[0], 0.95)
        np.testing.assert_allclose(below, -0.1 * tail)

    def test_rare_events_are_those_quantiles(self):
        s = located()
        for tau in TAUS:
            for u in (0.0005, 0.004, 0.996, 0.9995):
                t = s.quantile(u, 1 - tau)
                got = np.array([s.cdf(v, tau)[i] for i, v in enumerate(t)])
                np.testing.assert_allclose(got, u, rtol=1e-6)

    def test_ranks(self):
        s = located()
        np.testing.assert_allclose(s.rank(-1, np.array([-1.0, 0.3, 2.0])), [0, 1, 0], atol=1e-9)
        self.assertEqual(s.rank(-1, np.array([-9.0, 0, 9])).tolist(), [-np.inf, 0, np.inf])
