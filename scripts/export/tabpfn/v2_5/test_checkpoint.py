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

import torch
from tabpfn.constants import ModelVersion
from tabpfn.inference_config import InferenceConfig

from scripts.export.bundle.checkpoint import CheckpointError
from scripts.export.tabpfn.checkpoint import read_checkpoint, version_of
from scripts.export.tabpfn.export import check_licence
from scripts.export.tabpfn.recipe import recipe
from scripts.export.tabpfn.saved import TracedNetworks
from scripts.export.tabpfn.v2_5 import package
from scripts.export.tabpfn.v2_5.make_checkpoint import checkpoint, old_names


class NewCheckpointTest(TracedNetworks):
    package, groups = package, 16

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
        self.licence_must_be_accepted("v2.5", "TabPFN-2.5")
        check_licence("file", "v2", types.SimpleNamespace(accept_licence=False))

    def test_old_names_are_those_that_the_package_reads(self) -> None:
        content = checkpoint("v2.5", "tiny", 1, encoder_type="mlp")
        own = package.reference(self.saved(content))
        again = old_names(own.model.state_dict(), own.config.nhead)
        for name, value in again.items():
            self.assertTrue(torch.equal(content["state_dict"][name], value), name)

    def test_graphs_of_classifiers(self) -> None:
        for network in ("v2.5", "v2.6"):
            self.agrees(checkpoint(network, "tiny", 1, task="classification"), network)

    def test_graphs_that_disagree_are_noticed(self) -> None:
        self.agrees(checkpoint("v2.6", "tiny", 1), "v2.6")
        own = self.traced(checkpoint("v2.6", "tiny", 1))
        with torch.no_grad():
            own.model.blocks[1].layernorm_mlp.weight[3] += 0.01
        self.disagrees(own)

    def test_query_rows_do_not_influence_each_other(self) -> None:
        self.rows_do_not_influence_each_other(checkpoint("v2.5", "tiny", 1))


class RecipeTest(unittest.TestCase):
    def test_default_of_the_package(self) -> None:
        made = recipe(InferenceConfig.get_default("regression", ModelVersion.V2_5))
        self.assertEqual(made["targets"], ["none", "safepower"])
        self.assertEqual(made["products"], 0)
        self.assertEqual([p["append"] for p in made["pipelines"]], ["auto", "no"])


if __name__ == "__main__":
    unittest.main()
