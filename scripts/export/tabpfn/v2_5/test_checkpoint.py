"""python -m unittest scripts.export.tabpfn.v2_5.test_checkpoint"""

import copy
import types
import unittest

from scripts.needs import needs

needs(
    "scripts/export/tabpfn/v2_5/requirements.txt",
    "onnx",
    "tabpfn.architectures.tabpfn_v2_6",
    pinned=("tabpfn",),
)

import numpy as np
import torch

from scripts.export.bundle.checkpoint import CheckpointError
from scripts.export.bundle.graphs import Graphs
from scripts.export.tabpfn.checkpoint import read_checkpoint, version_of
from scripts.export.tabpfn.checks import TOLERANCE, check_graphs
from scripts.export.tabpfn.export import check_licence
from scripts.export.tabpfn.recipe import UnknownStep, names_of, recipe
from scripts.export.tabpfn.saved import SavedCheckpoint
from scripts.export.tabpfn.tracing import trace_network
from scripts.export.tabpfn.v2_5 import package
from scripts.export.tabpfn.v2_5.make_checkpoint import checkpoint, old_names


class NewCheckpointTest(SavedCheckpoint):
    def test_versions(self) -> None:
        for network in ("v2.5", "v2.6"):
            saved = read_checkpoint(self.saved(checkpoint(network, "tiny", 1)))
            self.assertEqual(version_of(self.path, saved), network)

    def test_refusals(self) -> None:
        good = checkpoint("v2.6", "tiny", 1)
        bare = copy.copy(good)
        del bare["inference_config"]
        self.refused(bare, "no inference_config")
        self.refused(good | {"architecture_name": "tabpfn_v4"}, "'tabpfn_v4' cannot be exported")
        changes = (
            ({"max_num_classes": 10}, "a classifier with criterion.borders"),
            ({"max_num_classes": 1}, "a classifier of one class"),
            ({"nlayers": 24}, "2 layers, the configuration says 24"),
            ({"features_per_group": 0}, "0 features per group"),
        )
        self.refused_configs(good, changes)

    def test_safetensors(self) -> None:
        from tabpfn.checkpoint import save_as_safetensors

        good, path = checkpoint("v2.6", "tiny", 1), self.folder / "some.safetensors"
        save_as_safetensors(good, path)
        saved = read_checkpoint(path)
        self.assertEqual(version_of(path, saved), "v2.6")
        self.assertEqual(saved["inference_config"]["POLYNOMIAL_FEATURES"], "no")
        borders = (s["state_dict"]["criterion.borders"] for s in (saved, good))
        self.assertTrue(torch.equal(*borders))
        path.write_bytes(path.read_bytes()[:1000])
        with self.assertRaisesRegex(CheckpointError, "truncated"):
            read_checkpoint(path)

    def test_licence_must_be_accepted(self) -> None:
        for accepted in (False, True):
            o = types.SimpleNamespace(accept_licence=accepted)
            if accepted:
                check_licence("file", "v2.5", o)
                continue
            with self.assertRaisesRegex(CheckpointError, "TabPFN-2.5 .* no commercial use"):
                check_licence("file", "v2.5", o)
            check_licence("file", "v2", o)

    def test_old_names_are_those_that_the_package_reads(self) -> None:
        content = checkpoint("v2.5", "tiny", 1, encoder_type="mlp")
        own = package.reference(self.saved(content))
        again = old_names(own.model.state_dict(), own.config.nhead)
        for name, value in again.items():
            self.assertTrue(torch.equal(content["state_dict"][name], value), name)

    def test_graphs_of_classifiers(self) -> None:
        for network in ("v2.5", "v2.6"):
            content = checkpoint(network, "tiny", 1, task="classification")
            own = package.reference(self.saved(content))
            trace_network(package.network({}, own, 16), self.folder, 1)
            worst, _ = check_graphs(
                lambda *table, own=own: package.logits(own, *table), Graphs(self.folder), 1, 10
            )
            self.assertLessEqual(worst, TOLERANCE, network)

    def test_graphs_that_disagree_are_noticed(self) -> None:
        own = package.reference(self.saved(checkpoint("v2.6", "tiny", 1)))
        trace_network(package.network({}, own, 16), self.folder, 1)

        def logits(*table) -> np.ndarray:
            return package.logits(own, *table)

        self.assertLessEqual(check_graphs(logits, Graphs(self.folder), 1)[0], TOLERANCE)
        with torch.no_grad():
            own.model.blocks[1].layernorm_mlp.weight[3] += 0.01
        self.assertGreater(check_graphs(logits, Graphs(self.folder), 1)[0], 10 * TOLERANCE)

    def test_query_rows_do_not_influence_each_other(self) -> None:
        own = package.reference(self.saved(checkpoint("v2.5", "tiny", 1)))
        trace_network(package.network({}, own, 16), self.folder, 1)
        self.rows_do_not_influence_each_other()


class RecipeTest(unittest.TestCase):
    def config(self, **changes):
        from tabpfn.constants import ModelVersion
        from tabpfn.inference_config import InferenceConfig

        config = InferenceConfig.get_default("regression", ModelVersion.V2_5)
        for key, value in changes.items():
            setattr(config, key, value)
        return config

    def test_default(self) -> None:
        made = recipe(self.config())
        self.assertEqual(made["targets"], ["none", "safepower"])
        self.assertEqual(made["products"], 0)
        self.assertEqual(recipe(self.config(POLYNOMIAL_FEATURES="all"))["products"], -1)
        self.assertEqual([p["append"] for p in made["pipelines"]], ["auto", "no"])

    def test_unknown_steps(self) -> None:
        from tabpfn.preprocessing.configs import PreprocessorConfig

        for changes, reason in (
            ({"FEATURE_SHIFT_METHOD": "rotate"}, "FEATURE_SHIFT_METHOD = 'rotate'"),
            ({"PREPROCESS_TRANSFORMS": [PreprocessorConfig("kdi")]}, "name = 'kdi'"),
            ({"REGRESSION_Y_PREPROCESS_TRANSFORMS": ("power",)}, "'power'"),
            ({"FEATURE_SUBSAMPLING_METHOD": "gini_feature_importance"}, "gini"),
        ):
            with self.assertRaisesRegex(UnknownStep, reason):
                recipe(self.config(**changes))

    def test_names_are_unique(self) -> None:
        config = self.config()
        config.PREPROCESS_TRANSFORMS = [config.PREPROCESS_TRANSFORMS[0]] * 3
        self.assertEqual(
            names_of(config),
            ["quantile_uni_coarse", "quantile_uni_coarse.2", "quantile_uni_coarse.3"],
        )


if __name__ == "__main__":
    unittest.main()
