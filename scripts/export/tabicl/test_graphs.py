"""python -m unittest scripts.export.tabicl.test_graphs"""

import contextlib
import io
import tempfile
import unittest
import unittest.mock
from pathlib import Path

from scripts.needs import needs

needs("scripts/requirements.txt", "onnx", "onnxruntime", "sklearn", "torch")

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from scripts.export.bundle.graphs import half_weights
from scripts.export.tabicl import export
from scripts.export.tabicl.graphs import (
    TOLERANCE,
    check_graphs,
    finish_graphs,
    torch_network,
    trace_network,
)
from scripts.export.tabicl.many import check_many, onnx_parts, trace_many
from scripts.reference.hierarchy import Hierarchy, Parts
from scripts.training.network.network import TabICL
from testdata import tiny

SURFACE = {"levels": [0.1, 0.5, 0.9], "posterior_levels": [0.1, 0.3, 0.5, 0.7, 0.9], "rank": 2}


def random_network(**config) -> TabICL:
    return tiny.random_network({"row_blocks": 2, "icl_blocks": 2, "quantiles": 9} | config).eval()


def write(net: TabICL, folder: Path) -> None:
    trace_network(net.set_explicit(True), folder)
    finish_graphs(folder)
    net.set_explicit(False)


def torch_parts(net: TabICL) -> Parts:
    """The torch network by its parts."""

    def rows(x, y, queries):
        with torch.no_grad():
            colkv, made = net.context_digits(torch.from_numpy(x), torch.from_numpy(y))
            return made.numpy(), net.query_digits(torch.from_numpy(queries), colkv).numpy()

    def answers(rows, y, asked):
        with torch.no_grad():
            iclkv = net.read_rows(torch.from_numpy(rows), torch.from_numpy(y))
            out = net.query_rows(torch.from_numpy(asked), iclkv)
        return out[0].numpy()

    return Parts(rows, answers)


class GraphsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.net = random_network(surface=SURFACE)
        write(cls.net, cls.folder)

    def graph(self, what: str) -> onnx.ModelProto:
        return onnx.load(self.folder / f"{what}.onnx")

    def test_graphs_compute_what_the_network_computes(self) -> None:
        self.assertLessEqual(check_graphs(torch_network(self.net), self.folder), TOLERANCE)
        found = [o.name for o in self.graph("query").graph.output]
        self.assertEqual(found, ["quantiles", "surface"])

    def test_a_changed_weight_is_noticed(self) -> None:
        other = random_network(surface=SURFACE)
        with torch.no_grad():
            other.icl[1].out.weight[0] += 0.5
        self.assertGreater(check_graphs(torch_network(other), self.folder), 10 * TOLERANCE)

    def test_other_groups_of_columns(self) -> None:
        net = random_network(surface=SURFACE, group=[0, 1, 3])
        with tempfile.TemporaryDirectory() as name:
            write(net, Path(name))
            self.assertLessEqual(check_graphs(torch_network(net), Path(name)), TOLERANCE)

    def test_many_classes(self) -> None:
        net = random_network(classes=3, norm_bias=True)
        plain = Hierarchy(torch_network(net), torch_parts(net), 3, 0.9)
        with tempfile.TemporaryDirectory() as name:
            trace_many(net.set_explicit(True), Path(name))
            graphs = Hierarchy(None, onnx_parts(Path(name)), 3, 0.9)
            self.assertLessEqual(check_many(plain, graphs), TOLERANCE)
            with torch.no_grad():
                net.icl[1].out.weight[0] += 0.5
            self.assertGreater(check_many(plain, graphs), 10 * TOLERANCE)

    def test_attention_is_one_operator(self) -> None:
        for what in ("context", "query"):
            found = [node.op_type for node in self.graph(what).graph.node]
            self.assertIn("MultiHeadAttention", found)
            self.assertIn("RotaryEmbedding", found)
            self.assertNotIn("Softmax", found)

    def test_sizes_inside_the_graphs_have_names(self) -> None:
        for what in ("context", "query"):
            model = self.graph(what)
            casts = {o for node in model.graph.node if node.op_type == "Cast" for o in node.output}
            made = {o for node in model.graph.node for o in node.output if o} - casts
            shapes = {v.name: v.type.tensor_type.shape.dim for v in model.graph.value_info}
            named = {d.dim_param for dims in shapes.values() for d in dims if d.dim_param}
            missing = made - shapes.keys() - {o.name for o in model.graph.output}
            self.assertLess(len(missing), len(made) / 20, what)
            self.assertTrue(
                all(any((d.dim_value, d.dim_param)) for v in shapes.values() for d in v)
            )
            self.assertLess(len(named), 30)
            self.assertGreater(len(named), 4)

    def test_graphs_that_disagree_are_not_written(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            path, out = Path(name) / "small.pt", Path(name) / "bundle"
            weights = {name: value.half() for name, value in self.net.state_dict().items()}
            torch.save({"config": self.net.config, "weights": weights}, path)
            with (
                contextlib.redirect_stdout(io.StringIO()),
                unittest.mock.patch.object(export, "check_graphs", return_value=1e-3),
                self.assertRaisesRegex(SystemExit, "the graphs disagree with torch by 0.001"),
            ):
                export.main(["--checkpoint", str(path), "--out", str(out)])
            self.assertEqual(list(out.iterdir()), [])


class HalfWeightsTest(unittest.TestCase):
    def test_only_weights_that_lose_nothing(self) -> None:
        exact, third = np.full(64, 0.5, np.float32), np.full(64, 1 / 3, np.float32)
        given = {"exact": exact, "third": third, "short": exact[:63], "whole": np.arange(64)}
        model = onnx.ModelProto()
        model.graph.initializer.extend(numpy_helper.from_array(v, k) for k, v in given.items())
        half_weights(model)
        found = {t.name: numpy_helper.to_array(t).dtype for t in model.graph.initializer}
        want = {"exact.half": "float16", "third": "float32", "short": "float32", "whole": "int64"}
        self.assertEqual(found, {name: np.dtype(kind) for name, kind in want.items()})
        self.assertEqual([(n.op_type, n.output[0]) for n in model.graph.node], [("Cast", "exact")])
