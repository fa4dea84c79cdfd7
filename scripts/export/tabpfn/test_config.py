"""python -m unittest scripts.export.tabpfn.test_config

Configurations as files have them, without the packages.
"""

import types
import unittest

from scripts.export.bundle.checkpoint import CheckpointError
from scripts.export.tabpfn.checkpoint import check_config, check_new_config, version_of
from scripts.export.tabpfn.recipe import UnknownStep, names_of, recipe

PATH = "some.ckpt"


def pipeline(name: str = "none", **changes) -> types.SimpleNamespace:
    said = {
        "name": name,
        "append_original": False,
        "categorical_name": "ordinal",
        "differentiable": False,
        "global_transformer_name": None,
        "max_features_per_estimator": 500,
        "max_onehot_cardinality": None,
    }
    return types.SimpleNamespace(**said | changes)


def inference(**changes) -> types.SimpleNamespace:
    said = {
        "ENABLE_GPU_PREPROCESSING": False,
        "FEATURE_SHIFT_METHOD": "shuffle",
        "FEATURE_SUBSAMPLING_METHOD": "auto",
        "FIX_NAN_BORDERS_AFTER_TARGET_TRANSFORM": True,
        "MAX_UNIQUE_FOR_CATEGORICAL_FEATURES": 30,
        "MIN_NUMBER_SAMPLES_FOR_CATEGORICAL_INFERENCE": 100,
        "MIN_UNIQUE_FOR_NUMERICAL_FEATURES": 4,
        "OUTLIER_REMOVAL_STD": "auto",
        "PASSTHROUGH_INF": False,
        "POLYNOMIAL_FEATURES": "no",
        "PREPROCESS_TRANSFORMS": [pipeline("safepower", append_original="auto"), pipeline()],
        "REGRESSION_Y_PREPROCESS_TRANSFORMS": (None, "safepower"),
        "SUBSAMPLE_SAMPLES": None,
        "USE_SKLEARN_16_DECIMAL_PRECISION": False,
        "_REGRESSION_DEFAULT_OUTLIER_REMOVAL_STD": None,
    }
    return types.SimpleNamespace(**said | changes)


class ConfigTest(unittest.TestCase):
    def test_versions(self) -> None:
        known = {None: "v2", "base": "v2.5", "tabpfn_v3": "v3", "tabpfn_v3_5": "v3.5"}
        for architecture, version in known.items():
            self.assertEqual(version_of(PATH, {"architecture_name": architecture}), version)
        with self.assertRaisesRegex(CheckpointError, "some.ckpt: .*'tabpfn_v4' cannot be exported"):
            version_of(PATH, {"architecture_name": "tabpfn_v4"})

    def test_v2(self) -> None:
        check_config(PATH, {"features_per_group": 2})
        check_config(PATH, {"features_per_group": 2, "max_num_classes": 10})
        for config, words in (
            ({}, "not that of TabPFN"),
            ([], "not that of TabPFN"),
            ({"features_per_group": 3}, "3 features per group"),
            ({"features_per_group": 2, "max_num_classes": 2}, "a classifier of 2 classes"),
            ({"features_per_group": 2, "remove_outliers": True}, "remove_outliers is True"),
        ):
            with self.assertRaisesRegex(CheckpointError, f"^some.ckpt: .*{words}"):
                check_config(PATH, config)

    def test_newer(self) -> None:
        good = {"architecture_name": "tabpfn_v3", "config": {"num_buckets": 9}}
        check_new_config(PATH, good | {"inference_config": {}})
        check_new_config(PATH, good | {"architecture_name": "base"})
        for change, words in (
            ({}, "no inference_config, which checkpoints of v3 have"),
            ({"config": {}}, "not that of TabPFN"),
            ({"config": {"num_buckets": 9, "max_num_classes": 1}}, "a classifier of one"),
            (
                {
                    "config": {"num_buckets": 9, "feature_group_size": 0},
                    "inference_config": {},
                },
                "0 features per group",
            ),
        ):
            with self.assertRaisesRegex(CheckpointError, f"^some.ckpt: .*{words}"):
                check_new_config(PATH, good | change)


class RecipeTest(unittest.TestCase):
    def test_recipe(self) -> None:
        made = recipe(inference())
        self.assertEqual(made["targets"], ["none", "safepower"])
        self.assertEqual((made["products"], made["subsets"]), (0, "balanced"))
        self.assertEqual([p["append"] for p in made["pipelines"]], ["auto", "no"])
        self.assertEqual([p["components"] for p in made["pipelines"]], ["none", "none"])
        self.assertEqual(recipe(inference(POLYNOMIAL_FEATURES="all"))["products"], -1)
        self.assertEqual(recipe(inference(POLYNOMIAL_FEATURES=5))["products"], 5)
        recipe(inference(TRANSFORM_TEXT=True), without=["TRANSFORM_TEXT"])

    def test_unknown_steps_are_refused_by_name(self) -> None:
        for changes, words in (
            ({"FEATURE_SHIFT_METHOD": "rotate"}, "FEATURE_SHIFT_METHOD = 'rotate'"),
            ({"PREPROCESS_TRANSFORMS": [pipeline("kdi")]}, "name = 'kdi'"),
            ({"PREPROCESS_TRANSFORMS": [pipeline(differentiable=True)]}, "differentiable = True"),
            ({"REGRESSION_Y_PREPROCESS_TRANSFORMS": ("power",)}, "TRANSFORMS = 'power'"),
            ({"FEATURE_SUBSAMPLING_METHOD": "gini_feature_importance"}, "gini"),
            ({"PASSTHROUGH_INF": True}, "PASSTHROUGH_INF = True"),
            ({"TRANSFORM_TEXT": True}, "TRANSFORM_TEXT = True"),
            ({"SUBSAMPLE_SAMPLES": 0.5}, "SUBSAMPLE_SAMPLES = 0.5"),
            ({"MIN_CARDINALITY_FOR_TEXT": 40}, "MIN_CARDINALITY_FOR_TEXT = 40"),
        ):
            with self.assertRaisesRegex(UnknownStep, words):
                recipe(inference(**changes))

    def test_names_are_unique(self) -> None:
        twice = [pipeline("robust"), pipeline("none"), pipeline("robust")]
        found = names_of(inference(PREPROCESS_TRANSFORMS=twice))
        self.assertEqual(found, ["robust", "none", "robust.2"])
