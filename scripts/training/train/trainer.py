"""Pre-train a network on synthetic tables, by settings of a recipe (`recipe.py`).

A step averages the gradients of several small batches of different table shapes, computed
by several threads. The learning rates warm up and then stay, so that a run may go on
for any number of pieces: `resume` takes up weights, optimisers and tables exactly where
`last.pt` left them, whatever the length of the pieces. From the step `cool` on the rates fall
linearly to zero at the last step.
"""

from __future__ import annotations

import csv
import math
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
from torch import Tensor

from scripts.reference.posterior import LEVELS, POSTERIOR_LEVELS
from scripts.training.network.network import TabICL
from scripts.training.prior.class_tables import CLASSES
from scripts.training.train.batches import Source, Validation, batch_seed, losses
from scripts.training.train.checkpoint import load_network, read
from scripts.training.train.class_batches import ClassSource, class_losses
from scripts.training.train.optimiser import Muon

SURFACE = {"levels": list(LEVELS), "posterior_levels": list(POSTERIOR_LEVELS), "rank": 8}
CLASS_POSTERIOR = {"posterior_levels": list(POSTERIOR_LEVELS), "rank": 8}
CLASS_CHANGES = {"surface": None, "classes": CLASSES}
CLASS_CHANGES |= {"class_posterior": CLASS_POSTERIOR}
COLUMNS = ("step", "cpu_minutes", "tables")  # of log.csv, before the rate and the losses
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


@dataclass
class Settings:
    """What a trainer is told: what a recipe says of a stage, and what is so of one piece."""

    out: Path  # folder of last.pt and log.csv
    config: dict = field(default_factory=dict)  # changes to DEFAULT_CONFIG
    task: str = "regression"  # of a new run
    start: str = ""  # the checkpoint whose weights a new run begins with
    resume: bool = False  # continue from last.pt
    seed: int = 1  # of a new run; a resumed one keeps its own
    steps: int = 1_000_000  # stop at this step
    run_steps: int = 1_000_000  # stop this piece after so many
    run_minutes: float = math.inf
    lr: float = 1e-3
    matrix_lr: float = 2e-3  # of Muon
    warmup: int = 100  # steps
    cool: int = -1  # the step from which the rates fall
    cool_seconds: float = 0.0  # by workers: cool a copy at the end
    ema: float = 0.998  # decay of the averaged weights
    batches: int = 4  # small ones of a step
    cells: int = 8192  # of a small batch, as the next five: see `Source`
    queries: int = 64
    wide: float = 0.25
    least: int = 1  # by workers
    most: int = 32  # by workers
    snapshot: int = 200  # steps between saves
    validate: int = 200  # steps between validations
    threads: int = 2
    device: str = "cpu"  # or cuda: bfloat16, tables by workers
    workers: int = 0  # processes that draw tables (card.py)


def learning_rate(peak: float, step: int, o: Settings) -> float:
    """Linear warm-up, then constant, then linear to zero between `cool` and `steps`."""
    rate = peak * min(1.0, (step + 1) / o.warmup)
    if 0 <= o.cool <= step:
        rate *= max(0.0, (o.steps - step) / max(1, o.steps - o.cool))
    return rate


class Trainer:
    """State of a run; `run` continues until `steps` or `run_minutes` are over.

    `elapsed` is processor time in seconds, over all pieces.
    """

    def __init__(self, options: Settings):
        self.options, self.out = options, options.out
        self.out.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(options.seed)
        self.net = self.first_network()
        self.task = TASKS["classes" if self.net.classes else "regression"]
        self.ema = TabICL(self.net.config)
        self.ema.load_state_dict(self.net.state_dict())
        self.params = list(self.net.parameters())
        self.optimisers = self.make_optimisers()
        self.source = self.task.source(options.cells, options.queries, options.wide)
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
        config = TASKS[o.task].config | o.config
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

    def log(self, names: tuple[str, ...], row: list, losses: list[float]) -> None:
        """Add a line to log.csv: what has these names, the rate, and all losses."""
        path, second = self.out / "log.csv", self.task.second
        fresh = not path.exists()
        row = [*row, f"{self.optimisers[1].param_groups[0]['lr']:.3g}"]
        row += [f"{v:.5f}" for v in losses]
        with open(path, "a", newline="") as file:
            writer = csv.writer(file)
            if fresh:
                writer.writerow([*names, "lr", "label", second, *Validation.columns(second)])
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
                    means = [sum(v) / len(v) for v in zip(*seen)]
                    row = [self.step, f"{self.elapsed / 60:.2f}", self.tables]
                    self.log(COLUMNS, row, means + validation.losses(self.ema, pool))
                    seen = []
        self.save()


def make_trainer(options: Settings) -> Trainer:
    """The trainer for a device: that of `card.py` if there are workers."""
    if options.device != "cpu" and not options.workers:
        options.workers = max(1, (os.cpu_count() or 2) - 1)
    if not options.workers:
        return Trainer(options)
    from scripts.training.train.card import CardTrainer

    return CardTrainer(options)
