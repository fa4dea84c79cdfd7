"""Compare the program with the `tabpfn` package, stage by stage and end to end.

    python -m scripts.export.tabpfn.parity --program build/bin/pfnamp --data folder

For networks with random weights, made here, and any --checkpoint, the package's
regressor predicts every table without its hash column. Its stages become golden
vectors, which `pfnamp models verify` replays, and the labelled table goes as a
CSV file through `pfnamp predict`. Differences of features and logits are
relative to max(1, |value|), those of means in standard deviations of the
target. "own" and "float32" are how far the package is from itself, with a cached
context and with its translation of bars in float64; the latter is added to the
gates of what it computes in float32. "mean64" compares means with those of the
package's functions in float64, without that. "permuted" is how far its power
transforms move when the rows of a table are permuted, since the search for a power
ends where the likelihood is flat in float64; that is added to the gate of the
features, if a pipeline has such transforms. Networks are those of the installed
package: v2 with 2.0.9, v2.5, v2.6 and v3 with 8.4.0, v3.5 with 9.2.0. The exit status is 1 if a
gate is exceeded by a table on which both mean the same.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from scripts.export.bundle import parity
from scripts.export.bundle.parity import Program, Report
from scripts.export.tabpfn.cases import Case, made, real, wide
from scripts.export.tabpfn.golden import case_of
from scripts.export.tabpfn.stages import Table, package, regressor, stages

if package.VERSION == "2.0.9":
    from scripts.export.tabpfn.v2.make_checkpoint import checkpoint

    NETWORKS = {"tiny": ("tiny",), "full": ("full",)}
elif package.VERSION == "9.2.0":
    from scripts.export.tabpfn.v3_5.make_checkpoint import checkpoint

    NETWORKS = {"tiny-3.5": ("tiny",), "full-3.5": ("full",)}
else:
    from scripts.export.tabpfn.v2_5.make_checkpoint import checkpoint
    from scripts.export.tabpfn.v3.make_checkpoint import checkpoint as checkpoint3

    NETWORKS = {
        "tiny-2.5": ("v2.5", "tiny"),
        "varied-2.6": ("v2.6", "tiny"),
        "products-2.6": ("v2.6", "tiny"),
        "full-2.5": ("v2.5", "full"),
        "full-2.6": ("v2.6", "full"),
        "tiny-3": ("tiny",),
        "full-3": ("full",),
    }
MORE = {
    "varied-2.6": {"pipelines": "varied"},
    "products-2.6": {"pipelines": "products"},
    "full-2.6": {"encoder_type": "mlp"},
}

# Columns of the report: its name, the stages of `models verify` in it, and the gate.
STAGES = (
    ("members", ("members",), 0.0),
    ("target", ("mu", "sd", "y_train"), 1e-5),
    ("features", ("x_train", "x_test"), 2e-5),
    ("logits", ("network",), 1e-3),
    ("read-out", ("post-processing: probabilities", "post-processing: quantiles"), 1e-5),
    ("mass", ("result: probabilities", "result: quantiles"), 1e-4),
    ("mean", ("result: mean",), 1e-4),
)
CSV_GATE = 1e-4  # of means by way of files
GOLDEN_ROWS = 6  # query rows whose stages are compared
ORDERS = 3  # of rows, where a table exceeds a gate: what the package makes of them


def manifest_of(bundle: Path) -> dict:
    return json.loads((bundle / "manifest.json").read_text())


def predicted(
    program: Program, bundle: Path, t: Table, folder: Path, members: int, *more: str
) -> Path:
    """What the program writes for a table as files, in which all but texts are numbers."""
    x, test = (pd.DataFrame(a).rename(columns=str) for a in (t.x, t.queries))
    empty = [c for c in x.columns if x[c].isna().all()]
    few = [str(c) for c in x.columns if x[c].dtype != object]
    numeric = ",".join(dict.fromkeys(empty + few))
    more += ("--members", str(members), "--posterior", "limit")
    more += ("--numeric", numeric) if numeric else ()
    return program.predict(bundle, x.assign(target=t.y), test, folder, *more)


def through_csv(program: Program, bundle: Path, t: Table, folder: Path, members: int) -> np.ndarray:
    """Means of all query rows by way of files."""
    as_package = ("--functional", "mean", "--target-values", "any")
    out = predicted(program, bundle, t, folder, members, *as_package)
    return pd.read_csv(out)["mean"].to_numpy(float)


def count(o: argparse.Namespace, bundle: Path) -> int:
    """Members: at least one for every pair of a pipeline and a target."""
    manifest = manifest_of(bundle)
    targets = manifest["tabpfn"].get("recipe", {"targets": [None, None]}).get("targets", [None])
    return max(o.members, len(manifest["ensemble"]["norms"]) * len(targets))


def compare(
    program: Program, network: Path, bundle: Path, t: Table, members: int
) -> dict[str, float]:
    """Largest differences of one table: stages, then end to end."""
    d = stages(network, t, members=members)
    with tempfile.TemporaryDirectory(dir=bundle) as name:
        folder = Path(name)
        case = case_of(d, t, GOLDEN_ROWS)
        found = program.verify(parity.with_golden(bundle, case, folder))
        means = through_csv(program, bundle, t, folder, members)
    row = parity.worst(STAGES, found)
    row["csv"] = float(np.abs(means - d["expect"]["mean"]).max()) / d["deviation"]
    row["mean64"] = float(np.abs(means - d["expect"]["mean64"]).max()) / d["deviation"]
    over = max(row["csv"], row["mean64"]) > CSV_GATE
    row["own"] = own_noise(network, t, d, members, orders=ORDERS if over else 0)
    row["permuted"] = permuted(t, bundle)
    single = np.abs(d["expect"]["mean64"] - d["expect"]["mean"])
    row["float32"] = float(single.max()) / d["deviation"]
    return row


def own_noise(network: Path, t: Table, d: dict, members: int, orders: int) -> float:
    """How far the package's means are from its own with a cached context.

    A table of numbers has the same meaning in every order of its rows: it comes in so many others.
    """
    model = regressor(network, members, 0, False, "fit_with_cache", t.declared)
    y = np.asarray(t.y)
    ways = [np.arange(len(y))]
    if not pd.DataFrame(t.x).select_dtypes(exclude="number").columns.size:
        ways += [np.random.default_rng(seed).permutation(len(y)) for seed in range(orders)]
    found = [model.fit(parity.reordered(t.x, way), y[way]).predict(t.queries) for way in ways]
    return float(np.abs(np.stack(found) - d["expect"]["mean"]).max()) / d["deviation"]


def permuted(t: Table, bundle: Path) -> float:
    """How far the power transform of any column of numbers moves, relative to max(1, |value|)."""
    if not set(package.POWERS) & set(manifest_of(bundle)["ensemble"]["norms"]):
        return 0.0
    frame, rng, worst = pd.DataFrame(t.x), np.random.default_rng(0), 0.0
    orders = [np.arange(len(frame))] + [rng.permutation(len(frame)) for _ in range(20)]
    for name in frame.select_dtypes(exclude="object").columns:
        x, made = frame[[name]].to_numpy(float), []
        for order in orders:
            with contextlib.suppress(RuntimeError):  # no bracket: the column stays as it is
                made.append(package.PowerTransformer().fit(x[order]).transform(x))
        if made:
            gap = np.abs(np.stack(made) - made[0]) / np.maximum(1, np.abs(made[0]))
            worst = max(worst, float(np.nanmax(gap, initial=0.0)))
    return worst


GATES = {name: gate for name, _, gate in STAGES} | {"csv": CSV_GATE, "mean64": CSV_GATE}
OWN = ("own", "float32", "permuted")  # of the package
RAW = ("read-out", "mass", "mean", "csv")  # compared in the units of the target
REPORT = Report("tabpfn", GATES, OWN)


def grain(t: Table) -> float:
    """float32 of the package's borders, sums and results, in deviations of the target."""
    return 3 * float(np.spacing(np.float32(np.abs(t.y).max()))) / float(np.std(t.y))


