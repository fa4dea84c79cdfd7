"""Pre-train a network on synthetic tables.

    python -m scripts.training.train.trainer --out runs/long --start CHECKPOINT --steps 4000
    python -m scripts.training.train.trainer --out runs/long --resume --run-minutes 90

A step averages the gradients of several small batches of different table shapes, computed
by `--threads` threads. The learning rates warm up and then stay, so that a run may go on
for any number of pieces: `--resume` takes up weights, optimisers and tables exactly where
`last.pt` left them, whatever the length of the pieces. `--cool STEP` lets the rates fall
linearly from that step to zero at `--steps`: do this in a copy of the run's folder to get
the best weights of a piece, and go on with the original.

SIGTERM ends a piece after the step at hand.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
from torch import Tensor

from scripts.reference.posterior import LEVELS, POSTERIOR_LEVELS
from scripts.training.network.network import DEFAULT_CONFIG, TabICL, parameter_count
from scripts.training.prior.class_tables import CLASSES
from scripts.training.train.batches import Source, Validation, batch_seed, losses
from scripts.training.train.checkpoint import load_network, read
from scripts.training.train.class_batches import ClassSource, class_losses
from scripts.training.train.optimiser import Muon

SURFACE = {"levels": list(LEVELS), "posterior_levels": list(POSTERIOR_LEVELS), "rank": 8}
CLASS_POSTERIOR = {"posterior_levels": list(POSTERIOR_LEVELS), "rank": 8}
CLASS_CHANGES = {"surface": None, "classes": CLASSES}
CLASS_CHANGES |= {"class_posterior": CLASS_POSTERIOR}
HIDDEN = ("columns.", "rows.", "icl.", "decoder.first", "surface.first", "class_posterior.first")


@dataclass(frozen=True, eq=False)
class Task:
    """What a network learns: changes to the configuration, tables, both losses, their weight.

    `second` names the loss beside the label's, which counts `weight` times.
    """

    config: dict
    source: type[Source]
    losses: Callable
    second: str
    weight: float


TASKS = {
    "regression": Task({"surface": SURFACE}, Source, losses, "surface", 1.5),
    "classes": Task(CLASS_CHANGES, ClassSource, class_losses, "posterior", 4.0),
}


def learning_rate(peak: float, step: int, o: argparse.Namespace) -> float:
    """Linear warm-up, then constant, then linear to zero between `--cool` and `--steps`."""
    rate = peak * min(1.0, (step + 1) / o.warmup)
    if 0 <= o.cool <= step:
        rate *= max(0.0, (o.steps - step) / max(1, o.steps - o.cool))
    return rate


class Trainer:
    """State of a run; `run` continues until `--steps` or `--run-minutes` are over.

    `elapsed` is processor time in seconds, over all pieces.
    """

    def __init__(self, options: argparse.Namespace):
        self.options, self.out = options, Path(options.out)
        self.out.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(options.seed)
        self.net = self.first_network()
        self.task = TASKS["classes" if self.net.classes else "regression"]
        self.ema = TabICL(self.net.config)
        self.ema.load_state_dict(self.net.state_dict())
        self.params = list(self.net.parameters())
        self.optimisers = self.make_optimisers()
        without = frozenset(options.without.split(","))
        self.source = self.task.source(options.cells, without, options.queries, options.wide)
        if options.workers:
            many = {"least": options.least, "most": options.most}
            self.source = replace(self.source, **many)
        self.step, self.tables, self.elapsed, self.seed = 0, 0, 0.0, options.seed
        self.stopping, self.first = False, 0
        if options.resume:
            self.load()

    def first_network(self) -> TabICL:
        """The network that training begins with; of a resumed run only its shape counts."""
        o = self.options
        if o.resume:
            return TabICL(read(str(self.checkpoint))["config"])
        config = TASKS[o.task].config | (json.loads(o.config) if o.config else {})
        return load_network(o.start, config)[0].train() if o.start else TabICL(config)

    def make_optimisers(self) -> list[torch.optim.Optimizer]:
        o = self.options
        matrices, others = [], []
        for name, p in self.net.named_parameters():
            hidden = p.ndim == 2 and name.startswith(HIDDEN) and "ssmax" not in name
            (matrices if hidden else others).append(p)
        adam = torch.optim.AdamW(others, lr=o.lr, betas=(0.9, 0.98), weight_decay=0.01)
        return [adam, Muon(matrices, o.matrix_lr)]

    @property
    def checkpoint(self) -> Path:
        return self.out / "last.pt"

    def load(self) -> None:
        saved = read(str(self.checkpoint))
        self.net.load_state_dict(saved["net"])
        self.ema.load_state_dict(saved["ema"])
        for optimiser, state in zip(self.optimisers, saved["optimisers"]):
            groups = optimiser.state_dict()["param_groups"]  # this run's options hold
            for kept, group in zip(state["param_groups"], groups):
                kept |= {k: v for k, v in group.items() if k != "params"}
            optimiser.load_state_dict(state)
        self.step, self.tables = saved["step"], saved["tables"]
        self.elapsed, self.seed = saved["elapsed"], saved["seed"]

    def state(self) -> dict:
        """Everything that is needed to go on."""
        return {
            "config": self.net.config,
            "net": self.net.state_dict(),
            "ema": self.ema.state_dict(),
            "optimisers": [o.state_dict() for o in self.optimisers],
            "step": self.step,
            "tables": self.tables,
            "elapsed": self.elapsed,
            "seed": self.seed,
        }

    def save(self) -> None:
        partial = self.checkpoint.with_suffix(".partial")
        torch.save(self.state(), partial)
        partial.replace(self.checkpoint)

    def micro(self, seed: int) -> tuple[float, float, int, tuple[Tensor, ...]]:
        batch = self.source.batch(seed)
        label, second = self.task.losses(self.net, batch)
        total = label + self.task.weight * second
        gradients = torch.autograd.grad(total, self.params, materialize_grads=True)
        return label.item(), second.item(), len(batch.x), gradients

    def train_step(self, pool: ThreadPoolExecutor) -> tuple[float, float]:
        """One update of the weights; both losses before it.

        The gradients of the small batches are weighted by the roots of their numbers of
        tables, with which all add the same noise.
        """
        o = self.options
        first = batch_seed(self.seed, self.step * o.batches)
        results = pool.map(lambda i: self.micro(first + 10 * i), range(o.batches))
        label, second, counts, gradients = zip(*results)
        shares = [math.sqrt(c) for c in counts]
        shares = [s / sum(shares) for s in shares]
        for p, *parts in zip(self.params, *gradients):
            p.grad = sum(share * part for share, part in zip(shares, parts))
        self.tables += sum(counts)
        self.update(learning_rate)
        return sum(label) / len(label), sum(second) / len(second)

    def update(self, rate: Callable) -> None:
        """Change the weights by their gradients, and the average by the weights."""
        o = self.options
        torch.nn.utils.clip_grad_norm_(self.params, 1.0)
        for optimiser, peak in zip(self.optimisers, (o.lr, o.matrix_lr)):
            for group in optimiser.param_groups:
                group["lr"] = rate(peak, self.step, o)
            optimiser.step()
        self.step += 1
        decay = min(o.ema, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.ema.parameters()), self.params, 1 - decay)

    def log(self, seen: list[tuple[float, float]], validation: list[float]) -> None:
        path = self.out / "log.csv"
        fresh = not path.exists()
        means = [sum(v) / len(v) for v in zip(*seen)] or [math.nan] * 2
        lr = self.optimisers[1].param_groups[0]["lr"]
        row = [self.step, f"{self.elapsed / 60:.2f}", self.tables, f"{lr:.3g}"]
        row += [f"{v:.5f}" for v in means + validation]
        with open(path, "a", newline="") as f:
            writer = csv.writer(f)
            if fresh:
                names = ["step", "cpu_minutes", "tables", "lr", "label", self.task.second]
                writer.writerow(names + Validation.columns(self.task.second))
            writer.writerow(row)
        print(*row, flush=True)

    def stop(self, *_) -> None:
        """End `run` after the step at hand; a signal handler."""
        self.stopping = True

    def going(self, minutes: float) -> bool:
        o = self.options
        late = minutes >= o.run_minutes or self.step >= self.first + o.run_steps
        return not self.stopping and self.step < o.steps and not late

    def run(self) -> None:
        o = self.options
        validation = None
        if o.validate:
            validation = Validation(self.task.source(), self.task.losses)
        self.first = self.step
        start, before, seen = time.monotonic(), self.elapsed - time.process_time(), []
        with ThreadPoolExecutor(
            o.threads, initializer=torch.set_flush_denormal, initargs=(True,)
        ) as pool:
            while self.going((time.monotonic() - start) / 60):
                seen.append(self.train_step(pool))
                self.elapsed = before + time.process_time()
                if self.step % o.snapshot == 0:
                    self.save()
                if validation and self.step % o.validate == 0:
                    self.log(seen, validation.losses(self.ema, pool))
                    seen = []
        self.save()


def parse_options(arguments: list[str] | None = None) -> argparse.Namespace:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--out", required=True, help="folder: last.pt and log.csv")
    p.add_argument("--config", help=f"JSON object of changes to {json.dumps(DEFAULT_CONFIG)}")
    p.add_argument("--steps", type=int, default=1_000_000, help="stop at this step")
    p.add_argument("--cool", type=int, default=-1, help="let the rates fall from this step on")
    p.add_argument(
        "--cool-seconds", type=float, default=0.0, help="by workers: cool a copy at the end"
    )
    p.add_argument(
        "--run-minutes", type=float, default=math.inf, help="stop this piece after so long"
    )
    p.add_argument("--run-steps", type=int, default=1_000_000, help="stop after so many steps")
    p.add_argument("--resume", action="store_true", help="continue from last.pt")
    p.add_argument("--task", choices=TASKS, default="regression", help="of a new run")
    p.add_argument("--start", help="begin with the weights of this checkpoint")
    p.add_argument("--device", default="cpu", help="cpu, or cuda: bfloat16, tables by workers")
    p.add_argument("--workers", type=int, default=0, help="processes that draw tables (card.py)")
    p.add_argument("--least", type=int, default=1, help="tables of a small batch, by workers")
    p.add_argument("--most", type=int, default=32, help="tables of a small batch, by workers")
    p.add_argument("--seed", type=int, default=1, help="of a new run; a resumed one keeps its own")
    p.add_argument("--lr", type=float, default=1e-3, help="learning rate")
    p.add_argument("--matrix-lr", type=float, default=2e-3, help="learning rate of Muon")
    p.add_argument("--warmup", type=int, default=100, help="steps of linear warm-up")
    p.add_argument("--ema", type=float, default=0.998, help="decay of the averaged weights")
    p.add_argument("--without", default="", help="families left out of training, with commas")
    p.add_argument("--batches", type=int, default=4, help="small batches per step")
    p.add_argument(
        "--cells", type=int, default=8192, help="rows x (features+2) x tables of a small batch"
    )
    p.add_argument("--queries", type=int, default=64, help="most query rows of a table; 0: all")
    p.add_argument(
        "--wide", type=float, default=0.25, help="share of tables with 10 or more features"
    )
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--snapshot", type=int, default=200, help="steps between saves")
    p.add_argument("--validate", type=int, default=200, help="steps between validations")
    return p.parse_args(arguments)


def make_trainer(options: argparse.Namespace) -> Trainer:
    """The trainer for a device: that of `card.py` if there are workers."""
    if options.device != "cpu" and not options.workers:
        options.workers = max(1, (os.cpu_count() or 2) - 1)
    if not options.workers:
        return Trainer(options)
    from scripts.training.train.card import CardTrainer

    return CardTrainer(options)


if __name__ == "__main__":
    options = parse_options()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    trainer = make_trainer(options)
    signal.signal(signal.SIGTERM, trainer.stop)
    print(parameter_count(trainer.net), "parameters", flush=True)
    trainer.run()
