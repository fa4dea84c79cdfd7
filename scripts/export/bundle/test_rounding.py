"""python -m unittest scripts.export.bundle.test_rounding"""

import contextlib
import io
import shutil
import tempfile
import unittest
from pathlib import Path

from scripts.needs import needs

needs("scripts/requirements.txt", "onnx", "onnxruntime", "torch")

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from scripts.export.bundle.graphs import Graphs
from scripts.export.bundle.rounding import Rounding, in_8_bits, round_products
from scripts.export.bundle.tables import largest
from scripts.needs import ROOT


def model(nodes: list, **constants: np.ndarray) -> onnx.ModelProto:
    """A graph from x [rows, 40] to y."""
    rows = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("x", "y")]
    values = [numpy_helper.from_array(v, name) for name, v in constants.items()]
    return helper.make_model(helper.make_graph(nodes, "g", rows[:1], rows[1:], values))


def matrix(*shape: int, kind: type = np.float32) -> np.ndarray:
    return np.random.default_rng(1).standard_normal(shape).astype(kind)


class RoundingTest(unittest.TestCase):
    def test_a_matrix_has_255_values_per_output(self) -> None:
        given = matrix(40, 33)
        given[:, 3] = 0
        got = in_8_bits(given, transposed=False)
        step = np.abs(given).max(axis=0) / 127
        self.assertLessEqual(float((np.abs(got - given) - step / 2).max()), 1e-6)
        np.testing.assert_array_equal(in_8_bits(given.T, transposed=True), got.T)
        self.assertFalse(got[:, 3].any())

    def test_which_products_are_rounded(self) -> None:
        product = helper.make_node("MatMul", ["x", "w"], ["y"])
        cast = helper.make_node("Cast", ["half"], ["w"], to=TensorProto.FLOAT)
        self.assertEqual(round_products(model([product], w=matrix(40, 32))), 1)
        self.assertEqual(round_products(model([product], w=matrix(40, 31))), 0)
        self.assertEqual(round_products(model([product], w=matrix(2, 40, 32))), 0)
        half = model([cast, product], half=matrix(40, 32, kind=np.float16))
        self.assertEqual(round_products(half), 1)
        for more, count in (({}, 1), ({"alpha": 2.0}, 0), ({"transA": 1}, 0), ({"transB": 1}, 0)):
            node = helper.make_node("Gemm", ["x", "w", "b"], ["y"], **more)
            with self.subTest(more):
                got = round_products(model([node], w=matrix(40, 32), b=matrix(32)))
                self.assertEqual(got, count)

    def test_every_row_has_its_own_scale(self) -> None:
        nodes = [
            helper.make_node("MatMul", ["x", "w"], ["h"]),
            helper.make_node("MatMul", ["h", "last"], ["y"]),
        ]
        w, x, last = matrix(128, 130), matrix(3, 128), np.eye(130, dtype=np.float32)
        x[1] *= 1000
        self.assertEqual(round_products(model(nodes, w=matrix(40, 130), last=last), rows=True), 0)
        made = model(nodes, w=w, last=last)
        made.opset_import[0].version, made.ir_version = 17, 8
        self.assertEqual(round_products(made, rows=True), 1)
        session = onnxruntime.InferenceSession(made.SerializeToString())
        got = session.run(None, {"x": x})[0]
        for i in range(3):
            step = np.abs(x[i]).max() / 127
            want = np.rint(x[i] / step) * step @ in_8_bits(w, transposed=False)
            np.testing.assert_allclose(got[i], want, rtol=1e-4, atol=step)
            alone = session.run(None, {"x": x[i : i + 1]})[0][0]
            np.testing.assert_allclose(alone, got[i], rtol=1e-4, atol=step / 100)

    def rounding(self, folder: Path) -> tuple[Graphs, Rounding]:
        graphs = Graphs(folder)
        return graphs, Rounding(graphs)

    def test_the_tolerance_of_a_network(self) -> None:
        graphs, rounding = self.rounding(ROOT / "testdata/tabpfn3-tiny")
        self.assertEqual(rounding.products, 44)  # as pfnamp counts them
        x, y, queries = matrix(1, 20, 3), matrix(1, 20), matrix(1, 4, 3)
        with contextlib.redirect_stdout(io.StringIO()):
            plain = graphs(x, y, queries)[0]
            found = rounding.tolerances()["golden_tolerances"]["int8"]
            self.assertAlmostEqual(found, 2 * rounding.worst, delta=0.05 * found)
            self.assertTrue(1e-3 < found < 0.2, found)
            rounding.worst = 0.6
            self.assertEqual(rounding.tolerances(), {})
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "rounded"
            shutil.copytree(ROOT / "testdata/tabpfn3-tiny", folder)
            rounded = onnx.load(folder / "context.onnx")
            round_products(rounded)
            onnx.save(rounded, folder / "context.onnx")
            got = Graphs(folder)(x, y, queries)[0]
        self.assertAlmostEqual(largest(got, plain), found / 2, delta=0.05 * found)

    def test_a_network_without_products_has_none(self) -> None:
        graphs, rounding = self.rounding(ROOT / "testdata/tiny")
        graphs(matrix(1, 20, 3), matrix(1, 20), matrix(1, 4, 3))
        self.assertEqual((rounding.products, rounding.tolerances()), (0, {}))
