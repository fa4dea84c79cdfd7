"""Training with worker processes: repeatable, resumable, and the same as without them."""

import copy
import os
import signal
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

from scripts.needs import needs

needs("scripts/requirements.txt", "torch")

import torch

from scripts.training.network.network import TabICL
from scripts.training.network.surface import surface_loss
from scripts.training.train.batches import Source, batch_seed, losses
from scripts.training.train.card import COOLED, fuse
from scripts.training.train.checkpoint import load_network, read
from scripts.training.train.class_batches import ClassSource
from scripts.training.train.state import FIRST
from scripts.training.train.stream import Stream
from scripts.training.train.test_trainer import TINY, same
from scripts.training.train.trainer import SURFACE, Settings, make_trainer

SOURCE = Source(cells=600, queries=16)


def run(folder: Path, steps: int, workers: int = 1, config: dict = TINY, **more):
    """Train up to a step by workers, or without any; the training checkpoint."""
    given = {"cells": 600, "validate": 0, "snapshot": 3, "queries": 16, "batches": 2} | more
    trainer = make_trainer(Settings(folder, config, steps=steps, workers=workers, **given))
    trainer.run()
    return read(str(trainer.checkpoint))


class Streams(unittest.TestCase):
    def batches(self, source: Source, workers: int, count: int, first: int = 0) -> list:
        stream = Stream(source, 1, workers, first)
        try:
            return [stream.batch("cpu") for _ in range(count)]
        finally:
            stream.close()

    def test_order_does_not_depend_on_workers(self):
        for source in (SOURCE, ClassSource(cells=600, queries=16)):
            one, three = (self.batches(source, w, 8) for w in (1, 3))
            later = self.batches(source, 2, 3, first=5)
            for a, b in zip(one + one[5:], three + later):
                for name, value in vars(a).items():
                    if isinstance(value, torch.Tensor):
                        self.assertTrue(
                            torch.equal(value.nan_to_num(), getattr(b, name).nan_to_num())
                        )

    def test_tables_are_those_of_the_source(self):
        for k, batch in enumerate(self.batches(SOURCE, 2, 4)):
            drawn, n = SOURCE.batch(batch_seed(1, k)), batch.rows
            self.assertEqual(drawn.rows, n)
            for got, want in ((batch.x, drawn.x), (batch.y, drawn.y),
                              (batch.truth[:, n:], drawn.truth[:, n:])):  # fmt: skip
                got, want = got.nan_to_num(), want.nan_to_num()
                self.assertLess(((got - want).abs() / (1 + want.abs())).max(), 1e-3)

    def test_many_tables_in_repeated_shapes(self):
        source = replace(SOURCE, cells=4000, least=16, most=64)
        widths = {b.x.shape[2] for b in (source.batch(10 * k) for k in range(12))}
        counts = {len(b.x) for b in (source.batch(10 * k) for k in range(12))}
        self.assertTrue(16 <= min(counts) and max(counts) <= 64, counts)
        self.assertLess(len(widths), 12)

    def test_a_worker_that_ends(self):
        stream = Stream(SOURCE, 1, 1)
        try:
            stream.batch("cpu")
            os.kill(stream.workers[0][0].pid, signal.SIGKILL)
            with self.assertRaisesRegex(RuntimeError, "a worker that draws tables ended"):
                for _ in range(10):
                    stream.batch("cpu")
        finally:
            stream.close()


