"""Compare the program with the `tabpfn` package, stage by stage and end to end.

    python -m scripts.tabpfn.parity --program build/bin/pfnamp --data folder

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
package: v2 with 2.0.9, v2.5, v2.6 and v3 with 8.4.0. The exit status is 1 if a gate is
exceeded by a table on which both mean the same.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from scripts.tabpfn.cases import Case, made, real, wide
from scripts.tabpfn.golden import case_of
from scripts.tabpfn.stages import Table, package, regressor, stages

if package.VERSION == "2.0.9":
    from scripts.tabpfn.make_checkpoint import checkpoint

    NETWORKS = {"tiny": ("tiny",), "full": ("full",)}
else:
    from scripts.tabpfn.make_checkpoint3 import checkpoint as checkpoint3
    from scripts.tabpfn.make_checkpoint25 import checkpoint

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


def run(program: str, *args: str, statuses: tuple[int, ...] = (0,)) -> str:
    done = subprocess.run([program, *args], capture_output=True, text=True)
    if done.returncode not in statuses:
        raise SystemExit(f"pfnamp {' '.join(args)}: {done.stderr.strip()}")
    return done.stdout


def manifest_of(bundle: Path) -> dict:
    return json.loads((bundle / "manifest.json").read_text())


def verify(program: str, bundle: Path) -> dict[str, float]:
    """Largest difference of every stage of a bundle's only case."""
    found = {}
    for line in run(program, "models", "verify", str(bundle), statuses=(0, 6)).splitlines()[1:]:
        case, difference, _, _ = line.rsplit(maxsplit=3)
        found[case.split("  ")[-1].strip()] = float(difference)
    return found


