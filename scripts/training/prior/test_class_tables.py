"""The class probabilities that tables carry, against draws."""

import unittest

from scripts.needs import needs

needs("scripts/requirements.txt", "torch")

import torch

from scripts.training.prior import class_kinds
from scripts.training.prior.class_kinds import bins, collected, drawn
from scripts.training.prior.class_tables import CLASSES, mislabelled, sample_class_tables
from scripts.training.prior.draw import Draw
from scripts.training.prior.functions import FAMILIES
from scripts.training.prior.noise import LAWS, skewed
from scripts.training.prior.tables import CENTRES
from scripts.training.train.class_batches import ClassSource, renumbered

DRAWS = 200_000


def surprise(y: torch.Tensor, p: torch.Tensor) -> float:
    """Largest difference of shares from probabilities in 20 bands of p, in standard errors."""
    hit, p = torch.nn.functional.one_hot(y, p.shape[-1]).double().flatten(), p.double().flatten()
    band, worst = (p * 20).long().clamp_max(19), 0.0
    for i in range(20):
        here = band == i
        variance = (p * (1 - p))[here].sum()
        if variance > 5:
            worst = max(worst, float((hit - p)[here].sum().abs() / variance.sqrt()))
    return worst


class Kinds(unittest.TestCase):
    """Every kind by what defines it."""

    def check(self, p: torch.Tensor, shares: torch.Tensor, draws: int) -> None:
        error = 5 * (p * (1 - p) / draws).sqrt() + 10 / draws
        self.assertTrue(((p - shares).abs() < error).all(), (p, shares))

    def test_thresholds_under_every_law(self):
        d = Draw(1)
        f, scale = torch.tensor([[-0.8, 0.1, 1.5]]), torch.tensor([[0.3, 1.0, 0.05]])
        cuts = torch.tensor([[-0.9, 0.0, 0.25, 1.6]])
        for chosen in list(LAWS):
            law = skewed(d, 1) if chosen is skewed else chosen
            p = bins(f, scale, law, cuts)[0]
            noise = law(d.normal(1, 3, DRAWS))
            target = (f.unsqueeze(-1) + scale.unsqueeze(-1) * noise)[0]
            inside = torch.searchsorted(cuts[0], target.contiguous())
            shares = torch.nn.functional.one_hot(inside, 5).double().mean(1)
            self.check(p.double(), shares, DRAWS)

    def test_bayes_rule_of_clouds_and_categories(self):
        """Among draws that fall close together, the classes have the shares that p says."""
        for part in (class_kinds.gaussian_columns, class_kinds.categorical_columns):
            for seed in range(6):
                d, k = Draw(seed), 3
                share = torch.tensor([[0.5, 0.3, 0.2]])
                y = drawn(d, share.unsqueeze(1).expand(-1, DRAWS, -1))
                x, density = part(d, y, 1, k)
                p = torch.softmax(torch.log(share).unsqueeze(1) + density, dim=-1)[0].double()
                order = x[0, :, 0].argsort()
                hit = torch.nn.functional.one_hot(y[0], k).double()
                for some in order.split(DRAWS // 40):
                    want, got = p[some].mean(0), hit[some].mean(0)
                    self.check(want, got, len(some))

    def test_bins_become_classes(self):
        p = torch.rand(2, 5, 7)
        p = p / p.sum(-1, keepdim=True)
        for seed in range(5):
            together = collected(Draw(seed), p, 3)
            self.assertLess((together.sum(-1) - 1).abs().max(), 1e-5)
            self.assertTrue((together.sum((0, 1)) > 0).all())
        self.assertTrue(torch.equal(collected(Draw(0), p, 7), p))

    def test_labels_drawn_anew(self):
        p = torch.tensor([0.7, 0.2, 0.1]).expand(1, DRAWS, 3)
        d = Draw(4)
        q, y = mislabelled(d, p, drawn(d, p))
        shares = torch.bincount(y[0], minlength=3) / DRAWS
        self.assertGreater((q - p).abs().max(), 1e-3)
        self.check(q[0, 0].double(), shares.double(), DRAWS)


class Tables(unittest.TestCase):
    def test_every_family_has_the_shares_that_its_truth_says(self):
        """Each kind and family of functions, with a few hundred rows of many tables."""
        seen: dict[str, list] = {}
        for seed in range(260):
            t = sample_class_tables(seed, 8, 300, 1 + seed % 6)
            for i, name in enumerate(t.family):
                known = ~torch.isnan(t.p[i]).any(-1)
                seen.setdefault(name, []).append((t.y[i][known], t.p[i][known]))
        wanted = {f"{kind}/{f.__name__}" for kind in ("scores", "thresholds") for f in FAMILIES}
        wanted |= {f"thresholds/{f.__name__}" for f in CENTRES} - {"thresholds/functional"}
        self.assertEqual(set(seen), wanted | {"leaves", "mixture", "causal"})
        for name, parts in seen.items():
            y, p = (torch.cat(part) for part in zip(*parts))
            with self.subTest(family=name):
                self.assertEqual(len(y) == 0, name == "causal")
                if name != "causal":
                    self.assertLess((p.sum(-1) - 1).abs().max(), 1e-4)
                    self.assertLess(surprise(y, p), 4.5)

    def test_known_where_it_can_be_known(self):
        for seed in range(60):
            t = sample_class_tables(seed, 4, 48, 4)
            lost = torch.isnan(t.p).any(-1)
            self.assertTrue(bool(lost[torch.isnan(t.x).any(-1)].all()))
            self.assertTrue(((t.y >= 0) & (t.y < CLASSES)).all())
            for i, name in enumerate(t.family):
                if name not in ("causal", "mixture"):
                    self.assertTrue(torch.equal(lost[i], torch.isnan(t.x[i]).any(-1)), name)


class Batches(unittest.TestCase):
    def test_classes_are_those_of_the_context(self):
        y = torch.tensor([[3, 0, 3, 5, 0, 3], [1, 1, 1, 1, 0, 1]])
        p = torch.zeros(2, 6, CLASSES)
        p[..., 0], p[..., 3], p[..., 5] = 0.2, 0.3, 0.5
        new, q, classes = renumbered(y, p, 3)
        self.assertEqual(new[0].tolist(), [1, 0, 1, -1, 0, 1])
        self.assertEqual(classes.tolist(), [2, 2])
        torch.testing.assert_close(q[0, 3, :3], torch.tensor([0.4, 0.6, 0.0]))
        self.assertEqual(new[1].tolist(), [0, 0, 0, -1, -1, -1])
        self.assertTrue(torch.isnan(q[1]).all())

    def test_what_a_network_is_given(self):
        for seed in range(30):
            batch = ClassSource(2000, queries=32).batch(10 * seed)
            self.assertTrue(batch.x.isfinite().all())
            self.assertTrue((batch.y[:, : batch.rows] >= 0).all())
            self.assertTrue((batch.y < batch.classes.unsqueeze(-1)).all())
            known = batch.p[~torch.isnan(batch.p).any(-1)]
            self.assertLess((known.sum(-1) - 1).abs().max() if len(known) else 0, 1e-4)
