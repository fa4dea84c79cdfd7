"""Compare the program with the `tabpfn` package's regressor or classifier.

    python -m scripts.export.tabpfn.parity --program build/bin/pfnamp --data folder

Networks have random weights and are made here, for the installed package: v2 with 2.0.9, v2.5,
v2.6 and v3 with 8.4.0, v3.5 with 9.2.0; any --checkpoint comes too. The package predicts without
its hash column. Means are in standard deviations of the target, probabilities as they are; `class`
counts the rows whose most probable class is another one.

What the package does to itself is in three columns and added to gates: `own` is how far it is from
itself with a cached context; `float32`, with its translation of bars in float64; `permuted`, how
far its power transforms move when the rows of a table are permuted, since the search for a power
ends where the likelihood is flat. `mean64` compares means with those of the package's functions in
float64. The exit status is 1 if a gate is exceeded by a table on which both mean the same.
"""

import contextlib
import json
from pathlib import Path

import numpy as np
import pandas as pd
from tabpfn import TabPFNClassifier, TabPFNRegressor

from scripts.export.bundle import cases, parity
from scripts.export.bundle.cases import Table
from scripts.export.bundle.parity import GOLDEN, Found, Program, Report
from scripts.export.tabpfn.golden import case_of
from scripts.export.tabpfn.stages import class_stages, estimator, package, stages

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
GATE = 1e-4
NUMBERS = Report(
    "tabpfn", GOLDEN | {"csv": GATE, "mean64": GATE}, own=("own", "float32", "permuted")
)
CLASSES = Report(
    "tabpfn-classes", GOLDEN | {"csv": GATE, "class": 0.0}, ("own", "permuted"), ("K", "B")
)
GOLDEN_ROWS = 6  # query rows of golden vectors
ORDERS = 3  # of rows, where a table exceeds a gate: what the package makes of them


def count(bundle: Path) -> int:
    """Members: 4, and at least one for every pair of a pipeline and a target."""
    manifest = json.loads((bundle / "manifest.json").read_text())
    targets = manifest["tabpfn"].get("recipe", {"targets": [None, None]}).get("targets", [None])
    return max(4, len(manifest["ensemble"]["norms"]) * len(targets))


def compare(program: Program, network: Path, bundle: Path, t: Table, folder: Path) -> Found:
    """The regressor."""
    members = count(bundle)
    d = stages(network, t, members=members)
    golden = program.golden(bundle, case_of(d, t, GOLDEN_ROWS), folder)
    more = ("--members", str(members), "--posterior", "limit")
    more += ("--functional", "mean", "--target-values", "any")
    means = program.predict(bundle, t, folder, *more)["mean"].to_numpy(float)
    row = {
        name: float(np.abs(means - d["expect"][of]).max()) / d["deviation"]
        for name, of in (("csv", "mean"), ("mean64", "mean64"))
    }
    over = max(row.values()) > GATE
    row["own"] = own_noise(network, t, d, members, orders=ORDERS if over else 0)
    row["permuted"] = permuted(t, bundle)
    single = np.abs(d["expect"]["mean64"] - d["expect"]["mean"])
    row["float32"] = float(single.max()) / d["deviation"]
    grain = parity.grain(t.y)
    late = {"csv": grain + 2 * row["float32"] + row["own"], "mean64": grain + row["own"]}
    return Found.of(golden, row, late, (members,), late["csv"] + row["permuted"])


def own_noise(network: Path, t: Table, d: dict, members: int, orders: int) -> float:
    """How far the package's means are from its own with a cached context.

    A table of numbers has the same meaning in every order of its rows: it comes in so many others.
    """
    of = (network, members, "fit_with_cache", t.declared)
    model = estimator(TabPFNRegressor, *of)
    ways = [np.arange(len(t.y))]
    if isinstance(t.x, np.ndarray):
        ways += [np.random.default_rng(seed).permutation(len(t.y)) for seed in range(orders)]
    found = [model.fit(cases.rows_of(t.x, way), t.y[way]).predict(t.queries) for way in ways]
    return float(np.abs(np.stack(found) - d["expect"]["mean"]).max()) / d["deviation"]


def permuted(t: Table, bundle: Path) -> float:
    """How far the power transform of any column of numbers moves, relative to max(1, |value|)."""
    norms = json.loads((bundle / "manifest.json").read_text())["ensemble"]["norms"]
    if not set(package.POWERS) & set(norms):
        return 0.0
    frame, rng, worst = t.train, np.random.default_rng(0), 0.0
    orders = [np.arange(len(frame))] + [rng.permutation(len(frame)) for _ in range(20)]
    for name in frame.columns[[pd.api.types.is_numeric_dtype(d) for d in frame.dtypes]]:
        x, made = frame[[name]].to_numpy(float), []
        for order in orders:
            with contextlib.suppress(RuntimeError):  # no bracket: the column stays as it is
                made.append(package.PowerTransformer().fit(x[order]).transform(x))
        if made:
            gap = np.abs(np.stack(made) - made[0]) / np.maximum(1, np.abs(made[0]))
            worst = max(worst, float(np.nanmax(gap, initial=0.0)))
    return worst


def compare_classes(program: Program, network: Path, bundle: Path, t: Table, folder: Path) -> Found:
    """The classifier."""
    members = count(bundle)
    d = class_stages(network, t, members=members)
    golden = program.golden(bundle, case_of(d, t, GOLDEN_ROWS), folder)
    more = ("--members", str(members), "--posterior", "limit")
    out = program.predict(bundle, t, folder, *more)
    row = parity.compared(out, d["labels"], d["probabilities"], t.name)
    of = (network, members, "fit_with_cache", t.declared)
    again = estimator(TabPFNClassifier, *of).fit(t.x, t.y).predict_proba(t.queries)
    row["own"] = float(np.abs(again - d["probabilities"]).max())
    row["permuted"] = permuted(t, bundle)
    return Found.of(golden, row, {}, (len(d["labels"]), members), row["permuted"])


def main() -> None:
    p = parity.options(__doc__, ",".join(NETWORKS))
    p.add_argument("--accept-licence", action="store_true", help="of official checkpoints")
    o, good, made = p.parse_args(), True, cases.made()
    if package.VERSION != "2.0.9":
        made += [cases.wide(600, 40), cases.many_labels()]
    accepted = ("--accept-licence",) if o.accept_licence or not o.checkpoint else ()
    for task in [o.task] if o.task else parity.TASKS:

        def make(name: str, task: str = task) -> dict:
            """A checkpoint with random weights."""
            write = checkpoint3 if name.endswith("-3") else checkpoint
            return write(*NETWORKS[name], parity.SEED, task=task, **MORE.get(name, {}))

        more = (*accepted, "--task", task, "--no-fingerprint", "--cases", "1")
        if task == "regression":
            tables = [*cases.real(o.data, parity.ROWS, parity.QUERIES), *made]
            good &= parity.run(o, "tabpfn", make, tables, NUMBERS, compare, more)
            continue
        tables = cases.real_classes(o.data, parity.ROWS, parity.QUERIES) + cases.made_classes(made)
        good &= parity.run(o, "tabpfn", make, tables, CLASSES, compare_classes, more)
    parity.end(good)


if __name__ == "__main__":
    main()
