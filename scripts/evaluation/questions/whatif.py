"""What-if where the truth is known: differences of rows and of averages, beside least squares.

    python -m scripts.evaluation.questions.whatif runs/whatif.jsonl build/pfnamp --tables 12

Tables with two numbers and three groups, 150 or 200 rows, seven families of functions, and 200
query rows whose `a` grows by a half, whose `b` falls by 1, or whose group becomes g1. Least squares
has numbers and indicators. One line per table and change; those that are there are not made again.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from scripts.evaluation.kept import Lines

ROWS = {"line": 150, "groups": 150, "slopes": 200, "wave": 200, "bend": 150}
ROWS |= {"product": 200, "step": 200}
SETS = {"a+0.5": {"a": 0.5}, "b-1": {"b": -1.0}, "group=g1": {"group": "g1"}}
SAID = re.compile(r"(?:by|difference is) (\S+) .*?\(90 % interval (\S+) to ([^;]+);")
NORMAL = 1.6449


def drawn(rng: np.random.Generator, n: int) -> pd.DataFrame:
    a, b = rng.normal(size=(2, n))
    return pd.DataFrame({"a": a, "b": b, "group": rng.choice(["g0", "g1", "g2"], size=n)})


def mean_of(family: str, rng: np.random.Generator):
    """The conditional mean of rows."""
    level, slope = rng.normal(size=3), rng.normal(0, 0.7, size=3)

    def mean(t: pd.DataFrame) -> np.ndarray:
        a, b, k = t.a.to_numpy(), t.b.to_numpy(), t.group.str[1].astype(int).to_numpy()
        part = {"line": a, "groups": a / 2, "slopes": a + slope[k] * a, "wave": 1.5 * np.sin(2 * a)}
        part |= {"bend": a * a / 2, "product": a + 0.7 * a * b, "step": 1.5 * (a > 0)}
        return b / 2 + level[k] + part[family]

    return mean


def changed(t: pd.DataFrame, change: dict) -> pd.DataFrame:
    ((name, by),) = change.items()
    return t.assign(**{name: by if isinstance(by, str) else t[name] + by})


def design(t: pd.DataFrame) -> np.ndarray:
    columns = [np.ones(len(t)), t.a, t.b, t.group == "g1", t.group == "g2"]
    return np.column_stack(columns).astype(float)


def scored(name: str, lo: float, hi: float, truth: float) -> dict:
    outside, width = max(0.0, float(lo - truth), float(truth - hi)), float(hi - lo)
    return {name: outside == 0, name + "_width": width, name + "_score": width + 20 * outside}


def one(program: str, family: str, seed: int, what: str, folder: Path) -> dict:
    rng = np.random.default_rng([seed, list(ROWS).index(family), 5])
    mean = mean_of(family, rng)
    known, asked = drawn(rng, ROWS[family]), drawn(rng, 200)
    known["y"] = mean(known) + rng.normal(size=len(known))
    known.to_csv(folder / "known.csv", index=False)
    asked.to_csv(folder / "asked.csv", index=False)
    words = [
        program,
        "predict",
        folder / "known.csv",
        folder / "asked.csv",
        "-y",
        "y",
        "-f",
        "mean",
    ]
    words += ["--set", what, "-o", folder / "o.csv", "--threads", "1"]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stderr
    rows, would = pd.read_csv(folder / "o.csv"), changed(asked, SETS[what])
    truth = mean(would) - mean(asked)
    point, lo, hi = (float(v) for v in SAID.search(told).groups())
    if "is below" in told:
        lo, hi = -hi, -lo
    x, weights = design(known), design(would) - design(asked)
    inverse = np.linalg.inv(x.T @ x)
    beta = inverse @ x.T @ known.y
    noise = ((known.y - x @ beta) ** 2).sum() / (len(x) - x.shape[1])
    w = weights.mean(0)
    half = NORMAL * np.sqrt(noise * w @ inverse @ w)
    moved = np.abs(truth) > 1e-12
    held = (rows.mean_diff_lo <= truth) & (truth <= rows.mean_diff_hi)
    line = {"family": family, "seed": seed, "set": what, "rows": float(held[moved].mean())}
    line |= {"rows_width": float((rows.mean_diff_hi - rows.mean_diff_lo)[moved].mean())}
    line |= scored("average", lo, hi, truth.mean())
    return line | scored("linear", w @ beta - half, w @ beta + half, truth.mean())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("runs", type=Path)
    parser.add_argument("program")
    parser.add_argument("--tables", type=int, default=12, help="of every family")
    asked = parser.parse_args()
    runs = Lines(asked.runs, "family", "seed", "set")
    for seed in range(asked.tables):
        for family in ROWS:
            for what in SETS:
                if (family, seed, what) not in runs.done:
                    with tempfile.TemporaryDirectory() as folder:
                        runs.add([one(asked.program, family, seed, what, Path(folder))])
    found = pd.read_json(asked.runs, lines=True)
    for by in ("family", "set"):
        told = found.drop(columns=[k for k in ("family", "set", "seed") if k != by])
        print(told.groupby(by).mean().round(3).to_string(), "\n")
    print(found.drop(columns=["family", "set", "seed"]).mean().round(3).to_string())


if __name__ == "__main__":
    main()
