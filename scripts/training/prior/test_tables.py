"""The truth that tables carry, against draws."""

import unittest
from collections.abc import Iterable

from scripts.needs import needs

needs("scripts/requirements.txt", "torch")

import torch

from scripts.reference.posterior import LEVELS
from scripts.training.prior import noise, tables, target
from scripts.training.prior.draw import Draw
from scripts.training.prior.target import Target, mean_rule, noisy, scores, warped

DRAWS = 1_000_000


def mechanisms() -> dict:
    """A million draws of every tabulated law by what defines it."""
    d = Draw(5)
    z, one = d.normal(DRAWS), d.uniform(DRAWS)
    return {
        noise.student: z / (d.normal(DRAWS, 3).square().mean(-1) + 0.02).sqrt(),
        noise.laplace: z * torch.sqrt(-torch.log(one)),
        noise.mixture: torch.where(one < 0.1, 5.0, 0.7) * z,
        noise.split: z / 2 + torch.where(one < 0.5, 1.0, -1.0),
        noise.bounded: (2 * one - 1) * 3**0.5,
        noise.normal: z,
    }


class Laws(unittest.TestCase):
    def test_quantiles_are_those_of_draws(self):
        levels = torch.tensor(LEVELS, dtype=torch.float64)
        for law, draws in mechanisms().items():
            want = torch.tensor([draws.kthvalue(int(u * DRAWS)).values for u in LEVELS])
            got = law(torch.special.ndtri(levels).float())
            step = torch.tensor([(draws <= g).double().mean() for g in got])
            # 5 standard errors of a share of a million draws
            limit = 5 * (levels * (1 - levels) / DRAWS).sqrt()
            self.assertTrue(((step - levels).abs() < limit).all(), (law, got, want))

    def test_monotone_with_median_zero(self):
        z = torch.linspace(-6, 6, 5001)
        for law in list(mechanisms()) + [noise.skewed(Draw(1), 3)]:
            e = law(z.expand(3, 1, -1))
            self.assertTrue((e.diff(dim=-1) >= 0).all(), law)
            self.assertLess(law(torch.zeros(3, 1, 1)).abs().max(), 1e-6)


class Truth(unittest.TestCase):
    def check(self, law, seed: int, heaviness: float = 1.0) -> None:
        """Three rows repeated: the truth of a warped table against its own million draws."""
        f = torch.tensor([[-0.7, 0.2, 1.3]]).repeat_interleave(DRAWS // 4, dim=1)
        scale = torch.tensor([[0.4, 0.05, 1.0]]).repeat_interleave(DRAWS // 4, dim=1)
        with_few = Target(noisy(Draw(seed), f[:, ::1000], scale[:, ::1000], law).values)
        z = Draw(seed + 1).normal(*f.shape, 1)
        many = f.unsqueeze(-1) + scale.unsqueeze(-1) * law(z)
        # The draws go through the very map of the small table: they stand as its levels.
        rows = with_few.values.shape[1]
        packed = many.view(1, rows, -1)
        out = warped(Draw(seed + 2), Target(torch.cat((with_few.values, packed), dim=-1)))
        count = 1 + len(scores())
        quantiles, mean = Target(out.values[..., :count]).truth()
        draws = out.values[..., count:].reshape(3, -1)
        for k, part in enumerate(draws):
            row = k * rows // 3
            for u, q in zip(LEVELS, quantiles[0, row]):
                tolerance = 1e-4 * (1 + q.abs())
                below = (part < q - tolerance).double().mean()
                upto = (part <= q + tolerance).double().mean()
                error = 5 * (u * (1 - u) / part.numel()) ** 0.5
                self.assertLessEqual(below, u + error)
                self.assertGreaterEqual(upto, u - error)
            error = 5 * part.std() / part.numel() ** 0.5 + 0.02 * part.std() + 1e-4
            self.assertLess((part.mean() - mean[0, row]).abs(), heaviness * error)

    def test_warps_floors_and_rounding(self):
        laws = list(noise.LAWS)
        for seed in range(21):
            law = laws[seed % len(laws)]
            drawn = noise.skewed(Draw(seed), 1) if law is noise.skewed else law
            with self.subTest(law=str(law), seed=seed):
                self.check(drawn, 100 + 10 * seed)

    def test_mean_rule(self):
        levels, weights = mean_rule()
        z = torch.special.ndtri(levels)
        self.assertAlmostEqual(float(weights.sum()), 1, places=9)
        self.assertAlmostEqual(float((weights * z.square()).sum()), 1, delta=2e-3)
        self.assertAlmostEqual(float((weights * z.exp()).sum()), 1.6487, delta=2e-3)


def shares_off(drawn: Iterable[tables.Tables]) -> tuple[float, int]:
    """How far the share of targets below Q(u) is from u at most, and of how many targets."""
    below, count = torch.zeros(len(LEVELS)), 0
    for t in drawn:
        known = ~torch.isnan(t.quantiles).any(-1)
        q, y = t.quantiles[known], t.y[known]
        smooth = q.diff(dim=-1).amin(-1) > 1e-4  # no ties
        q, y = q[smooth], y[smooth].unsqueeze(-1)
        below += ((y < q - 1e-6).double() + (y <= q + 1e-6).double()).sum(0) / 2
        count += len(q)
    return float((below / count - torch.tensor(LEVELS)).abs().max()), count


class Tables(unittest.TestCase):
    def test_known_where_it_can_be_known(self):
        known, families = 0, set()
        for seed in range(40):
            t = tables.sample_tables(seed, 8, 48, 4)
            families |= set(t.family)
            lost = torch.isnan(t.quantiles).any(-1)
            holes = torch.isnan(t.x).any(-1)
            causal = torch.tensor([name == "causal" for name in t.family]).unsqueeze(-1)
            self.assertTrue(torch.equal(lost, holes | causal))
            self.assertTrue(torch.equal(lost, torch.isnan(t.mean)))
            q = t.quantiles[~lost]
            self.assertTrue((q.diff(dim=-1) >= -1e-5).all())
            known += len(q)
        self.assertGreater(known, 5000)
        self.assertGreater(len(families), 9)

    def test_shares_below_the_truth(self):
        """Over many tables a share u of the targets lies below the truth of Q(u)."""
        worst, _ = shares_off(tables.sample_tables(seed, 8, 200, 3) for seed in range(120))
        self.assertLess(worst, 0.01)

    def test_no_signal(self):
        seen = 0
        for seed in range(150):
            t = tables.sample_tables(seed, 4, 64, 3)
            if t.family[0] == "constant" and not torch.isnan(t.quantiles).any():
                seen += 1
                middle = t.quantiles[..., target.LEVELS.index(0.5)]
                self.assertLess(middle.std(1).max(), 1e-3)
        self.assertGreater(seen, 2)
