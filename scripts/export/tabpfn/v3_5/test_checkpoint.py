"""python -m unittest scripts.export.tabpfn.v3_5.test_checkpoint"""

import copy
import unittest

from scripts.needs import needs

needs(
    "scripts/export/tabpfn/v3_5/requirements.txt",
    "onnx",
    "tabpfn.architectures.tabpfn_v3_5",
    pinned=("tabpfn",),
)

import torch
from tabpfn.architectures.tabpfn_v3_5 import _build_ecdf_context, _in_context_ecdf

from scripts.export.tabpfn.checkpoint import borders_of, classes_of, read_checkpoint, version_of
from scripts.export.tabpfn.recipe import UnknownStep
from scripts.export.tabpfn.saved import TracedNetworks
from scripts.export.tabpfn.v3_5 import package
from scripts.export.tabpfn.v3_5.make_checkpoint import checkpoint, save
from scripts.export.tabpfn.v3_5.ranks import edges, ranks

# Networks of other choices than the tiny one's.
VARIANTS = (
    {},
    {"icl_num_kv_heads_test": None},
    {"icl_num_kv_heads": 2, "icl_num_kv_heads_test": 1},
    {"feature_group_size": 2, "cell_ecdf_num_frequencies": 1},
    {"cell_ecdf_num_buckets": 16},
)
CLASS_VARIANTS = ({}, {"decoder_use_softmax_scaling": False}, {"max_num_classes": 2})


class RanksTest(unittest.TestCase):
    def test_those_of_the_package(self) -> None:
        rng = torch.Generator().manual_seed(1)
        normal = torch.randn(2, 60, generator=rng)
        few = torch.randint(-3, 4, (2, 60), generator=rng).float()
        mostly = torch.where(normal > 0, 1.0, normal)
        for name, x in (("numbers", normal), ("ties", few), ("a mass", mostly)):
            asked = torch.cat((x[:, :9], torch.randn(2, 9, generator=rng) * 3, few[:, :9] + 0.5), 1)
            for most in (2, 5, 16, 60, 8192):
                context = _build_ecdf_context(x.T[None], x.shape[1], most)
                torch.testing.assert_close(edges(x, most), context[:, 0], rtol=0, atol=0)
                want = _in_context_ecdf(asked.T[None], context)[0].T
                torch.testing.assert_close(
                    ranks(asked, edges(x, most)), want, rtol=0, atol=1e-6, msg=f"{name}, {most}"
                )


class CheckpointTest(TracedNetworks):
    package = package

    def test_one_file_for_both_tasks(self) -> None:
        self.path = self.path.with_suffix(".safetensors")
        save(checkpoint("tiny", 1), self.path)
        for task, classes in (("regression", 0), ("classification", 14)):
            saved = read_checkpoint(self.path, task)
            self.assertEqual(version_of(self.path, saved), "v3.5")
            self.assertEqual(classes_of(saved), classes)
            self.assertEqual(len(borders_of(saved["state_dict"])), 101)

    def test_refusals(self) -> None:
        good = checkpoint("tiny", 1)
        bare, unbounded = copy.copy(good), copy.deepcopy(good)
        del bare["inference_config"]
        del unbounded["state_dict"]["heads.regression_borders"]
        changes = (
            ({"nlayers": 24}, "2 layers, the configuration says 24"),
            ({"feature_group_size": 0}, "0 features per group"),
        )
        self.refused_configs(good, changes)
        self.refused(bare, "no inference_config, which checkpoints of v3.5 have")
        self.refused(unbounded, "no heads.regression_borders")

    def test_steps_that_are_not_here_are_refused_by_name(self) -> None:
        saved = checkpoint("tiny", 1)
        saved["inference_config"] |= {"TRANSFORM_TEXT": True, "N_ESTIMATORS": 3}
        own = package.reference(self.saved(saved))
        with self.assertRaisesRegex(UnknownStep, "TRANSFORM_TEXT = True"):
            package.preset(saved, own)
        self.assertEqual(package.preset(saved, own, ["TRANSFORM_TEXT"])["members"], 3)

    def test_licence_must_be_accepted(self) -> None:
        self.licence_must_be_accepted("v3.5", "TabPFN-3.5")

    def test_graphs_of_all_variants(self) -> None:
        for variant in VARIANTS:
            self.agrees(checkpoint("tiny", 1, **variant), variant, long=not variant)
        for variant in CLASS_VARIANTS:
            task = "classification"
            self.agrees(checkpoint("tiny", 1, task, **variant), variant, task)

    def test_graphs_that_disagree_are_noticed(self) -> None:
        own = self.traced(checkpoint("tiny", 1))
        with torch.no_grad():
            own.model.x_embed.metadata_linear.weight[0] += 0.1
        self.disagrees(own)

    def test_query_rows_do_not_influence_each_other(self) -> None:
        self.rows_do_not_influence_each_other(checkpoint("tiny", 1))


if __name__ == "__main__":
    unittest.main()
