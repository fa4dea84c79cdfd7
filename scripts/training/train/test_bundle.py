"""The weights of a bundle, as a network, compute what its graphs compute."""

import unittest
from pathlib import Path

from scripts.needs import ROOT, needs

needs("scripts/requirements.txt", "onnx", "onnxruntime", "torch")

import numpy as np
import torch

from scripts.export.bundle.graphs import Graphs
from scripts.training.network.network import parameter_count
from scripts.training.train.bundle import load_bundle
from scripts.training.train.checkpoint import load_network

SHAPES = ((1, 40, 3, 7), (2, 120, 6, 5))


def gap(folder: Path) -> float:
    """Largest relative difference between a bundle's graphs and the network of its weights."""
    net, graphs, g = load_bundle(folder), Graphs(folder), np.random.default_rng(5)
    worst = 0.0
    for b, n, h, m in SHAPES:
        x, queries = (g.standard_normal((b, k, h)).astype(np.float32) for k in (n, m))
        y = g.integers(3, size=n) if net.classes else g.standard_normal(n)
        y = np.broadcast_to(y.astype(np.float32), (b, n))
        with torch.no_grad():
            want = net(torch.from_numpy(np.concatenate((x, queries), 1)), torch.tensor(y))
        for got, wanted in zip(graphs(x, y, queries), want):
            wanted = wanted.numpy()
            worst = max(worst, float((abs(got - wanted) / np.maximum(1, abs(wanted))).max()))
    return worst


class Bundles(unittest.TestCase):
    def test_embedded_bundles(self):
        for name in ("default", "classifier"):
            self.assertLess(gap(ROOT / "models" / name), 2e-5, name)

    def test_every_weight_is_there_and_half(self):
        net, _ = load_network(str(ROOT / "models" / "default"))
        self.assertEqual(parameter_count(net), 2_080_971)
        asked = ("collect.in_", "collect.ssmax.gate")
        for name, value in net.state_dict().items():
            if not any(part in name for part in asked):
                self.assertTrue(torch.equal(value, value.half().float()), name)

    def test_blocks_may_be_added(self):
        net, _ = load_network(str(ROOT / "models" / "default"), {"icl_blocks": 13})
        old, _ = load_network(str(ROOT / "models" / "default"))
        x, y = torch.randn(1, 30, 4), torch.randn(1, 20)
        with torch.no_grad():
            self.assertLess((net(x, y).quantiles - old(x, y).quantiles).abs().max(), 1e-5)
