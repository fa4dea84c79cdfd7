"""python -m unittest scripts.export.tabpfn.v3.test_checkpoint"""

import copy
import types
import unittest

from scripts.needs import needs

needs(
    "scripts/export/tabpfn/v2_5/requirements.txt",
    "onnx",
    "tabpfn.architectures.tabpfn_v3",
    pinned=("tabpfn",),
)

import numpy as np
import torch

from scripts.export.bundle.checkpoint import CheckpointError
from scripts.export.bundle.graphs import Graphs
from scripts.export.tabpfn.checkpoint import borders_of, read_checkpoint, version_of
from scripts.export.tabpfn.checks import TOLERANCE, check_graphs
from scripts.export.tabpfn.export import check_licence
from scripts.export.tabpfn.saved import SavedCheckpoint
from scripts.export.tabpfn.tracing import trace_network
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


class Checkpoint3Test(SavedCheckpoint):
    def traced(self, task: str = "regression", **config) -> package.Reference:
        own = package.reference(self.saved(checkpoint("tiny", 1, task, **config)))
        trace_network(package.network({}, own, 32), self.folder, 1)
        return own

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
        with self.assertRaisesRegex(CheckpointError, "TabPFN-3 .* no commercial use"):
            check_licence("file", "v3", types.SimpleNamespace(accept_licence=False))

    def test_graphs_of_all_variants(self) -> None:
        for variant in VARIANTS:
            own = self.traced(**variant)
            worst, _ = check_graphs(
                lambda *table, own=own: package.logits(own, *table),
                Graphs(self.folder),
                1,
                long=True,
            )
            self.assertLessEqual(worst, TOLERANCE, variant)

    def test_graphs_of_classifiers(self) -> None:
        for variant in CLASS_VARIANTS:
            own = self.traced("classification", **variant)
            worst, _ = check_graphs(
                lambda *table, own=own: package.logits(own, *table),
                Graphs(self.folder),
                1,
                own.classes,
            )
            self.assertLessEqual(worst, TOLERANCE, variant)

    def test_graphs_that_disagree_are_noticed(self) -> None:
        own = self.traced()
        with torch.no_grad():
            own.model.icl_blocks[1].icl_attention.softmax_scaling_layer.base_mlp[2].bias += 0.1

        def logits(*table) -> np.ndarray:
            return package.logits(own, *table)

        self.assertGreater(check_graphs(logits, Graphs(self.folder), 1)[0], 10 * TOLERANCE)

    def test_query_rows_do_not_influence_each_other(self) -> None:
        self.traced()
        self.rows_do_not_influence_each_other()


if __name__ == "__main__":
    unittest.main()
