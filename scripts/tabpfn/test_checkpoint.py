"""python -m unittest scripts.tabpfn.test_checkpoint"""

import copy
import os
import pickle
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import torch

from scripts.tabpfn.checkpoint import CheckpointError, downloaded, read_checkpoint

try:
    from scripts.tabpfn.make_checkpoint import checkpoint
except ImportError as error:
    raise unittest.SkipTest("needs the package of requirements.txt") from error


class Intruder:
    """Leaves a file behind when it is unpickled with full trust."""

    def __init__(self, path: Path):
        self.path = str(path)

    def __reduce__(self):
        return os.mkdir, (self.path,)


class CheckpointTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.path = self.folder / "some.ckpt"

    def refused(self, saved: object, reason: str) -> None:
        torch.save(saved, self.path)
        with self.assertRaisesRegex(CheckpointError, reason):
            read_checkpoint(self.path)

    def test_reads_what_make_checkpoint_writes(self) -> None:
        torch.save(checkpoint("tiny", 1), self.path)
        saved = read_checkpoint(self.path)
        self.assertEqual(len(saved["state_dict"]["criterion.borders"]), 101)

    def test_code_is_not_run(self) -> None:
        trace = self.folder / "trace"
        self.refused({"state_dict": Intruder(trace), "config": {}}, "would run code.*mkdir")
        self.assertFalse(trace.exists())
        with open(self.path, "wb") as file:
            pickle.dump(Intruder(trace), file)
        with self.assertRaises(CheckpointError):
            read_checkpoint(self.path)
        self.assertFalse(trace.exists())

    def test_damaged_files(self) -> None:
        torch.save(checkpoint("tiny", 1), self.path)
        whole = self.path.read_bytes()
        for part in (whole[: len(whole) // 2], b"", b"not a checkpoint", whole[:100]):
            self.path.write_bytes(part)
            with self.assertRaisesRegex(CheckpointError, "checkpoint"):
                read_checkpoint(self.path)
        with self.assertRaisesRegex(CheckpointError, "no such file"):
            read_checkpoint(self.folder / "missing.ckpt")

    def test_other_families_and_versions(self) -> None:
        self.refused({"config": {"embed_dim": 128}, "state_dict": {}}, "not that of TabPFN")
        self.refused({"weights": {}}, "no state_dict")
        self.refused([1, 2], "no state_dict")
        good = checkpoint("tiny", 1)
        self.refused(good | {"architecture_name": "tabpfn_v4"}, "'tabpfn_v4' cannot be exported")
        changes = (
            ({"max_num_classes": 10}, "classifier"),
            ({"features_per_group": 3}, "3 features per group"),
            ({"remove_outliers": True}, "remove_outliers"),
            ({"nlayers": 12}, "2 layers"),
        )
        for change, reason in changes:
            self.refused(good | {"config": good["config"] | change}, reason)

    def test_default_is_the_file_of_the_package(self) -> None:
        place = unittest.mock.patch.dict(os.environ, TABPFN_MODEL_CACHE_DIR=str(self.folder))
        fails = unittest.mock.patch(
            "tabpfn.model.loading.download_model", return_value=[OSError("no network\nhere")]
        )
        with place, fails as download:
            with self.assertRaisesRegex(CheckpointError, r"v2-regressor.ckpt \(no network\);"):
                downloaded()
            torch.save(checkpoint("tiny", 1), self.folder / "tabpfn-v2-regressor.ckpt")
            path = downloaded()
            self.assertEqual(download.call_count, 1)
        self.assertEqual(len(read_checkpoint(path)["state_dict"]["criterion.borders"]), 101)

    def test_borders(self) -> None:
        good = checkpoint("tiny", 1)
        bare = copy.copy(good["state_dict"])
        del bare["criterion.borders"]
        self.refused(good | {"state_dict": bare}, "no criterion.borders")
        wrong = good["state_dict"] | {"criterion.borders": torch.tensor([0.0, 2.0, 1.0])}
        self.refused(good | {"state_dict": wrong}, "not ascending")


if __name__ == "__main__":
    unittest.main()
