"""Export a TabPFN v2 regressor as a model bundle.

    python scripts/tabpfn/export.py --checkpoint tabpfn-v2-regressor.ckpt --out BUNDLE

Needs the packages of scripts/tabpfn/requirements.txt. The bundle is a folder
with `context.onnx` (labelled rows to keys and values), `query.onnx` (query rows
to logits), `borders.f32`, `manifest.json`, `golden.json` and the licence.
Tables, rows, queries and features are dynamic in both graphs. They are compared
with the package's own network at shapes that differ from the traced ones; a
bundle that disagrees is not written. Without --checkpoint the package looks for its
own file, or downloads it; otherwise nothing is downloaded.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import json
import os
import shutil
import sys
import tempfile
import warnings
from pathlib import Path

os.environ.setdefault("TABPFN_DISABLE_TELEMETRY", "1")

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

sys.path.append(str(Path(__file__).resolve().parents[1]))

from checkpoint import CheckpointError, downloaded, read_checkpoint  # noqa: E402
from joint import write_joint  # noqa: E402
from network import Network  # noqa: E402

OPSET = 17
TOLERANCE = 2e-5  # of logits, relative to max(1, |logit|)
PACKAGE = "2.0.9"
# tables, labelled rows, query rows, features; the traced shape is none of them
CHECK_SHAPES = (
    (1, 20, 1, 1),
    (1, 60, 9, 2),
    (1, 33, 17, 7),
    (2, 25, 3, 5),
    (1, 250, 30, 20),
    (1, 2, 2, 3),
)
KINDS = ("plain", "missing", "constant", "constant when labelled")
# In one pass the package looks at the query rows for columns that vary: a column that varies
# there alone gives other results than with the cached context.
ONE_PASS = ("plain", "constant")


class ContextGraph(nn.Module):
    def __init__(self, net: Network):
        super().__init__()
        self.net = net

    def forward(self, x, y):
        return self.net.fit(x, y)


class QueryGraph(nn.Module):
    def __init__(self, net: Network):
        super().__init__()
        self.net = net

    def forward(self, x, columns, target, cache):
        return self.net.predict(x, columns, target, cache)


def package_network(path: Path, seed: int) -> nn.Module:
    """The package's own network with the weights of a checked checkpoint."""
    from tabpfn.model.loading import load_model

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return load_model(path=path, model_seed=seed)[0]


def embedding_table(reference: nn.Module, groups: int) -> torch.Tensor:
    """The fixed random vectors of the feature groups, as the package draws them."""
    caught = []
    embedding = reference.feature_positional_embedding_embeddings
    handle = embedding.register_forward_pre_hook(lambda _, args: caught.append(args[0].clone()))
    columns = groups * reference.features_per_group
    with torch.no_grad():
        reference(None, torch.zeros(2, 1, columns), torch.zeros(1), single_eval_pos=1)
    handle.remove()
    return caught[0]


def reference_logits(reference: nn.Module, x, y, queries, cached: bool) -> np.ndarray:
    """Logits [B, M, K] of the package, with its own cached context or in one pass."""
    x, y, queries = (torch.from_numpy(a).transpose(0, 1).contiguous() for a in (x, y, queries))
    reference.cache_trainset_representation = cached
    with torch.no_grad():
        if cached:
            reference(None, x, y.clone(), single_eval_pos=len(x))
            out = reference(None, queries, None, single_eval_pos=None)
        else:
            out = reference(None, torch.cat((x, queries)), y.clone(), single_eval_pos=len(x))
    reference.cache_trainset_representation = False
    return out.transpose(0, 1).numpy()


def moves_constants(reference: nn.Module) -> bool:
    """Whether the package's encoder takes constant columns out of their group."""
    step = next((s for s in reference.encoder if "RemoveEmpty" in type(s).__name__), None)
    if step is None:
        return False
    table = torch.tensor([[1.0, 1.0], [1.0, 2.0], [1.0, 3.0]])[:, None]
    return step({"main": table}, single_eval_pos=2)["main"].shape != table.shape or not torch.equal(
        step({"main": table}, single_eval_pos=2)["main"], table
    )


def trace(net: Network, folder: Path) -> None:
    """Write both graphs; the traced tables have an odd number of columns."""
    x, y, queries = torch.randn(2, 15, 5), torch.randn(2, 15), torch.randn(2, 4, 5)
    x[0, 3, 1] = torch.nan
    with torch.no_grad():
        context = net.fit(x, y)
    tables, rows, tests, features = "tables", "rows", "queries", "features"
    shared = {
        "columns": {0: tables, 2: "padded"},
        "target": {0: tables},
        "cache": {1: tables, 2: "tokens", 3: rows},
    }
    common = {"opset_version": OPSET, "dynamo": False, "do_constant_folding": True}
    torch.onnx.export(
        ContextGraph(net),
        (x, y),
        folder / "context.onnx",
        input_names=["X_train", "y_train"],
        output_names=list(shared),
        dynamic_axes={"X_train": {0: tables, 1: rows, 2: features}, "y_train": {0: tables, 1: rows}}
        | shared,
        **common,
    )
    torch.onnx.export(
        QueryGraph(net),
        (queries, *context),
        folder / "query.onnx",
        input_names=["X_test", *shared],
        output_names=["logits"],
        dynamic_axes={
            "X_test": {0: tables, 1: tests, 2: features},
            "logits": {0: tables, 1: tests},
        }
        | shared,
        **common,
    )


