"""Pre-train the network on synthetic tables.

    python -m scripts.pretrain.train --out runs/small --minutes 90
    python -m scripts.pretrain.train --out runs/small --minutes 90 --resume

The learning rate and the table sizes follow the fraction of the schedule that
has passed: of `--minutes` of training time, or of `--steps`. Training time is
kept in the checkpoint, so a schedule can be cut into runs of any length
(`--run-minutes`). A step averages the gradients of several small batches of
different table shapes, computed by `--threads` threads.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
from torch import Tensor

from scripts.pretrain.checkpoint import load_network
from scripts.pretrain.network import DEFAULT_CONFIG, Output, TabICL, knot_levels, parameter_count
from scripts.pretrain.optimiser import Muon
from scripts.pretrain.pipeline import prepare
from scripts.pretrain.prior import Draw, sample_tables, sample_width

# (fraction of the schedule, {rows of a table: weight})
CURRICULUM = (
    (0.25, {32: 0.5, 64: 0.5, 128: 3}),
    (0.55, {48: 0.5, 96: 1, 256: 3, 512: 0.5}),
    (0.85, {20: 0.1, 64: 0.5, 160: 1, 256: 1.5, 512: 2, 1024: 0.5}),
    (1.01, {20: 0.1, 48: 0.3, 96: 0.5, 256: 1, 512: 2, 1024: 1.5, 2048: 0.5}),
)
LOG_FIELDS = (
    "step",
    "minutes",
    "tables",
    "lr",
    "train_loss",
    "val_loss",
    "val_large_loss",
    "val_median_loss",
)


@dataclass
class Batch:
    x: Tensor
    y: Tensor
    median: Tensor
    rows: int


def pinball(q: Tensor, y: Tensor) -> Tensor:
    """Mean pinball loss of quantiles q [B,M,Q] for targets y [B,M], which may be unknown (NaN)."""
    levels = knot_levels(q.shape[-1]).to(q.device)
    known = ~torch.isnan(y)
    if not known.any():
        return 0.0 * q.sum()
    e = y[known].unsqueeze(-1) - q[known].float()
    return torch.maximum(levels * e, (levels - 1) * e).mean()


def sample_batch(seed: int, rows: dict, cells: int, device: str = "cpu") -> Batch:
    """Tables of one shape with about `cells` cells, split into context and query."""
    d = Draw(seed)
    t, h = d.pick(rows), sample_width(d)
    b = max(1, min(32, round(cells / (t * (h + 2)))))
    n = max(3, int(t * float(d.uniform(1, low=0.1, high=0.9))))
    tables = sample_tables(seed + 1, b, t, h, min(4, max(1, b // 2)), device)
    powered = d.mask(0.5, b).to(device)
    return Batch(*prepare(tables.x, tables.y, tables.median, n, powered), n)


def batch_losses(net: TabICL, batch: Batch) -> tuple[Tensor, Tensor]:
    """Loss of the target's quantiles and of its conditional median's."""
    n = batch.rows
    with torch.autocast(batch.x.device.type, torch.bfloat16, enabled=batch.x.is_cuda):
        out: Output = net(batch.x, batch.y[:, :n])
    label = pinball(out.quantiles, batch.y[:, n:])
    if out.median is None:
        return label, torch.zeros_like(label)
    return label, pinball(out.median, batch.median[:, n:])


class Validation:
    """Fixed tables of the prior: ordinary sizes and large contexts."""

    def __init__(self, cells: int, device: str):
        usual, large = {128: 1, 256: 2}, {1024: 1, 2048: 1}
        self.usual = [sample_batch(900_000_000 + 10 * i, usual, cells, device) for i in range(48)]
        self.large = [sample_batch(910_000_000 + 10 * i, large, cells, device) for i in range(8)]

    def losses(self, net: TabICL, pool: ThreadPoolExecutor) -> tuple[str, str, str]:
        """Target's loss on ordinary and large tables, and the median's on ordinary ones."""

        def one(batch: Batch) -> list[float]:
            with torch.no_grad():
                return [v.item() for v in batch_losses(net, batch)]

        usual, large = list(pool.map(one, self.usual)), list(pool.map(one, self.large))
        label, median = (sum(v) / len(usual) for v in zip(*usual))
        return tuple(f"{v:.5f}" for v in (label, sum(v[0] for v in large) / len(large), median))


def learning_rate(peak: float, step: int, progress: float, warmup: int) -> float:
    decay = 0.5 * (1 + math.cos(math.pi * min(1.0, progress)))
    return peak * min(1.0, (step + 1) / warmup) * max(decay, 0.004)


def table_rows(progress: float) -> dict:
    return next(rows for end, rows in CURRICULUM if progress < end)


class Trainer:
    """State of a run; `run` continues until the schedule or the run ends."""

    def __init__(self, options: argparse.Namespace):
        self.options, self.out = options, Path(options.out)
        self.out.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(options.seed)
        config = json.loads(options.config) if options.config else {}
        net = load_network(options.start, config)[0].train() if options.start else TabICL(config)
        self.net = net.to(options.device)
        self.ema = TabICL(self.net.config).to(options.device)
        self.ema.load_state_dict(self.net.state_dict())
        self.params = list(self.net.parameters())
        self.optimisers = self.make_optimisers()
        self.step, self.tables, self.elapsed = 0, 0, 0.0
        if options.resume:
            self.load()

    def make_optimisers(self) -> list[torch.optim.Optimizer]:
        o = self.options
        blocks = ("columns.", "rows.", "icl.", "decoder.first")
        matrices, others = [], []
        for name, p in self.net.named_parameters():
            hidden = p.ndim == 2 and name.startswith(blocks) and "ssmax" not in name
            (matrices if hidden and o.optimiser == "muon" else others).append(p)
        adam = torch.optim.AdamW(others, lr=o.lr, betas=(0.9, 0.98), weight_decay=0.01)
        return [adam] + ([Muon(matrices, lr=o.matrix_lr)] if matrices else [])

    @property
    def checkpoint(self) -> Path:
        return self.out / "last.pt"

    def load(self) -> None:
        saved = torch.load(self.checkpoint, weights_only=True, map_location=self.options.device)
        self.net.load_state_dict(saved["net"])
        self.ema.load_state_dict(saved["ema"])
        for optimiser, state in zip(self.optimisers, saved["optimisers"]):
            optimiser.load_state_dict(state)
        self.step, self.tables, self.elapsed = saved["step"], saved["tables"], saved["elapsed"]

    def save(self) -> None:
        state = {
            "config": self.net.config,
            "net": self.net.state_dict(),
            "ema": self.ema.state_dict(),
            "optimisers": [o.state_dict() for o in self.optimisers],
            "step": self.step,
            "tables": self.tables,
            "elapsed": self.elapsed,
        }
        partial = self.checkpoint.with_suffix(".partial")
        torch.save(state, partial)
        partial.replace(self.checkpoint)

    def progress(self) -> float:
        o = self.options
        return self.step / o.steps if o.steps else self.elapsed / (60 * o.minutes)

    def micro(self, seed: int, rows: dict) -> tuple[float, int, tuple[Tensor, ...]]:
        batch = sample_batch(seed, rows, self.options.cells, self.options.device)
        label, median = batch_losses(self.net, batch)
        gradients = torch.autograd.grad(label + median, self.params, materialize_grads=True)
        return label.item(), len(batch.x), gradients

    def train_step(self, pool: ThreadPoolExecutor) -> float:
        o, progress = self.options, self.progress()
        rows = table_rows(progress)
        first = (o.seed * 1_000_000 + self.step * o.batches) * 10
        results = pool.map(lambda i: self.micro(first + 10 * i, rows), range(o.batches))
        losses, counts, gradients = zip(*results)
        for p, *parts in zip(self.params, *gradients):
            p.grad = torch.stack(parts).mean(0)
        torch.nn.utils.clip_grad_norm_(self.params, 1.0)
        for optimiser, peak in zip(self.optimisers, (o.lr, o.matrix_lr)):
            for group in optimiser.param_groups:
                group["lr"] = learning_rate(peak, self.step, progress, o.warmup)
            optimiser.step()
        self.step, self.tables = self.step + 1, self.tables + sum(counts)
        decay = min(o.ema, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.ema.parameters()), self.params, 1 - decay)
        return sum(losses) / len(losses)

    def log(self, losses: list[float], validation: tuple[str, str, str] = ("", "", "")) -> None:
        path = self.out / "log.csv"
        fresh = not path.exists() or (self.step <= 1 and not self.options.resume)
        lr = self.optimisers[0].param_groups[0]["lr"]
        row = (self.step, f"{self.elapsed / 60:.2f}", self.tables, f"{lr:.3g}")
        row += (f"{sum(losses) / len(losses):.5f}",) + validation
        with open(path, "w" if fresh else "a", newline="") as f:
            writer = csv.writer(f)
            if fresh:
                writer.writerow(LOG_FIELDS)
            writer.writerow(row)
        print(*row, flush=True)

    def run(self) -> None:
        o = self.options
        validation = Validation(o.cells, o.device)
        start, before, losses = time.monotonic(), self.elapsed, []
        next_log, next_validation = 0.0, o.validate_minutes
        with ThreadPoolExecutor(
            o.threads, initializer=torch.set_flush_denormal, initargs=(True,)
        ) as pool:
            while self.progress() < 1 and (time.monotonic() - start) / 60 < o.run_minutes:
                losses.append(self.train_step(pool))
                self.elapsed = before + time.monotonic() - start
                minutes = (self.elapsed - before) / 60
                if minutes >= next_validation:
                    self.log(losses, validation.losses(self.ema, pool))
                    self.save()
                    losses, next_validation = [], minutes + o.validate_minutes
                elif minutes >= next_log:
                    self.log(losses)
                    losses, next_log = [], minutes + o.log_minutes
            self.log(losses or [math.nan], validation.losses(self.ema, pool))
        self.save()


def parse_options() -> argparse.Namespace:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--out", required=True, help="folder of the run: last.pt and log.csv")
    p.add_argument("--config", help=f"JSON object of changes to {json.dumps(DEFAULT_CONFIG)}")
    p.add_argument("--minutes", type=float, default=90, help="length of the schedule (default 90)")
    p.add_argument("--steps", type=int, default=0, help="length of the schedule in steps instead")
    p.add_argument(
        "--run-minutes", type=float, default=math.inf, help="stop this run after so long"
    )
    p.add_argument("--resume", action="store_true", help="continue from last.pt")
    p.add_argument("--start", help="begin a new schedule with the weights of this checkpoint")
    p.add_argument("--device", default="cpu", help="cpu, or cuda: bfloat16 and tables drawn there")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--lr", type=float, default=2e-3, help="peak learning rate")
    p.add_argument("--matrix-lr", type=float, default=5e-3, help="peak learning rate of Muon")
    p.add_argument("--warmup", type=int, default=100, help="steps of linear warm-up")
    p.add_argument("--optimiser", choices=("muon", "adamw"), default="muon")
    p.add_argument("--ema", type=float, default=0.998, help="decay of the averaged weights")
    p.add_argument("--batches", type=int, default=4, help="small batches per step")
    p.add_argument(
        "--cells", type=int, default=8192, help="rows x (features+2) x tables of a small batch"
    )
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--log-minutes", type=float, default=0.5)
    p.add_argument("--validate-minutes", type=float, default=3.0)
    return p.parse_args()


if __name__ == "__main__":
    options = parse_options()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    trainer = Trainer(options)
    print(parameter_count(trainer.net), "parameters", flush=True)
    trainer.run()
