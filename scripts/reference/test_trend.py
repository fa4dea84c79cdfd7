"""Trends leave what they should."""

from __future__ import annotations

import unittest

from scripts.needs import needs

needs("scripts/requirements.txt", "sklearn")

import numpy as np

from scripts.reference import trend
from scripts.reference.regression import Ensemble, ensemble_members, targets_of


def table(rows: int, bends: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """x [rows,4] and a target that bends."""
    g = np.random.default_rng(3)
    x = g.normal(size=(rows, 4))
    y = bends * (np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2]) + 0.3 * x[:, 3]
    return x, y + 0.1 * g.normal(size=rows)


def standardised(y: np.ndarray, n: int) -> np.ndarray:
    return (y - y[:n].mean()) / y[:n].std()


class Kernel(unittest.TestCase):
    def test_features_have_the_kernel_as_inner_products(self):
        x, y = table(40)
        columns, _ = trend.suited_columns(x, [standardised(y, 40)])
        features = trend.Kernel(x, columns)(x)
        want = columns.kernel(columns(x), columns(x))
        np.testing.assert_allclose(features @ features.T, want, atol=2e-6)

    def test_slopes_are_those_of_differences(self):
        (x, y), w, step = table(30), np.array([0.4, 0.3, 0.2, 0.1]), 1e-5
        for shape in (trend.USUAL, *trend.OTHERS):
            columns = trend.Columns(w, shape=shape)
            got = columns.slopes(x[:20], x[20:], y[20:])
            for j in range(4):
                up, down = (x[:20] + way * step * np.eye(4)[j] for way in (1, -1))
                want = (columns.kernel(up, x[20:]) - columns.kernel(down, x[20:])) @ y[20:]
                np.testing.assert_allclose(got[:, j], want / (2 * step), atol=1e-6)

    def test_columns_weigh_as_much_as_the_target_depends_on_them(self):
        x, _ = table(200)
        y = np.cos(2 * x[:, 2]) + 0.5 * x[:, 0]
        columns, _ = trend.suited_columns(x, [standardised(y, 200)])
        axes = np.eye(4) if columns.axes is None else columns.axes
        along = (axes**2) @ columns.weights
        self.assertAlmostEqual(along.sum(), 1)
        self.assertEqual(list(along.argsort()[-2:]), [0, 2])
        none, _ = trend.suited_columns(x, [np.zeros(200)])
        np.testing.assert_allclose(none.weights, np.full(4, 0.25))

    def test_columns_are_turned_to_a_direction(self):
        x, _ = table(300)
        direction = np.array([0.5, 0.5, -0.5, 0.5])
        columns, _ = trend.suited_columns(x, [standardised(np.cos(2 * x @ direction), 300)])
        self.assertGreater(abs(columns.axes[:, -1] @ direction), 0.99)
        np.testing.assert_allclose(columns.axes.T @ columns.axes, np.eye(4), atol=1e-12)

    def test_bends_are_as_long_as_those_of_the_target(self):
        x = np.random.default_rng(5).normal(size=(300, 1))
        lengths = []
        for y in (np.sin(6 * x[:, 0]), np.sin(x[:, 0]) + 0.05 * x[:, 0] ** 3):
            columns, left = trend.suited_columns(x, [standardised(y, 300)])
            lengths.append(columns.shape.length)
            self.assertLess(left, 0.1)
        self.assertLess(lengths[0], lengths[1])

    def test_a_row_left_out_is_predicted_by_the_others(self):
        x, y = table(40)
        y = standardised(y, 40)
        found, target = trend.fit_trend("kernel", x, y)
        columns, _ = trend.suited_columns(x, [y])
        k = columns.kernel(columns(x), columns(x))
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

    def test_its_doubt_is_the_variance_of_a_gaussian_process(self):
        x, y = table(40)
        y = standardised(y, 40)
        doubt = trend.fit_trend("kernel", x, y)[0].doubt
        columns, _ = trend.suited_columns(x, [y])
        ridge = trend.Ridge.of(doubt.basis(x), trend.KERNEL_PENALTIES)
        fit = ridge.fit(y, 1 / 40)
        inside = y - (doubt.basis(x) - ridge.centre) @ fit.slope
        gram = columns.kernel(columns(x), columns(x)) + fit.penalty * np.eye(40)
        at = columns(np.vstack((x[:2] + 0.1, np.full((1, 4), 30.0))))
        k = columns.kernel(at, columns(x))
        want = columns.own(at) - (k * np.linalg.solve(gram, k.T).T).sum(1)
        got = doubt.at(np.vstack((x[:2] + 0.1, np.full((1, 4), 30.0))))
        np.testing.assert_allclose(got, (fit.left * inside).mean() / fit.penalty * want, rtol=1e-6)
        self.assertGreater(got[2], 10 * got[:2].max())

    def test_it_follows_what_bends(self):
        x, y = table(400)
        y = standardised(y, 300)
        left = {
            kind: (y[300:] - trend.fit_trend(kind, x[:300], y[:300])[0].at(x[300:])).std()
            for kind in ("linear", "kernel")
        }
        self.assertGreater(left["linear"], 0.8)
        self.assertLess(left["kernel"], 0.4)


