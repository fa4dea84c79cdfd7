"""python -m unittest scripts.export.bundle.test_checkpoint"""

import os
import pickle
import tempfile
import unittest
from pathlib import Path

from scripts.needs import needs

needs("scripts/requirements.txt", "torch")

import torch

from scripts.export.bundle.checkpoint import CheckpointError, load


class Hostile:
    """Unpickling would make a folder."""

    def __init__(self, folder: Path):
        self.folder = str(folder)

    def __reduce__(self):
        return os.mkdir, (self.folder,)


class LoadTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.path = self.folder / "some.ckpt"

    def refused(self, words: str) -> None:
        with self.assertRaisesRegex(CheckpointError, f"some.ckpt: {words}"):
            load(self.path)

    def test_tensors_and_plain_values(self) -> None:
        content = {"config": {"size": 2, "name": "a"}, "state_dict": {"w": torch.arange(3.0)}}
        torch.save(content, self.path)
        again = load(self.path)
        self.assertEqual(again["config"], content["config"])
        self.assertTrue(torch.equal(again["state_dict"]["w"], content["state_dict"]["w"]))

    def test_code_is_not_run(self) -> None:
        trap = self.folder / "trap"
        torch.save({"config": {}, "state_dict": Hostile(trap)}, self.path)
        self.refused("refused, it would run code when it is loaded: it asks for .*mkdir")
        self.path.write_bytes(pickle.dumps(Hostile(trap)))
        self.refused("(refused, it would run code|not a checkpoint)")
        self.assertFalse(trap.exists())

    def test_damaged_files(self) -> None:
        torch.save({"w": torch.randn(5000)}, self.path)
        whole = self.path.read_bytes()
        for part in (whole[: len(whole) // 2], whole[:100], b"", b"no checkpoint at all\n"):
            self.path.write_bytes(part)
            self.refused("(truncated, or )?not a checkpoint")

    def test_missing_file(self) -> None:
        self.refused("no such file")
