"""What the tests of checkpoints and of networks share."""

from __future__ import annotations

import tempfile
import types
import unittest
from pathlib import Path

import numpy as np
import torch

from scripts.export.bundle.checkpoint import CheckpointError
from scripts.export.bundle.graphs import Graphs
from scripts.export.bundle.tables import check_table
from scripts.export.tabpfn.checkpoint import read_checkpoint
from scripts.export.tabpfn.checks import TOLERANCE, check_graphs
from scripts.export.tabpfn.export import check_licence
from scripts.export.tabpfn.tracing import trace_network


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

    def licence_must_be_accepted(self, version: str, name: str) -> None:
        with self.assertRaisesRegex(CheckpointError, f"{name} .* no commercial use"):
            check_licence("file", version, types.SimpleNamespace(accept_licence=False))
        check_licence("file", version, types.SimpleNamespace(accept_licence=True))


class TracedNetworks(SavedCheckpoint):
    """The graphs of networks beside the package, of which `package` is the adapter."""

    package: types.ModuleType
    groups = 32

    def traced(self, content: dict, task: str = "regression"):
        """The package's own network of a checkpoint, whose graphs are in the folder."""
        own = self.package.reference(self.saved(content), task)
        trace_network(self.package.network({}, own, self.groups), self.folder, 1)
        return own

    def difference(self, own, long: bool = False) -> float:
        """The largest difference of the graphs in the folder from the package."""

        def logits(*table) -> np.ndarray:
            return self.package.logits(own, *table)

        return check_graphs(logits, Graphs(self.folder), 1, own.classes, long=long)[0]

    def agrees(self, content: dict, what: object, task: str = "regression", long=False) -> None:
        self.assertLessEqual(self.difference(self.traced(content, task), long), TOLERANCE, what)

    def disagrees(self, own) -> None:
        """The network was changed after its graphs were made."""
        self.assertGreater(self.difference(own), 10 * TOLERANCE)

    def rows_do_not_influence_each_other(self, content: dict) -> None:
        self.traced(content)
        graphs, rng = Graphs(self.folder), np.random.default_rng(1)
        x, y, queries = check_table(rng, (1, 30, 8, 5), "constant when labelled")
        (together,) = graphs(x, y, queries)
        alone = [graphs(x, y, queries[:, i : i + 1])[0] for i in range(8)]
        np.testing.assert_allclose(together, np.concatenate(alone, 1), atol=1e-5)