class Levels(unittest.TestCase):
    def setUp(self):
        g = np.random.default_rng(5)
        group, year = g.integers(0, 6, 120), g.integers(0, 5, 120)
        self.x = np.column_stack([group, year / 2, g.normal(size=120)])
        self.effects = g.normal(size=6)[group] + 0.3 * self.x[:, 2] + 0.1 * g.normal(size=120)
        self.years = 2 * np.array([0.6, -1.0, 1.1, -0.4, 0.9])[year]

    def test_a_line_has_levels_where_they_leave_less(self):
        for y, want in ((self.effects, 6), (self.effects + self.years, 11), (self.x[:, 2], 0)):
            y = standardised(y, 120)
            found, left = trend.fit_trend("linear", self.x, y, words=1)
            self.assertEqual(len(found.basis.pairs), want)
            self.assertLessEqual(found.scale, found.straight)
            if want:
                self.assertAlmostEqual(left.std(), 1, places=5)

    def test_codes_are_left_out_and_numbers_stay(self):
        for numbers, want in ((False, 6), (True, 11)):
            levels = trend.Levels.of(self.x, 1, numbers, 400)
            shown = levels(self.x)
            self.assertEqual(shown.shape, (120, 2 + want))
            np.testing.assert_array_equal(shown[:, :2], self.x[:, 1:])
            np.testing.assert_array_equal(shown[:, 2:8].argmax(1), self.x[:, 0])

    def test_levels_of_few_rows_are_left_out_together(self):
        x = np.repeat(np.arange(6.0), (5, 12, 8, 3, 8, 4))[:, None]
        for most, want in ((400, 6), (4, 4), (3, 3), (2, 1)):
            self.assertEqual(len(trend.Levels.of(x, 1, False, most).pairs), want)


class Members(unittest.TestCase):
    def test_norms_and_trends_take_turns(self):
        ensemble = Ensemble(7, shuffle="latin_diagonal", trends=("none", "linear", "kernel"))
        kinds = [(m.norm, m.trend) for m in ensemble_members(7, ensemble)]
        norms, trends = ("none", "power"), ("none", "linear", "kernel")
        self.assertEqual(kinds, [(norms[i % 2], trends[i % 3]) for i in range(7)])

    def test_a_kernel_that_gains_nothing_has_no_members(self):
        ensemble = Ensemble(3, shuffle="latin_diagonal", trends=("none", "linear", "kernel"))
        for bends, want in ((1.0, "kernel"), (0.0, "none")):
            x, y = table(200, bends)
            members = ensemble_members(4, ensemble)
            members, targets, trends, _ = targets_of(members, ensemble, x[:150], x[150:], y[:150])
            self.assertEqual([m.trend for m in members], ["none", "linear", want])
            self.assertEqual("kernel" in trends, want == "kernel")
            self.assertEqual((targets[0] == targets[2]).all(), want == "none")

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


if __name__ == "__main__":
    unittest.main()
