"""Training on a graphics card: tables by worker processes, products in bfloat16.

A run has the settings of `trainer.py`. What differs: the small batches of a step come one after
the other from a `Stream`, are worked off without a number of them asked back, and the state is
that of `state.py`. In how many pieces a run is made changes it only by the rounding of each save;
the number of workers changes nothing. On a CPU (`--workers 2`) it does the same in float32.
"""

from __future__ import annotations

import math
import time
from functools import cache, partial

import torch

from scripts.training.network.network import TabICL
from scripts.training.train.batches import Validation
from scripts.training.train.state import FIRST, MOST, write_state
from scripts.training.train.stream import Stream
from scripts.training.train.trainer import Task, Trainer, learning_rate

COOLED = "cooled.pt"
COLUMNS = ("step", "seconds", "tables", "tables_a_second", "waiting")


@cache
def validation_of(task: Task) -> Validation:
    """The validation tables of a task, which take seconds to draw."""
    return Validation(task.source(), task.losses)


def cooled_rate(left: float, peak: float, step: int, options) -> float:
    """A share of the learning rate."""
    return left * learning_rate(peak, step, options)


def fuse(net: TabICL, backend: str = "inductor") -> None:
    """Let torch.compile fuse the small operations of blocks: one graph for every kind of block.

    Sizes stay open in the graphs, so that new shapes need no new ones. A block that cannot be
    compiled runs as it is.
    """
    from torch._dynamo import config as tracing
    from torch._inductor import config as fusing

    tracing.suppress_errors, tracing.recompile_limit = True, 64
    if hasattr(fusing.triton, "coalesce_tiling_analysis"):
        fusing.triton.coalesce_tiling_analysis = False  # PyTorch 2.11 fails with open sizes
    for part in (*net.columns, *net.rows):
        part.forward = torch.compile(part.forward, dynamic=True, backend=backend)
    for part in net.icl:
        part.among = torch.compile(part.among, dynamic=True, backend=backend)


class CardTrainer(Trainer):
    """As `Trainer`; `elapsed` is seconds of the clock, over all pieces."""

    def __init__(self, options):
        if options.device != "cpu":
            torch.set_float32_matmul_precision("high")  # of Muon and of the outputs
            torch.backends.cuda.enable_cudnn_sdp(False)  # half a second for every new shape
        super().__init__(options)
        torch.manual_seed(options.seed)
        self.half = options.device != "cpu"

    @property
    def checkpoint(self):
        return self.out / FIRST

    def to_device(self) -> None:
        """Move weights and optimisers' numbers to the device; gradients become parts of one."""
        o = self.options
        self.net.to(o.device)
        self.ema.to(o.device)
        for optimiser in self.optimisers:
            optimiser.load_state_dict(optimiser.state_dict())
        self.gradient = torch.zeros(sum(p.numel() for p in self.params), device=o.device)
        parts = self.gradient.split([p.numel() for p in self.params])
        for p, part in zip(self.params, parts):
            p.grad = part.view_as(p)

    def cool_down(self, validation: Validation | None) -> None:
        """Let the rates of a copy fall to zero by the clock; `cooled.pt` has its weights.

        The state stays that of before, so that a later piece goes on as if there were no copy.
        """
        o, began, tables, share = self.options, time.monotonic(), self.tables, 0.0
        seen, count, waited = torch.zeros(2, device=o.device), 0, self.stream.waited
        while share < 1:
            seen += self.train_step(partial(cooled_rate, 1 - share))
            count, share = count + 1, (time.monotonic() - began) / o.cool_seconds
        weights = {k: v.half().cpu() for k, v in self.net.state_dict().items()}
        facts = {"config": self.net.config, "step": self.step, "tables": self.tables}
        torch.save({"weights": weights, **facts}, self.out / COOLED)
        if validation:
            self.ema.load_state_dict(self.net.state_dict())
            self.report(seen / count, (began, tables, waited), validation)

    def start_stream(self) -> None:
        first = self.step * self.options.batches
        self.stream = Stream(self.source, self.seed, self.options.workers, first)

    def save(self) -> None:
        """Write the state, and go on with what was written."""
        size = write_state(self.state(), self.out)
        if size > MOST:
            print(f"the state has {size >> 20} MiB, more than a card is sent", flush=True)
        self.load()

    def autocast(self):
        kind = torch.device(self.options.device).type
        return torch.autocast(kind, torch.bfloat16, enabled=self.half)

    def train_step(self, rate=learning_rate) -> torch.Tensor:
        """One update of the weights; both losses before it, on the device.

        The gradients of the small batches are weighted as in `Trainer`.
        """
        o = self.options
        total, seen = 0.0, torch.zeros(2, device=o.device)
        self.gradient.zero_()
        for _ in range(o.batches):
            batch = self.stream.batch(o.device)
            share = math.sqrt(len(batch.x))
            try:
                with self.autocast():
                    label, second = self.task.losses(self.net, batch)
                (share * (label + self.task.weight * second)).backward()
            except torch.cuda.OutOfMemoryError:
                print(f"too large for the card: {tuple(batch.x.shape)}", flush=True)
                torch.cuda.empty_cache()
                continue
            seen += torch.stack((label.detach(), second.detach())) / o.batches
            total, self.tables = total + share, self.tables + len(batch.x)
        self.gradient.nan_to_num_(0, 0, 0)  # one bad table must not end a run
        self.gradient.div_(max(total, 1.0))
        self.update(rate)
        return seen

    def report(self, seen: torch.Tensor, began: tuple, validation: Validation) -> None:
        """A line of log.csv: losses since the last one, tables a second, share of waiting."""
        with self.autocast():
            found = validation.losses(self.ema)
        then, tables, waited = began
        took = time.monotonic() - then
        row = [self.step, f"{self.elapsed:.1f}", self.tables]
        row += [f"{(self.tables - tables) / took:.0f}"]
        row += [f"{(self.stream.waited - waited) / took:.3f}"]
        self.log(COLUMNS, row, [*seen.tolist(), *found])

    def run(self) -> None:
        o = self.options
        self.first, before, start = self.step, self.elapsed, time.monotonic()
        self.start_stream()  # forked before a card is touched
        try:
            self.to_device()
            if o.device != "cpu":
                fuse(self.net)
            validation = validation_of(self.task) if o.validate else None
            seen, count, start = torch.zeros(2, device=o.device), 0, time.monotonic()
            mark = (time.monotonic(), self.tables, self.stream.waited)
            while self.going((time.monotonic() - start) / 60):
                seen, count = seen + self.train_step(), count + 1
                self.elapsed = before + time.monotonic() - start
                if self.step % o.snapshot == 0:
                    self.save()
                if o.validate and self.step % o.validate == 0:
                    self.report(seen / count, mark, validation)
                    seen, count = torch.zeros(2, device=o.device), 0
                    mark = (time.monotonic(), self.tables, self.stream.waited)
            self.save()
            if count and validation:
                self.report(seen / count, mark, validation)
            if o.cool_seconds:
                self.cool_down(validation)
        finally:
            self.stream.close()
