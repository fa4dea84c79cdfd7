"""Tables drawn by worker processes, in an order that depends on nothing but the seed.

Batch k is that of the seed `batch_seed(seed, k)`,
whoever draws it: worker k modulo their number. So a run can be repeated, resumed and spread over
any number of workers, and no table is seen twice. The workers are forked before PyTorch touches a
card, and write into memory that they share with the trainer, a few batches ahead of it.
"""

from __future__ import annotations

import mmap
import multiprocessing
import os
import signal
import time
from dataclasses import fields

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
import torch.nn.functional as F
from torch import Tensor

from scripts.training.train.batches import Source, batch_seed

SLOT = 16 << 20  # bytes of a batch at most
AHEAD = 3  # batches of a worker that wait
# In float16 but for what needs more: true probabilities, and classes, which are whole numbers.
KINDS = {"p": torch.float32, "classes": torch.int16}
FORK = multiprocessing.get_context("fork")


def packed(batch) -> dict[str, Tensor]:
    """The tensors of a batch as they travel; the truth is that of the query rows."""
    found = {}
    for field in fields(batch):
        value = getattr(batch, field.name)
        if not isinstance(value, Tensor):
            continue
        if field.name in ("truth", "p"):
            value = value[:, batch.rows :]
        kind = torch.float16 if value.is_floating_point() else torch.int16
        found[field.name] = value.to(KINDS.get(field.name, kind)).contiguous()
    return found


def unpacked(kind: type, rows: int, tensors: dict[str, Tensor]):
    """The batch of which `packed` made these, on their device; rows of the context lack truth."""
    whole = {}
    for name, value in tensors.items():
        value = value.float() if value.is_floating_point() else value.long()
        whole[name] = F.pad(value, (0, 0, rows, 0)) if name in ("truth", "p") else value
    return kind(**whole, rows=rows, family=[])


def views(memory: mmap.mmap, slot: int, shapes: list) -> dict[str, Tensor]:
    """The tensors of a slot: names, shapes and kinds as `draw` sent them."""
    found, at = {}, slot * SLOT
    for name, shape, kind in shapes:
        count = 1
        for length in shape:
            count *= length
        flat = torch.frombuffer(memory, dtype=kind, count=count, offset=at)
        found[name] = flat.view(shape)
        at += -(-count * kind.itemsize // 64) * 64
    return found


def draw(
    source: Source, seed: int, first: int, step: int, memory: mmap.mmap, pipe, others: list
) -> None:
    """A worker: batches first, first + step, ... into its slots, until nobody reads."""
    for other in others:  # the reader's ends, which would never close
        other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the reader ends after its step, then kills
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    number, slot = first, 0
    try:
        while True:
            batch = source.batch(batch_seed(seed, number))
            tensors = packed(batch)
            shapes = [(k, tuple(v.shape), v.dtype) for k, v in tensors.items()]
            size = sum(-(-v.numel() * v.itemsize // 64) * 64 for v in tensors.values())
            if size > SLOT:
                raise SystemExit(f"a batch of {size} bytes is larger than {SLOT}: fewer cells")
            if number >= first + AHEAD * step:
                pipe.recv()  # the oldest slot is free
            for name, view in views(memory, slot, shapes).items():
                view.copy_(tensors[name])
            pipe.send((slot, type(batch), batch.rows, shapes))
            number, slot = number + step, (slot + 1) % AHEAD
    except (BrokenPipeError, EOFError, ConnectionResetError):
        os._exit(0)


class Stream:
    """Batches of a source from number `first` on; `waited` counts seconds without one."""

    def __init__(self, source: Source, seed: int, workers: int, first: int = 0):
        self.next, self.waited, self.workers = first, 0.0, []
        for worker in range(workers):
            memory = mmap.mmap(-1, AHEAD * SLOT)
            mine, theirs = FORK.Pipe()
            number = first + worker
            others = [*(pipe for _, _, pipe in self.workers), mine]
            told = (source, seed, number, workers, memory, theirs, others)
            process = FORK.Process(target=draw, args=told, daemon=True)
            process.start()
            theirs.close()
            self.workers.append((process, memory, mine))
        self.first = first

    def batch(self, device: str):
        """The next batch on a device."""
        process, memory, pipe = self.workers[(self.next - self.first) % len(self.workers)]
        began = time.monotonic()
        try:
            slot, kind, rows, shapes = pipe.recv()
        except (EOFError, ConnectionResetError) as err:
            process.join()
            raise RuntimeError(f"a worker that draws tables ended ({process.exitcode})") from err
        self.waited += time.monotonic() - began
        tensors = views(memory, slot, shapes)
        if device == "cpu":
            tensors = {name: value.clone() for name, value in tensors.items()}
        else:  # a pinned copy, which the card fetches while it works
            tensors = {
                name: value.pin_memory().to(device, non_blocking=True)
                for name, value in tensors.items()
            }
        pipe.send(slot)  # which is free again
        self.next += 1
        return unpacked(kind, rows, tensors)

    def close(self) -> None:
        for process, _, pipe in self.workers:
            pipe.close()
            process.kill()
        for process, _, _ in self.workers:
            process.join()
        self.workers = []
