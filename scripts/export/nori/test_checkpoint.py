"""python -m unittest scripts.export.nori.test_checkpoint"""

import tempfile
import unittest
from pathlib import Path

from scripts.needs import needs

needs("scripts/export/nori/requirements.txt", "onnx", "synthefy_nori", pinned=("synthefy-nori",))

import torch

from scripts.export.bundle.checkpoint import CheckpointError
from scripts.export.nori.checkpoint import model_of, read_checkpoint
from scripts.export.nori.make_checkpoint import checkpoint
from scripts.export.nori.recipe import pipelines
from scripts.export.nori.stages import default_members


class CheckpointTest(unittest.TestCase):
    def setUp(self) -> None:
        self.path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "some.pt"

    def refused(self, content: object, reason: str) -> None:
        torch.save(content, self.path)
        with self.assertRaisesRegex(CheckpointError, reason):
            model_of(self.path, read_checkpoint(self.path))

    def test_reads_what_make_checkpoint_writes(self) -> None:
        for more in ({}, {"layer_arch": "fmfmsm", "cross_share_all_kv_heads": True}):
            torch.save(checkpoint("tiny", 1, **more), self.path)
            saved = read_checkpoint(self.path)
            self.assertEqual(model_of(self.path, saved).num_reg_quantiles, 19)
            self.assertIsNone(saved["inference_config"])

    def test_other_families_and_versions(self) -> None:
        self.refused({"state_dict": {}, "config": {}}, "no model_config")
        self.refused([1, 2], "no model_config")
        good = checkpoint("tiny", 1)
        self.refused({"model_config": good["model_config"]}, "no model_state_dict")
        head = good["model_config"]["decoder_config"]
        for change, reason in (
            ({"two_phase_config": {"target_tokens": 4}}, "nori-1-5 is another architecture"),
            ({"feature_positional_embedding_type": "subortho"}, "random positions of columns"),
            ({"seq_attn_serial": True}, "seq_attn_serial is True"),
            ({"decoder_config": head | {"regression_loss": "bar_distribution"}}, "'bar_distrib"),
            (
                {"decoder_config": head | {"regression_quantiles": [0.5] * 19}},
                "levels of the quant",
            ),
            ({"decoder_config": head | {"num_reg_quantiles": 1}}, "1 quantiles, need 8"),
            ({"encoder_config_x": None}, "no encoder_config_x"),
        ):
            self.refused(good | {"model_config": good["model_config"] | change}, reason)

    def test_other_sizes(self) -> None:
        good = checkpoint("tiny", 1)
        for change in ({"nlayers": 3}, {"hid_dim": 64}, {"embed_dim": 32}):
            config = good["model_config"] | change
            self.refused(good | {"model_config": config}, "do not fit the configuration")
        state = dict(good["model_state_dict"])
        name = "reg_y_decoder.3.bias"
        self.refused(good | {"model_state_dict": state | {name: state[name] / 0}}, "not a finite")
        del state[name]
        self.refused(good | {"model_state_dict": state}, "do not fit the configuration")

    def test_pipelines(self) -> None:
        members = default_members()
        made, most = pipelines(members, "x")
        self.assertEqual((len(made), most), (8, 256))
        for change, reason in (
            ({"MADWinsorizer": {"n_mad": 6}}, "does not have the step MADWinsorizer"),
            ({"RebalanceFeatureDistribution": {"worker_tags": ["kdi_uni"]}}, r"\['kdi_uni'\]"),
            ({"FeatureShuffler": {"mode": "latin"}}, "mode = 'latin'"),
            ({"HighDimFeatureSelector": {"strategy": "svd_binary"}}, "for binary columns"),
            ({"CategoricalFeatureEncoder": {"encoding_strategy": "onehot"}}, "= 'onehot'"),
        ):
            with self.assertRaisesRegex(CheckpointError, f"member 3 .*{reason}"):
                pipelines([*members[:2], members[2] | change], "x")
        torch.save(checkpoint("tiny", 1, inference=members[:2]), self.path)
        self.assertEqual(read_checkpoint(self.path)["inference_config"], members[:2])
        self.refused(checkpoint("tiny", 1) | {"inference_config": {"members": []}}, "no members")
