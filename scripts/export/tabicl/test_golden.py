"""The reference implementation computes the golden vectors of the bundles of this project.

python -m unittest scripts.export.tabicl.test_golden
"""

import json
import math
import unittest

from scripts.needs import ROOT, needs

needs("scripts/requirements.txt", "numpy", "onnxruntime", "scipy", "sklearn", "torch")

import numpy as np

from scripts.export.tabicl.class_golden import cases, class_golden_case
from scripts.export.tabicl.golden import golden_case
from scripts.export.tabicl.graphs import OnnxNetwork
from scripts.reference.classes import Rules
from scripts.reference.regression import Ensemble

TOLERANCE = 1e-4  # relative to max(1, |value|): graphs differ from torch by 2e-5


def gap(got: object, want: object) -> float:
    """The largest difference of numbers in two values of JSON, infinite if others differ."""
    if isinstance(want, dict) and isinstance(got, dict) and got.keys() == want.keys():
        return max((gap(got[k], want[k]) for k in want), default=0.0)
    if isinstance(want, list) and isinstance(got, list) and len(got) == len(want):
        return max(map(gap, got, want), default=0.0)
    if isinstance(want, float) and isinstance(got, float):
        return abs(got - want) / max(1.0, abs(want))
    return 0.0 if got == want else math.inf


class GoldenTest(unittest.TestCase):
    def replayed(self, name: str) -> None:
        folder = ROOT / name
        manifest = json.loads((folder / "manifest.json").read_text())
        network, ensemble = OnnxNetwork(folder), Ensemble.of(manifest["ensemble"])
        rules, make = ensemble, golden_case
        if manifest["task"] == "classification":
            posterior = manifest["class_posterior"]
            t = manifest["classification"]["temperature"]
            rules = Rules(ensemble, posterior["posterior_levels"], t, posterior["scale"])
            make = class_golden_case
        for case in json.loads((folder / "golden.json").read_text())["cases"]:
            rows = len(case["x_train"])
            x = [[math.nan if v is None else v for v in row]
                 for row in case["x_train"] + case["x_test"]]  # fmt: skip
            y = np.array(case["y_train"])
            made = make(network, rules, (case["name"], x, y, case["categorical"], rows))
            self.assertLess(gap(json.loads(json.dumps(made)), case), TOLERANCE, case["name"])

    def test_cases_have_no_more_classes_than_outputs(self) -> None:
        for most in (3, 10):
            self.assertEqual(max(y.max() for _, _, y, *_ in cases(most)), most - 1)

    def test_embedded_bundles(self) -> None:
        self.replayed("models/default")
        self.replayed("models/classifier")

    def test_tiny_bundles(self) -> None:
        self.replayed("testdata/tiny-surface")
        self.replayed("testdata/tiny-many")
