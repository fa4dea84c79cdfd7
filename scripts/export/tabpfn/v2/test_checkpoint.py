"""python -m unittest scripts.export.tabpfn.v2.test_checkpoint"""

import copy
import os
import unittest
import unittest.mock

from scripts.needs import needs

needs(
    "scripts/export/tabpfn/v2/requirements.txt",
    "onnx",
    "tabpfn.model.transformer",
    pinned=("tabpfn",),
)

import torch

from scripts.export.bundle.checkpoint import CheckpointError
from scripts.export.tabpfn.checkpoint import classes_of, downloaded, read_checkpoint, task_of
from scripts.export.tabpfn.saved import SavedCheckpoint
from scripts.export.tabpfn.v2.make_checkpoint import checkpoint


class CheckpointTest(SavedCheckpoint):
    def test_reads_what_make_checkpoint_writes(self) -> None:
        torch.save(checkpoint("tiny", 1), self.path)
        saved = read_checkpoint(self.path)
        self.assertEqual(len(saved["state_dict"]["criterion.borders"]), 101)

    def test_reads_classifiers(self) -> None:
        saved = read_checkpoint(self.saved(checkpoint("tiny", 1, "classification")))
        self.assertEqual((classes_of(saved), task_of(saved)), (10, "classification"))

    def test_other_families_and_versions(self) -> None:
        self.refused({"config": {"embed_dim": 128}, "state_dict": {}}, "not that of TabPFN")
        self.refused({"weights": {}}, "no state_dict")
        self.refused([1, 2], "no state_dict")
        good = checkpoint("tiny", 1)
        self.refused(good | {"architecture_name": "tabpfn_v4"}, "'tabpfn_v4' cannot be exported")
        changes = (
            ({"max_num_classes": 10}, "a classifier with criterion.borders"),
            ({"features_per_group": 3}, "3 features per group"),
            ({"remove_outliers": True}, "remove_outliers"),
            ({"nlayers": 12}, "2 layers"),
        )
        self.refused_configs(good, changes)

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
            with self.assertRaisesRegex(CheckpointError, "v2-classifier.ckpt"):
                downloaded("classification")
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
