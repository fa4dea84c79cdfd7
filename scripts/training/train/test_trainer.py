"""Training resumes exactly."""

import tempfile
import unittest
from pathlib import Path

from scripts.needs import needs

needs("scripts/requirements.txt", "torch")

import torch

from scripts.reference.posterior import LEVELS, POSTERIOR_LEVELS
from scripts.training.network.network import TabICL
from scripts.training.train.checkpoint import load_network, write_small
from scripts.training.train.trainer import SURFACE, Settings, Trainer, learning_rate

TINY = {
    "embed_dim": 8,
    "col_heads": 2,
    "row_heads": 2,
    "icl_heads": 2,
    "icl_blocks": 1,
    "inducing": 4,
}


def piece(folder: Path, steps: int, **more) -> dict:
    """Train up to a step and return the training checkpoint."""
    Trainer(Settings(folder, TINY, steps=steps, cells=600, validate=0, snapshot=2, **more)).run()
    return torch.load(folder / "last.pt", weights_only=True)


def same(one, two) -> bool:
    if isinstance(one, torch.Tensor):
        return torch.equal(one, two)
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(same(one[k], two[k]) for k in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(two) and all(map(same, one, two))
    return one == two


class Resuming(unittest.TestCase):
    def test_two_pieces_are_one_run_bit_for_bit(self):
        with tempfile.TemporaryDirectory() as folder:
            whole = piece(Path(folder) / "whole", 6)
            piece(Path(folder) / "cut", 3)
            cut = piece(Path(folder) / "cut", 6, resume=True)
            for state in (whole, cut):
                state.pop("elapsed")
            self.assertTrue(same(whole, cut))
            average = Path(folder) / "small.pt"
            write_small(str(Path(folder) / "cut" / "last.pt"), str(average))
            net, facts = load_network(str(average))
            self.assertEqual(facts["step"], 6)
            self.assertTrue(torch.equal(net.cls.data, cut["ema"]["cls"].half().float()))

    def test_a_classifier_goes_on_from_a_regressor(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder)
            piece(path / "numbers", 2)
            start = {"task": "classes", "start": str(path / "numbers" / "last.pt")}
            whole = piece(path / "whole", 4, **start)
            piece(path / "cut", 2, **start)
            cut = piece(path / "cut", 4, resume=True)
            for state in (whole, cut):
                state.pop("elapsed")
            self.assertTrue(same(whole, cut))
            net, _ = load_network(str(path / "cut" / "last.pt"))
            self.assertEqual(net.outputs(), ["logits", "class_posterior"])

    def test_training_changes_every_weight(self):
        with tempfile.TemporaryDirectory() as folder:
            state = piece(Path(folder) / "run", 6)
            torch.manual_seed(1)
            first = TabICL(state["config"]).state_dict()
            still = [k for k, v in state["net"].items() if torch.equal(v, first[k])]
            self.assertEqual(still, [])


class Rates(unittest.TestCase):
    def test_warm_up_stay_and_cool(self):
        o = Settings(Path("x"), warmup=10, cool=100, steps=200)
        rates = [learning_rate(2.0, step, o) for step in (0, 4, 9, 99, 100, 150, 200)]
        for rate, want in zip(rates, (0.2, 1.0, 2.0, 2.0, 2.0, 1.0, 0.0)):
            self.assertAlmostEqual(rate, want)
        o = Settings(Path("x"), warmup=10)
        self.assertEqual(learning_rate(2.0, 900_000, o), 2.0)


class Surfaces(unittest.TestCase):
    def test_a_new_surface_begins_at_the_label(self):
        torch.manual_seed(3)
        plain = TabICL(TINY)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "plain.pt"
            torch.save({"config": plain.config, "weights": plain.state_dict()}, path)
            net, _ = load_network(str(path), {"surface": SURFACE})
            old, _ = load_network(str(path))
        x, y = torch.randn(2, 40, 3), torch.randn(2, 30)
        out = net(x, y)
        self.assertTrue(torch.equal(out.quantiles, old(x, y).quantiles))
        self.assertEqual(out.posterior.shape, (2, 10, len(LEVELS) + 1, len(POSTERIOR_LEVELS)))
        base = out.quantiles[..., [round(100 * u) - 1 for u in LEVELS]]
        middle = out.posterior[..., :-1, POSTERIOR_LEVELS.index(0.5)]
        self.assertLess((middle - base).abs().max(), 1.0)

    def test_context_and_query_agree_with_forward(self):
        """Here the blocks have been trained, so that they do something."""
        for form in ({}, {"group": [0, 1, 3]}):
            torch.manual_seed(3)
            net = TabICL(TINY | {"surface": SURFACE} | form).eval()
            for p in net.parameters():
                p.data += 0.1 * torch.randn_like(p)
            x, y = torch.randn(2, 40, 3), torch.randn(2, 30)
            with torch.no_grad():
                whole = net(x, y).posterior
                split = net.query(x[:, 30:], *net.context(x[:, :30], y)).posterior
            self.assertLess((whole - split).abs().max(), 1e-4, form)
