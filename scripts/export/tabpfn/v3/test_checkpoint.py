"""python -m unittest scripts.export.tabpfn.v3.test_checkpoint"""

import copy
import unittest

from scripts.needs import needs

needs(
    "scripts/export/tabpfn/v2_5/requirements.txt",
    "onnx",
    "tabpfn.architectures.tabpfn_v3",
    pinned=("tabpfn",),
)

import torch

from scripts.export.tabpfn.checkpoint import borders_of, read_checkpoint, version_of
from scripts.export.tabpfn.saved import TracedNetworks
from scripts.export.tabpfn.v2_5 import package
from scripts.export.tabpfn.v3.make_checkpoint import checkpoint

# Networks of other choices than the tiny one's.
VARIANTS = (
    {},
    {"icl_num_kv_heads_test": None},
    {"icl_num_kv_heads_test": 1},
    {"icl_num_kv_heads": 2, "icl_num_kv_heads_test": None},
    {"icl_num_kv_heads": 2, "icl_num_kv_heads_test": 1},
    {"use_rope": False},
    {"use_nan_indicators": False, "feature_group_size": 2},
    {"layernorm_elementwise_affine": False},
)
CLASS_VARIANTS = ({}, {"decoder_use_softmax_scaling": True}, {"max_num_classes": 2})


class Checkpoint3Test(TracedNetworks):
    package = package

    def test_reading(self) -> None:
        saved = read_checkpoint(self.saved(checkpoint("tiny", 1)))
        self.assertEqual(version_of(self.path, saved), "v3")
        self.assertEqual(len(borders_of(saved["state_dict"])), 101)

    def test_refusals(self) -> None:
        good = checkpoint("tiny", 1)
        bare, unbounded = copy.copy(good), copy.deepcopy(good)
        del bare["inference_config"]
        del unbounded["state_dict"]["regression_borders"]
        changes = (
            ({"max_num_classes": 1}, "a classifier of one class"),
            ({"nlayers": 24}, "2 layers, the configuration says 24"),
            ({"feature_group_size": 0}, "0 features per group"),
        )
        self.refused_configs(good, changes)
        self.refused(bare, "no inference_config, which checkpoints of v3 have")
        self.refused(unbounded, "no regression_borders")
        other = unbounded | {"architecture_name": "tabpfn_v2_6"}
        self.refused(other, "no criterion.borders")

    def test_licence_must_be_accepted(self) -> None:
        self.licence_must_be_accepted("v3", "TabPFN-3")

    def test_graphs_of_all_variants(self) -> None:
        for variant in VARIANTS:
            self.agrees(checkpoint("tiny", 1, **variant), variant, long=True)
        for variant in CLASS_VARIANTS:
            self.agrees(checkpoint("tiny", 1, "classification", **variant), variant)

    def test_graphs_that_disagree_are_noticed(self) -> None:
        own = self.traced(checkpoint("tiny", 1))
        with torch.no_grad():
            own.model.icl_blocks[1].icl_attention.softmax_scaling_layer.base_mlp[2].bias += 0.1
        self.disagrees(own)

    def test_query_rows_do_not_influence_each_other(self) -> None:
        self.rows_do_not_influence_each_other(checkpoint("tiny", 1))


if __name__ == "__main__":
    unittest.main()
