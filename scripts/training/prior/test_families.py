"""Groups, identities, counts and rows unlike the context: their truth, against draws."""

import unittest
from collections.abc import Callable
from unittest import mock

from scripts.needs import needs

needs("scripts/requirements.txt", "torch")

import torch
from torch import Tensor

from scripts.reference.posterior import LEVELS
from scripts.training.prior import counts, groups, late
from scripts.training.prior.draw import Draw, standardise
from scripts.training.prior.features import base_noise, related
from scripts.training.prior.identities import identity
from scripts.training.prior.tables import CENTRES, sample_tables
from scripts.training.prior.test_tables import shares_off
from scripts.training.train.batches import Source

DRAWS = 200_000
GROUPS = (groups.categories, groups.nested, groups.repeated)


class Counts(unittest.TestCase):
    def test_quantiles_are_those_of_draws(self):
        rate = torch.tensor([0.05, 0.7, 4.0, 39.0], dtype=torch.float64).view(4, 1, 1)
        share = torch.tensor([0.01, 0.3, 0.5, 0.97], dtype=torch.float64).view(4, 1, 1)
        size = torch.tensor([0.5, 2.0, 7.0, 10.0], dtype=torch.float64).view(4, 1, 1)
        torch.manual_seed(4)
        many, odds = rate.expand(4, 1, DRAWS), torch.distributions
        gamma = odds.Gamma(size.expand_as(many), (size / rate).expand_as(many)).sample()
        trials = torch.tensor([1.0, 12.0, 40.0, 30.0], dtype=torch.float64).view(4, 1, 1)
        binomial = odds.Binomial(trials.expand_as(many), share.expand_as(many)).sample()
        cases = {
            counts.poisson: (rate, size, torch.poisson(many)),
            counts.overdispersed: (rate, size, torch.poisson(gamma)),
            counts.successes: (share, trials, binomial),
        }
        levels = torch.tensor(LEVELS, dtype=torch.float64)
        for law, (mean, other, drawn) in cases.items():
            for empty in (0.0, 0.3):
                none = torch.full_like(mean, empty)
                below = counts.distribution(law(mean, other), none)
                q = counts.quantile(below, torch.special.ndtri(levels).expand(4, 1, -1))
                values = torch.where(torch.rand(drawn.shape) < empty, 0.0, drawn)
                under = (values.unsqueeze(-1) < q.unsqueeze(-2)).double().mean(-2)
                upto = (values.unsqueeze(-1) <= q.unsqueeze(-2)).double().mean(-2)
                error = 5 * (levels * (1 - levels) / DRAWS).sqrt()
                self.assertTrue((under <= levels + error).all(), law)
                self.assertTrue((upto >= levels - error).all(), law)

    def test_the_mean_is_that_of_the_law(self):
        for seed in range(12):
            f = Draw(seed).normal(3, 400)
            target = counts.counted(Draw(100 + seed), f)
            quantiles, mean = target.truth()
            self.assertTrue((quantiles == quantiles.round()).all())
            gap = (target.y - mean).mean() / (target.y - mean).std() * 1200**0.5
            self.assertLess(gap.abs(), 5, seed)


def without_group_effects(maker: Callable, seed: int) -> tuple[Tensor, Tensor]:
    """The columns of a table [t,h] and its centre [t]."""
    x, _, _, f, _ = maker(Draw(seed), 1, 400, 4)
    return x[0], standardise(f)[0]


class Grouped(unittest.TestCase):
    def test_the_centre_is_a_function_of_the_columns(self):
        """Neighbours in all columns but the last bits have the same centre: here, equal rows."""
        for maker in GROUPS:
            same = 0
            for seed in range(60):
                x, f = without_group_effects(maker, seed)
                _, row, count = torch.unique(x, dim=0, return_inverse=True, return_counts=True)
                for k in (count > 1).nonzero().flatten().tolist():
                    spread = f[row == k].max() - f[row == k].min()
                    self.assertLess(spread, 1e-4, (maker, seed))
                    same += 1
            if maker is not groups.repeated:
                self.assertGreater(same, 20, maker)

    def test_levels_of_one_column_carry_the_effect(self):
        """Means of the groups differ far more than those of as many groups of shuffled rows."""
        for maker in GROUPS:
            won = 0
            for seed in range(30):
                x, _, _, f, _ = maker(Draw(seed), 1, 800, 1)
                level, f = x[0, :, 0].long(), standardise(f)[0]
                between = self.between(level, f)
                won += between > 2 * self.between(level[torch.randperm(800)], f)
            self.assertGreater(won, 24, maker)

    @staticmethod
    def between(level: Tensor, f: Tensor) -> float:
        k = int(level.max()) + 1
        size = torch.zeros(k).index_add(0, level, torch.ones_like(f))
        mean = torch.zeros(k).index_add(0, level, f) / size.clamp_min(1)
        return float((size * mean.square()).sum() / len(f))

    def test_the_last_rows_may_have_new_levels(self):
        new = 0
        for seed in range(100):
            level = groups.members(Draw(seed), 1, 300, 30)[0]
            new += len(set(level[150:].tolist()) - set(level[:150].tolist())) > 5
        self.assertGreater(new, 8)
        self.assertLess(new, 45)

    def test_many_levels(self):
        most = max(groups.level_count(Draw(seed), 2000) for seed in range(50))
        self.assertGreater(most, 100)
        self.assertLessEqual(most, groups.MOST_LEVELS)


