"""What the exporter refuses, and that it reads what it should.

python -m unittest scripts.export.tabicl.test_official
"""

import tempfile
import unittest
import unittest.mock
from pathlib import Path

from scripts.needs import needs

needs("scripts/export/tabicl/requirements.txt", "onnx", "tabicl")

import torch

from scripts.export.bundle.checkpoint import CheckpointError
from scripts.export.tabicl.make_checkpoint import make
from scripts.export.tabicl.official import load_official, read
from scripts.export.tabicl.package import downloaded


class TestOfficial(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.content = make("tiny", seed=3)

    def write(self, content) -> Path:
        path = self.folder / "file.ckpt"
        torch.save(content, path)
        return path

    def refused(self, words: str) -> None:
        """The content is refused with a message of these words."""
        path = self.write(self.content)
        with self.assertRaisesRegex(CheckpointError, words):
            load_official(read(path), str(path))

    def test_default_is_the_file_of_the_package(self):
        path = self.write(self.content)
        hub = "tabicl._sklearn.regressor.hf_hub_download"
        with unittest.mock.patch(hub, return_value=str(path)):
            self.assertEqual(downloaded(), str(path))
        with unittest.mock.patch(hub, side_effect=OSError("no network\nhere")):
            with self.assertRaisesRegex(CheckpointError, r"cannot get tabicl.* \(no network\);"):
                downloaded()
        hub = hub.replace("regressor", "classifier")
        with unittest.mock.patch(hub, return_value=str(path)):
            self.assertEqual(downloaded("classification"), str(path))

    def test_classes_that_the_weights_are_not_for(self):
        self.content["config"]["max_classes"] = 10
        self.refused("y_cell.weight does not fit|weights are missing|decoder")

    def test_missing_configuration(self):
        del self.content["config"]
        self.refused("no configuration")

    def test_other_weights(self):
        state, norm = self.content["state_dict"], "icl_predictor.ln.weight"
        for change, words in (
            ({"blocks.0.weight": torch.zeros(3)}, "unknown weights blocks.0.weight"),
            ({norm: None}, "weights are missing, such as icl_norm.weight"),
            ({norm: torch.ones(3)}, "icl_norm.weight does not fit"),
            ({norm: state[norm] * torch.nan}, f"{norm} is not a tensor of finite numbers"),
        ):
            changed = {k: v for k, v in (state | change).items() if v is not None}
            self.content = self.content | {"state_dict": changed}
            self.refused(words)

    def test_not_a_dictionary(self):
        self.content = [1, 2]
        self.refused("holds a list")