def report(members: int, case: Case, row: dict[str, float]) -> bool:
    """Print one line; whether every gate holds."""
    late = dict.fromkeys(RAW, grain(case.task) + 2 * row["float32"])
    late |= {"mean64": grain(case.task) + row["own"], "features": row["permuted"]}
    late["csv"] += row["own"]
    return REPORT.line(case, (members,), row, late)


def make(name: str, seed: int, task: str = "regression") -> dict:
    """A checkpoint with random weights."""
    write = checkpoint3 if name.endswith("-3") else checkpoint
    return write(*NETWORKS[name], seed, task=task, **MORE.get(name, {}))


def parse_options(doc: str, sizes: str) -> argparse.Namespace:
    """The command line of this comparison and of class_parity.py."""
    p = parity.options(doc, sizes)
    p.add_argument("--accept-licence", action="store_true", help="of official checkpoints")
    p.add_argument("--rows", type=int, default=1000, help="most context rows (default 1000)")
    p.add_argument("--members", type=int, default=4, help="ensemble members (default 4)")
    p.set_defaults(work="build/parity/tabpfn", seed=1)
    return p.parse_args()


def run(
    o: argparse.Namespace,
    found: list[tuple[str, Path]],
    cases: list[Case],
    form: Report,
    line: Callable[..., bool],
    task: str = "regression",
) -> None:
    """Compare all networks on all tables, and exit with 1 if a line exceeds a gate."""
    torch.set_num_threads(o.threads)
    program, good = Program(o.program), True
    for name, network in found:
        bundle = Path(o.work) / name
        accepted = o.accept_licence or str(network) not in o.checkpoint
        more = ("--accept-licence",) if accepted else ()
        more += ("--task", task, "--no-fingerprint", "--cases", "1")
        parity.export("tabpfn", network, bundle, *more)
        form.header(f"network {name}")
        for case in parity.chosen(o, cases):
            good &= line(program, network, bundle, case, count(o, bundle))
        form.save(o.csv, name)
    parity.end(good)


def main() -> None:
    o = parse_options(__doc__, ",".join(NETWORKS))
    cases = real(o.data, o.rows, o.queries) + made()
    cases += wide() if package.VERSION != "2.0.9" else []
    found = parity.networks(o, lambda size: make(size, o.seed))

    def line(program: Program, network: Path, bundle: Path, case: Case, members: int) -> bool:
        return report(members, case, compare(program, network, bundle, case.task, members))

    run(o, found, cases, REPORT, line)


if __name__ == "__main__":
    main()
