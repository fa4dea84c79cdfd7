"""python -m unittest scripts.tabpfn.test_checkpoint3"""

import copy
import tempfile
import types
import unittest
from pathlib import Path

import numpy as np
import torch

from scripts.tabpfn.checkpoint import CheckpointError, borders_of, read_checkpoint, version_of

try:
    from scripts.tabpfn.make_checkpoint3 import checkpoint
except ImportError as error:
    raise unittest.SkipTest("needs the package of requirements-8.txt") from error
from scripts.tabpfn import package8
from scripts.tabpfn.checks import TOLERANCE, OnnxNetwork, check_graphs, check_table
from scripts.tabpfn.export import check_licence
from scripts.tabpfn.tracing import trace

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


class Checkpoint3Test(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.path = self.folder / "some.ckpt"

    def saved(self, content: dict) -> Path:
        torch.save(content, self.path)
        return self.path

    def traced(self, **config) -> package8.Reference:
        own = package8.reference(self.saved(checkpoint("tiny", 1, **config)))
        trace(package8.network({}, own, 32), self.folder, 1)
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
        changed = [
            (good | {"config": good["config"] | change}, reason)
            for change, reason in (
                ({"max_num_classes": 10}, "classifier"),
                ({"nlayers": 24}, "2 layers, the configuration says 24"),
                ({"feature_group_size": 0}, "0 features per group"),
            )
        ]
        changed += [
            (bare, "no inference_config, which checkpoints of v3 have"),
            (unbounded, "no regression_borders"),
            (unbounded | {"architecture_name": "tabpfn_v2_6"}, "no criterion.borders"),
        ]
        for content, reason in changed:
            with self.assertRaisesRegex(CheckpointError, reason):
                read_checkpoint(self.saved(content))

    def test_licence_must_be_accepted(self) -> None:
        with self.assertRaisesRegex(CheckpointError, "TabPFN-3 .* no commercial use"):
            check_licence("file", "v3", types.SimpleNamespace(accept_licence=False))

    def test_graphs_of_all_variants(self) -> None:
        for variant in VARIANTS:
            own = self.traced(**variant)
            worst = check_graphs(
                lambda *table, own=own: package8.logits(own, *table), self.folder, 1, long=True
            )
            self.assertLessEqual(worst, TOLERANCE, variant)

    def test_graphs_that_disagree_are_noticed(self) -> None:
        own = self.traced()
        with torch.no_grad():
            own.model.icl_blocks[1].icl_attention.softmax_scaling_layer.base_mlp[2].bias += 0.1

        def logits(*table) -> np.ndarray:
            return package8.logits(own, *table)

        self.assertGreater(check_graphs(logits, self.folder, 1), 10 * TOLERANCE)

    def test_query_rows_do_not_influence_each_other(self) -> None:
        self.traced()
        graphs, rng = OnnxNetwork(self.folder), np.random.default_rng(1)
        x, y, queries = check_table(rng, (1, 30, 8, 5), "constant when labelled")
        together = graphs(x, y, queries)
        alone = np.concatenate([graphs(x, y, queries[:, i : i + 1]) for i in range(8)], 1)
        np.testing.assert_allclose(together, alone, atol=1e-5)


if __name__ == "__main__":
    unittest.main()