class Card(unittest.TestCase):
    def test_pieces_and_workers_change_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            whole = run(Path(folder) / "whole", 6)
            run(Path(folder) / "cut", 3, workers=2)
            cut = run(Path(folder) / "cut", 6, workers=3, resume=True)
            whole.pop("elapsed"), cut.pop("elapsed")
            self.assertEqual(cut["step"], 6)
            self.assertTrue(same(whole, cut))

    def test_a_copy_cools(self):
        """It leaves the state as it is, and its own weights are elsewhere."""
        with tempfile.TemporaryDirectory() as folder:
            whole = run(Path(folder) / "whole", 3)
            cooled = run(Path(folder) / "cool", 3, cool_seconds=1.0)
            whole.pop("elapsed"), cooled.pop("elapsed")
            self.assertTrue(same(whole, cooled))
            copy = read(str(Path(folder) / "cool" / COOLED))
            self.assertGreater(copy["step"], 3)
            self.assertTrue(all(torch.isfinite(v).all() for v in copy["weights"].values()))
            self.assertFalse(same(copy["weights"], {k: v.half() for k, v in whole["net"].items()}))

    def test_it_trains_as_without_workers(self):
        """The same tables, in float16 on their way: nearly the same weights, and less loss."""
        with tempfile.TemporaryDirectory() as folder:
            rates = {"warmup": 5, "lr": 3e-3, "matrix_lr": 1e-2}
            run(Path(folder) / "card", 16, workers=2, **rates)
            run(Path(folder) / "plain", 16, workers=0, **rates)
            nets = [load_network(str(Path(folder) / p))[0]
                    for p in (f"card/{FIRST}", "plain/last.pt")]  # fmt: skip
            torch.manual_seed(1)
            fresh = type(nets[0])(nets[0].config)
            tables = [Source(1000, queries=32).batch(10 * k) for k in range(900, 906)]
            with torch.no_grad():
                card, plain, first = (
                    torch.tensor([[float(v) for v in losses(net, b)] for b in tables]).mean(0)
                    for net in (*nets, fresh)
                )
        self.assertTrue(card[1] < 0.9 * first[1], (card, first))
        self.assertLess(((card - plain).abs() / plain).max(), 0.01, (card, plain))

    def test_products_in_bfloat16(self):
        """Sums, outputs and losses stay float32; the losses are nearly those of float32."""
        torch.manual_seed(1)
        with tempfile.TemporaryDirectory() as folder:
            trainer = make_trainer(Settings(Path(folder), TINY, workers=1))
        for p in trainer.params:
            p.data += 0.1 * torch.randn_like(p)
        batch, found = Source(2000, queries=32).batch(70), []
        for half in (False, True):
            trainer.half = half
            with trainer.autocast():
                out = trainer.net(batch.x, batch.y[:, : batch.rows])
                found.append(torch.stack(losses(trainer.net, batch)))
            self.assertEqual({out.quantiles.dtype, out.posterior.dtype}, {torch.float32})
        self.assertFalse(torch.equal(*found))
        self.assertLess(((found[0] - found[1]).abs() / found[0]).max(), 0.02)
        found[1].sum().backward()

    def test_fused_blocks(self):
        """One graph for every kind of block, whatever the sizes; the same losses and gradients."""
        torch.manual_seed(1)
        net = TabICL({"embed_dim": 16, "col_blocks": 2, "icl_blocks": 3, "surface": SURFACE})
        for p in net.parameters():
            p.data += 0.1 * torch.randn_like(p)
        fused = copy.deepcopy(net)
        fuse(fused, "aot_eager")
        counters = torch._dynamo.utils.counters
        counters.clear()
        for seed in (70, 80, 90, 120):
            found = []
            batch = Source(2000, queries=32, least=4).batch(seed)
            for one in (net, fused):
                one.zero_grad()
                label, surface = losses(one, batch)
                (label + surface).backward()
                gradients = torch.cat([p.grad.flatten() for p in one.parameters()])
                found.append((torch.stack((label, surface)).detach(), gradients))
            for plain, other in zip(*found):
                self.assertLess((plain - other).norm() / plain.norm(), 1e-5)
        self.assertLessEqual(counters["stats"]["unique_graphs"], 8, counters["stats"])
        self.assertFalse(counters["graph_break"])

    def test_six_bytes_a_weight(self):
        with tempfile.TemporaryDirectory() as folder:
            run(Path(folder), 1, config={"embed_dim": 64, "icl_blocks": 4})
            weights = load_network(str(Path(folder) / FIRST))[0].state_dict()
            count = sum(v.numel() for v in weights.values())
            size = sum(path.stat().st_size for path in Path(folder).glob("state.*"))
            self.assertLess(size, 7.5 * count)

    def test_the_loss_of_known_rows_only(self):
        torch.manual_seed(2)
        levels = torch.tensor([0.1, 0.5, 0.9])
        surface, truth = torch.randn(3, 5, 4, 3), torch.randn(3, 5, 4)
        truth[0, :, 2] = torch.nan
        known = truth[1:].unsqueeze(-1) - surface[1:]
        want = torch.maximum(levels * known, (levels - 1) * known).mean()
        self.assertAlmostEqual(float(surface_loss(surface, truth, levels)), float(want), places=6)
        self.assertEqual(float(surface_loss(surface, torch.nan * truth, levels)), 0.0)
