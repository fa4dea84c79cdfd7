"""What the tests of checkpoints share."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch

from scripts.export.bundle.checkpoint import CheckpointError
from scripts.export.bundle.graphs import Graphs
from scripts.export.bundle.tables import check_table
from scripts.export.tabpfn.checkpoint import read_checkpoint


class SavedCheckpoint(unittest.TestCase):
    """A folder with one file."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.path = self.folder / "some.ckpt"

    def saved(self, content: object) -> Path:
        torch.save(content, self.path)
        return self.path

    def refused(self, content: object, reason: str) -> None:
        with self.assertRaisesRegex(CheckpointError, reason):
            read_checkpoint(self.saved(content))

    def refused_configs(self, good: dict, changes: tuple[tuple[dict, str], ...]) -> None:
        """Each change of a good file's configuration is refused for its reason."""
        for change, reason in changes:
            self.refused(good | {"config": good["config"] | change}, reason)

    def rows_do_not_influence_each_other(self) -> None:
        """Of the graphs in the folder."""
        graphs, rng = Graphs(self.folder), np.random.default_rng(1)
        x, y, queries = check_table(rng, (1, 30, 8, 5), "constant when labelled")
        (together,) = graphs(x, y, queries)
        alone = [graphs(x, y, queries[:, i : i + 1])[0] for i in range(8)]
        np.testing.assert_allclose(together, np.concatenate(alone, 1), atol=1e-5)