def finish(path: Path, half: bool) -> None:
    """Fold constants, drop names and paths, and store weights as float16 if asked."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = str(path)
    onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
    model = onnx.load(path)
    used = {node.domain for node in model.graph.node}
    imports = [opset for opset in model.opset_import if opset.domain in used]
    del model.opset_import[:]
    model.opset_import.extend(imports)
    if half:
        half_weights(model)
    model.producer_name, model.producer_version = "pfnamp", ""
    model.graph.name, model.doc_string = path.stem, ""
    for i, node in enumerate(model.graph.node):
        node.name, node.doc_string = f"{node.op_type}_{i}", ""
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString(deterministic=True))


def half_weights(model: onnx.ModelProto) -> None:
    """Store initialisers that lose nothing by it as float16 followed by a Cast to float32."""
    casts = []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        half = values.astype(np.float16) if values.dtype == np.float32 else None
        if half is None or values.size < 64 or not np.array_equal(half.astype(np.float32), values):
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(half, name + ".half"))
        casts.append(helper.make_node("Cast", [name + ".half"], [name], to=TensorProto.FLOAT))
    nodes = casts + list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)


class OnnxNetwork:
    """Both graphs of a bundle."""

    def __init__(self, folder: Path):
        self.context, self.query = (
            onnxruntime.InferenceSession(
                str(folder / f"{what}.onnx"), providers=["CPUExecutionProvider"]
            )
            for what in ("context", "query")
        )

    def __call__(self, x, y, queries) -> np.ndarray:
        columns, target, cache = self.context.run(None, {"X_train": x, "y_train": y})
        inputs = {"X_test": queries, "columns": columns, "target": target, "cache": cache}
        return self.query.run(None, inputs)[0]


def check_table(rng: np.random.Generator, shape: tuple, kind: str) -> tuple:
    """A random table: plain, with missing cells, or with columns that are constant."""
    b, n, m, c = shape
    x = rng.standard_normal((b, n + m, c)).astype(np.float32) * 3 + 1
    if kind == "missing":
        x[rng.random(x.shape) < 0.2] = np.nan
        x[:, 0, -1] = x[:, 1, -1] = 0.5
        x[:, -1, 0] = np.nan
    if kind == "constant":
        x[:, :, 0] = 2.0
        x[:, :, c // 2] = 0.0
    if kind == "constant when labelled":
        x[:, :n, c - 1] = 4.0
    y = rng.standard_normal((b, n)).astype(np.float32)
    return x[:, :n], y, x[:, n:]


def check_graphs(reference: nn.Module, folder: Path) -> float:
    """Largest difference between onnxruntime and the package over all tables."""
    graphs, worst = OnnxNetwork(folder), 0.0
    rng = np.random.default_rng(7)
    for shape in CHECK_SHAPES:
        for kind in KINDS:
            x, y, queries = check_table(rng, shape, kind)
            got = graphs(x, y, queries)
            for cached in (True, False):
                if not cached and kind not in ONE_PASS:
                    continue
                want = reference_logits(reference, x, y, queries, cached)
                gap = np.abs(got - want) / np.maximum(1, np.abs(want))
                worst = max(worst, float(gap.max()))
    return worst


def check_checkpoint(o: argparse.Namespace) -> dict:
    version = importlib.metadata.version("tabpfn")
    if version != PACKAGE:
        raise CheckpointError(
            f"tabpfn {version} is installed, the preset is that of {PACKAGE}: "
            "pip install -r scripts/tabpfn/requirements.txt"
        )
    return read_checkpoint(o.checkpoint)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def entry(folder: Path, name: str) -> dict:
    return {"file": name, "sha256": digest(folder / name)}


def manifest(saved: dict, folder: Path, o: argparse.Namespace) -> dict:
    state = saved["state_dict"]
    parameters = sum(t.numel() for k, t in state.items() if not k.startswith("criterion."))
    return {
        "format": 1,
        "name": o.name,
        "version": o.version,
        "family": "tabpfn",
        "task": "regression",
        "description": o.description,
        "opset": OPSET,
        "head": {"kind": "bars", "levels": len(state["criterion.borders"]) - 1},
        "limits": {"min_rows": 2, "max_rows": o.max_rows, "max_features": o.max_features},
        "ensemble": {
            "members": o.members,
            "norms": ["quantile", "power"],
            "shuffle": "permutation",
            "seed": 0,
            "outlier_threshold": 0,
        },
        "tabpfn": {
            "preset": PACKAGE,
            "temperature": o.temperature,
            "fingerprint": not o.no_fingerprint,
            "cdf": o.cdf,
            "tails": o.tails,
            "svd_sign": "components",
            "features_per_group": saved["config"]["features_per_group"],
            "groups": o.groups,
            "borders": entry(folder, "borders.f32"),
        },
        "graphs": {what: entry(folder, f"{what}.onnx") for what in ("context", "query")},
        "golden": entry(folder, "golden.json"),
        "licence": {"spdx": o.spdx, "file": "LICENSE", "notice": o.notice},
        "provenance": {
            "weights": o.weights,
            "parameters": parameters,
            "checkpoint_sha256": digest(Path(o.checkpoint)),
            "tools": {
                name: importlib.metadata.version(name).split("+")[0]
                for name in ("onnx", "scikit-learn", "tabpfn", "torch")
            },
        },
    }


def licence_text(o: argparse.Namespace) -> bytes:
    """The licence given, or the one that the installed package carries."""
    if o.licence:
        return Path(o.licence).read_bytes()
    files = importlib.metadata.files("tabpfn") or []
    return next(f for f in files if f.name == "LICENSE").read_binary()


def build(o: argparse.Namespace, folder: Path) -> None:
    """Make and check every file of the bundle in a folder."""
    from golden import golden_cases

    if o.checkpoint is None:
        o.checkpoint = downloaded()
    saved = check_checkpoint(o)
    path = Path(o.checkpoint)
    if o.half:
        path = folder / "half.ckpt"
        torch.save({**saved, "state_dict": halved(saved["state_dict"])}, path)
        saved = read_checkpoint(path)
    reference = package_network(path, seed=0)
    net = Network(
        saved["state_dict"], embedding_table(reference, o.groups), moves_constants(reference)
    ).eval()
    torch.manual_seed(0)
    trace(net, folder)
    for what in ("context", "query"):
        finish(folder / f"{what}.onnx", o.half)
    worst = check_graphs(reference, folder)
    print(f"largest difference between onnxruntime and the package: {worst:.2g}")
    if not worst <= TOLERANCE:
        raise SystemExit(f"the graphs disagree with the package by {worst:.2g} > {TOLERANCE}")
    if o.joint:
        write_joint(folder)
    saved["state_dict"]["criterion.borders"].numpy().astype("<f4").tofile(folder / "borders.f32")
    golden = golden_cases(path, OnnxNetwork(folder), o)
    (folder / "golden.json").write_text(json.dumps(golden) + "\n")
    (folder / "LICENSE").write_bytes(licence_text(o))
    text = json.dumps(manifest(saved, folder, o), indent=1) + "\n"
    (folder / "manifest.json").write_text(text)
    (folder / "half.ckpt").unlink(missing_ok=True)


def halved(state: dict) -> dict:
    """Weights rounded to float16, borders as they are."""
    return {
        k: v if k.startswith("criterion.") else v.half().float() for k, v in state.items()
    }


def export(o: argparse.Namespace) -> None:
    """Write the bundle; nothing stays behind if a check fails."""
    out = Path(o.out)
    with tempfile.TemporaryDirectory() as name:
        build(o, Path(name))
        out.mkdir(parents=True, exist_ok=True)
        for path in sorted(Path(name).iterdir()):
            print(f"{path.stat().st_size:9d} {path.name}")
            shutil.move(path, out / path.name)


def parse_options() -> argparse.Namespace:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument(
        "--checkpoint",
        help="regressor checkpoint, .ckpt (default: the one that the tabpfn package downloads)",
    )
    p.add_argument("--out", required=True, help="folder of the bundle")
    p.add_argument(
        "--joint", action="store_true", help="write joint.onnx too, for other programs"
    )
    p.add_argument("--name", default="tabpfn-v2-regressor")
    p.add_argument("--version", default="2.0")
    p.add_argument("--description", default="TabPFN v2 regressor of Prior Labs.")
    p.add_argument("--weights", default="Prior Labs, exported by the user")
    p.add_argument("--members", type=int, default=8, help="ensemble members (default 8)")
    p.add_argument("--temperature", type=float, default=0.9, help="of the softmax (default 0.9)")
    p.add_argument("--cdf", choices=("2.0.5", "fixed"), default="2.0.5", help="border translation")
    p.add_argument("--tails", choices=("compat", "full-support"), default="compat")
    p.add_argument("--no-fingerprint", action="store_true", help="no hash column by default")
    p.add_argument("--groups", type=int, default=1024, help="most feature groups (default 1024)")
    p.add_argument("--max-rows", type=int, default=10_000)
    p.add_argument("--max-features", type=int, default=500)
    p.add_argument("--cases", type=int, default=4, help="golden cases (default 4)")
    p.add_argument("--half", action="store_true", help="round the weights to float16")
    p.add_argument("--licence", help="licence text (default: that of the installed package)")
    p.add_argument("--spdx", default="LicenseRef-Prior-Labs-1.1")
    p.add_argument("--notice", default="Built with PriorLabs-TabPFN")
    return p.parse_args()


if __name__ == "__main__":
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    warnings.filterwarnings("ignore", category=torch.jit.TracerWarning)
    try:
        export(parse_options())
    except CheckpointError as error:
        sys.exit(f"export: {error}")