class Truth(unittest.TestCase):
    def test_shares_below_the_truth_family_by_family(self):
        """Over tables of a family a share u of the targets lies below Q(u), in groups too."""
        for maker in (*GROUPS, identity):
            with mock.patch.dict(CENTRES, {maker: 1.0}, clear=True):
                drawn = [sample_tables(seed, 8, 160, 3) for seed in range(60)]
            families = {name for t in drawn for name in t.family}
            self.assertLessEqual(families, {maker.__name__, "causal"})
            worst, count = shares_off(drawn)
            self.assertGreater(count, 10_000, maker)
            self.assertLess(worst, 0.012, maker)


class Identities(unittest.TestCase):
    def test_the_centre_is_arithmetic_of_the_columns(self):
        """Some sum, difference, product, ratio or maximum of two columns is the centre exactly."""
        found = 0
        for seed in range(80):
            x, _, _, f, _ = identity(Draw(seed), 1, 60, 2)
            a, c = x[0].double().T
            options = (a + c, a - c, a * c, a / c, torch.maximum(a, c), a)
            scaled = [(o - o.mean()) / o.std(unbiased=False) for o in options]
            gap = min((o - f[0]).abs().max() for o in scaled)
            found += bool(gap < 1e-3)
        self.assertEqual(found, 80)

    def test_columns_may_follow_from_others(self):
        for seed in range(20):
            d = Draw(seed)
            x = related(d, base_noise(d, 1, 50, 4))[0].double()
            made = x[:, 3]
            pairs = [(x[:, i], x[:, j]) for i in range(3) for j in range(3)]
            options = [o for a, c in pairs for o in (a + c, a - c, a * c, torch.maximum(a, c))]
            self.assertLess(min((o - made).abs().max() for o in options), 1e-5)


class Late(unittest.TestCase):
    def test_an_order_takes_the_truth_along(self):
        x = Draw(2).normal(3, 200, 2)
        y, q = x.sum(-1), torch.stack((x.sum(-1), 2 * x.sum(-1)), dim=-1)
        reach = []
        for seed in range(20):
            got = late.taken(late.ordered(Draw(seed), x), x, y, q)
            self.assertTrue(torch.equal(got[0].sum(-1), got[1]))
            self.assertTrue(torch.equal(got[2][..., 1], 2 * got[1]))
            self.assertTrue(torch.equal(got[1].sort(1).values, y.sort(1).values))
            first, last = got[0][:, :100], got[0][:, 100:]
            above = (last > first.amax(1, keepdim=True)) | (last < first.amin(1, keepdim=True))
            reach.append(above.double().mean(1).amax())
        self.assertGreater(max(reach), 0.4)

    def test_cells_are_lost_by_queries_only(self):
        x, some = Draw(2).normal(4, 100, 5), 0
        for seed in range(30):
            holed, lost = late.lost_later(Draw(seed), x, 60)
            self.assertFalse(holed[:, :60].isnan().any())
            self.assertTrue(torch.equal(lost, holed.isnan().any(-1)))
            self.assertTrue(torch.equal(torch.where(holed.isnan(), x, holed), x))
            some += bool(lost.any())
        self.assertGreater(some, 15)

    def test_batches_have_such_queries(self):
        """Their truth is unknown, and that of the context's rows as before."""
        seen, source = 0, Source(cells=2048)
        for seed in range(300):
            batch = source.batch(10 * seed, {96: 1})
            unknown = batch.truth.isnan().any(-1)
            before = unknown[:, : batch.rows].any(1)
            seen += bool((unknown[:, batch.rows :].any(1) & ~before).any())
        self.assertGreater(seen, 4)