def with_golden(bundle: Path, case: dict, folder: Path) -> Path:
    """A copy of a bundle (large files are linked) whose golden vectors are one case."""
    manifest = manifest_of(bundle)
    for name in ("context.onnx", "query.onnx", "borders.f32", "LICENSE"):
        os.link(bundle / name, folder / name)
    text = json.dumps({"format": 1, "cases": [case]})
    (folder / "golden.json").write_text(text)
    manifest["golden"]["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


def through_csv(program: str, bundle: Path, t: Table, folder: Path, members: int) -> np.ndarray:
    """Means of all query rows by way of files."""
    x, test = (pd.DataFrame(a).rename(columns=str) for a in (t.x, t.queries))
    x.assign(target=t.y).to_csv(folder / "train.csv", index=False)
    test.to_csv(folder / "test.csv", index=False)
    empty = [c for c in x.columns if x[c].isna().all()]
    few = [str(c) for c in x.columns if x[c].dtype != object]
    numeric = ",".join(dict.fromkeys(empty + few))
    run(
        *(program, "predict", str(folder / "train.csv"), str(folder / "test.csv")),
        *("--model", str(bundle), "--target", "target", "--output", str(folder / "out.csv")),
        *("--functional", "mean", "--members", str(members), "--chains", "2", "--steps", "1"),
        *("--posterior", "limit", "--quiet"),
        *(("--numeric", numeric) if numeric else ()),
    )
    return pd.read_csv(folder / "out.csv")["mean"].to_numpy(float)


def count(o: argparse.Namespace, bundle: Path) -> int:
    """Members: at least one for every pair of a pipeline and a target."""
    manifest = manifest_of(bundle)
    targets = manifest["tabpfn"].get("recipe", {"targets": [None, None]})["targets"]
    return max(o.members, len(manifest["ensemble"]["norms"]) * len(targets))


def compare(o: argparse.Namespace, network: Path, bundle: Path, t: Table) -> dict[str, float]:
    """Largest differences of one table: stages, then end to end."""
    members = count(o, bundle)
    d = stages(network, t, members=members)
    with tempfile.TemporaryDirectory(dir=bundle) as name:
        folder = Path(name)
        (folder / "bundle").mkdir()
        case = case_of(d, t, GOLDEN_ROWS)
        found = verify(o.program, with_golden(bundle, case, folder / "bundle"))
        means = through_csv(o.program, bundle, t, folder, members)
    row = {name: max(found.get(s, np.inf) for s in parts) for name, parts, _ in STAGES}
    row["csv"] = float(np.abs(means - d["expect"]["mean"]).max()) / d["deviation"]
    row["mean64"] = float(np.abs(means - d["expect"]["mean64"]).max()) / d["deviation"]
    row["own"] = own_noise(network, t, d, members)
    row["permuted"] = permuted(t, bundle)
    single = np.abs(d["expect"]["mean64"] - d["expect"]["mean"])
    row["float32"] = float(single.max()) / d["deviation"]
    return row


def own_noise(network: Path, t: Table, d: dict, members: int) -> float:
    """How far the package's means are from its own with a cached context."""
    model = regressor(network, members, 0, False, "fit_with_cache", t.declared)
    cached = model.fit(t.x, t.y).predict(t.queries)
    return float(np.abs(cached - d["expect"]["mean"]).max()) / d["deviation"]


def permuted(t: Table, bundle: Path) -> float:
    """How far the power transform of any column of numbers moves, relative to max(1, |value|)."""
    if not set(package.POWERS) & set(manifest_of(bundle)["ensemble"]["norms"]):
        return 0.0
    frame, rng, worst = pd.DataFrame(t.x), np.random.default_rng(0), 0.0
    orders = [np.arange(len(frame))] + [rng.permutation(len(frame)) for _ in range(20)]
    for name in frame.columns[frame.dtypes != object]:
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


def grain(t: Table) -> float:
    """float32 of the package's borders, sums and results, in deviations of the target."""
    return 3 * float(np.spacing(np.float32(np.abs(t.y).max()))) / float(np.std(t.y))


def report(members: int, case: Case, row: dict[str, float]) -> bool:
    """Print one line; whether every gate holds."""
    late = dict.fromkeys(RAW, grain(case.task) + 2 * row["float32"])
    late["mean64"], late["features"] = grain(case.task), row["permuted"]
    over = [n for n, gate in GATES.items() if not row[n] <= gate + late.get(n, 0.0)]
    remark = f"over: {', '.join(over)}" if over else "ok"
    if over and case.differs:
        remark = f"meant: {case.differs}"
    t = case.task
    size = f"{len(t.x)}x{t.x.shape[1]}"
    cells = " ".join(f"{row[name]:8.1e}" for name in [*GATES, *OWN])
    print(f"{t.name:34} {size:>9} {members:3} {cells}  {remark}", flush=True)
    return not over or bool(case.differs)


def header(name: str) -> None:
    cells = " ".join(f"{n:>8}" for n in [*GATES, *OWN])
    print(f"\nnetwork {name}\n{'table':34} {'context':>9} {'B':>3} {cells}")
    gates = " ".join(f"{gate:8.0e}" for gate in GATES.values())
    print(f"{'gate (plus float32 of the target)':34} {'':>9} {'':3} {gates}", flush=True)


def export(network: Path, bundle: Path, accepted: bool) -> None:
    command = [sys.executable, "-W", "ignore", "-m", "scripts.export_onnx", "--family", "tabpfn"]
    command += ["--accept-licence"] if accepted else []
    command += ["--checkpoint", str(network), "--out", str(bundle), "--no-fingerprint"]
    done = subprocess.run([*command, "--cases", "1"], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr.strip() or done.stdout.strip())


def networks(o: argparse.Namespace) -> list[tuple[str, Path]]:
    """Name and checkpoint of every network to compare."""
    work, found = Path(o.work), []
    work.mkdir(parents=True, exist_ok=True)
    for size in o.sizes.split(",") if o.sizes else []:
        path = work / f"{size}.ckpt"
        if not path.exists():
            make = checkpoint3 if size.endswith("-3") else checkpoint
            torch.save(make(*NETWORKS[size], o.seed, **MORE.get(size, {})), path)
        found.append((size, path))
    return found + [(Path(c).stem, Path(c)) for c in o.checkpoint]


def parse_options() -> argparse.Namespace:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--program", required=True, help="the built pfnamp")
    p.add_argument("--data", default="", help="folder of CSV files, the last column the target")
    p.add_argument("--sizes", default=",".join(NETWORKS), help="networks to make")
    p.add_argument("--checkpoint", action="append", default=[], help="an official checkpoint")
    p.add_argument("--accept-licence", action="store_true", help="of official checkpoints")
    p.add_argument("--only", default="", help="parts of the names of tables to compare")
    p.add_argument("--rows", type=int, default=1000, help="most context rows (default 1000)")
    p.add_argument("--queries", type=int, default=60, help="most query rows (default 60)")
    p.add_argument("--members", type=int, default=4, help="ensemble members (default 4)")
    p.add_argument("--work", default="build/parity/tabpfn", help="folder of networks and bundles")
    p.add_argument("--seed", type=int, default=1, help="seed of the random weights")
    p.add_argument("--threads", type=int, default=2)
    return p.parse_args()


def main() -> None:
    o = parse_options()
    torch.set_num_threads(o.threads)
    o.program, good = str(Path(o.program).resolve()), True
    cases = real(o.data, o.rows, o.queries) + made()
    cases += wide() if package.VERSION != "2.0.9" else []
    cases = [c for c in cases if any(part in c.task.name for part in o.only.split(","))]
    for name, network in networks(o):
        bundle = Path(o.work) / name
        if not (bundle / "manifest.json").exists():
            export(network, bundle, o.accept_licence or name in NETWORKS)
        header(name)
        for case in cases:
            good &= report(count(o, bundle), case, compare(o, network, bundle, case.task))
    print("\nevery gate holds" if good else "\na gate is exceeded")
    raise SystemExit(0 if good else 1)


if __name__ == "__main__":
    main()
