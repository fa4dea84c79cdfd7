"""False alarms of importances, and what they find, on tables whose noise columns are known.

    python -m scripts.evaluation.questions.importance --tables 40 --out runs/importance.csv
    python -m scripts.evaluation.questions.importance --out runs/importance.csv --summary

Every table has five columns that matter and six that tell nothing more of the label: two
independent ones, two that are correlated with a column that matters, a function of one with noise,
and a category that depends on one. Beside `pfnamp explain --importance`: permutation importance
of a random forest and of gradient boosting on held-out rows (scikit-learn; an alarm is a mean above
two standard deviations, as its guide reads it), and mean absolute SHAP values of the boosted model
(package shap), which have no such rule: an alarm is more than 2 % of their sum. Needs scikit-learn
and shap; PFNAMP_PROGRAM names the program.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

MATTER = ["line", "wave", "pair_a", "pair_b", "weak"]
NOISE = ["normal", "skewed", "near", "nearer", "bent", "sort"]
FAMILIES = ("normal", "heavy", "unequal", "labels")
ROWS = (100, 200, 400)
SHAP_SHARE = 0.02
TAIL = 1.645  # standard deviations from the mean to the ends of a 90 % interval


def table(family: str, rows: int, seed: int) -> pd.DataFrame:
    """Columns that matter, columns of noise, and the target y."""
    rng = np.random.default_rng([seed, rows, FAMILIES.index(family)])
    x = {name: rng.normal(size=rows) for name in MATTER}
    x["normal"], x["skewed"] = rng.normal(size=rows), np.exp(rng.normal(size=rows))
    x["near"] = 0.6 * x["line"] + 0.8 * rng.normal(size=rows)
    x["nearer"] = 0.75 * x["line"] + 0.66 * rng.normal(size=rows)
    x["bent"] = x["wave"] ** 2 + 0.5 * rng.normal(size=rows)
    place = x["line"] + 0.7 * rng.normal(size=rows)
    x["sort"] = np.array(["low", "middle", "high"])[np.digitize(place, (-0.5, 0.5))]
    f = x["line"] + np.sin(2 * x["wave"]) + 0.7 * x["pair_a"] * x["pair_b"] + 0.3 * x["weak"]
    if family == "labels":
        x["y"] = np.where(rng.random(rows) < 1 / (1 + np.exp(-1.5 * f)), "yes", "no")
    elif family == "heavy":
        x["y"] = f + rng.standard_t(3, size=rows) / np.sqrt(3)
    elif family == "unequal":
        x["y"] = f + np.exp(0.5 * x["line"]) * rng.normal(size=rows)
    else:
        x["y"] = f + rng.normal(size=rows)
    return pd.DataFrame(x)


def ours(data: pd.DataFrame) -> list[dict[str, object]]:
    """Importances of `pfnamp explain`; the columns of a group share its answer."""
    with tempfile.TemporaryDirectory() as folder:
        train = Path(folder) / "train.csv"
        data.to_csv(train, index=False)
        command = [os.environ.get("PFNAMP_PROGRAM", "pfnamp"), "explain", str(train), "-y", "y"]
        done = subprocess.run(
            [*command, "--importance", "-q"], check=True, capture_output=True, text=True
        )
    found = []
    for row in csv.DictReader(io.StringIO(done.stdout)):
        together = row["column"].split(" + ")
        matters = any(column in MATTER for column in together)
        for column in together:
            if matters and column in NOISE:
                continue  # replaced together with a column that matters
            above = float(row["above_noise"])
            share = row["share"] or "nan"
            found.append(
                {
                    "column": column,
                    "value": float(share),
                    "alarm": above >= 0.95,
                    "above": above,
                    "lo": row["share_lo"],
                    "hi": row["share_hi"],
                }
            )
    return found


def rivals(data: pd.DataFrame) -> dict[str, list[dict[str, object]]]:
    """Permutation importances on held-out rows, and SHAP values."""
    import shap
    from sklearn import ensemble
    from sklearn.inspection import permutation_importance
    from sklearn.model_selection import train_test_split

    x, y = data.drop(columns="y"), data["y"]
    x = x.assign(sort=x["sort"].map({"low": 0, "middle": 1, "high": 2}))
    kind = "Regressor" if pd.api.types.is_numeric_dtype(y) else "Classifier"
    if kind == "Classifier":
        y = (y == "yes").astype(int)
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.33, random_state=0)
    scoring = "neg_log_loss" if kind == "Classifier" else "r2"
    found = {}
    for name, model in {
        "forest": getattr(ensemble, "RandomForest" + kind)(200, random_state=0),
        "boosting": getattr(ensemble, "GradientBoosting" + kind)(random_state=0),
    }.items():
        model.fit(x_train, y_train)
        of = permutation_importance(
            model, x_test, y_test, n_repeats=10, random_state=0, scoring=scoring
        )
        found["permutation, " + name] = [
            {
                "column": c,
                "value": mean,
                "alarm": mean > 2 * sd,
                "lo": mean - TAIL * sd,
                "hi": mean + TAIL * sd,
            }
            for c, mean, sd in zip(x.columns, of.importances_mean, of.importances_std)
        ]
    values = np.abs(shap.TreeExplainer(model).shap_values(x_test)).mean(0)
    found["SHAP, boosting"] = [
        {"column": c, "value": v, "alarm": v > SHAP_SHARE * values.sum()}
        for c, v in zip(x.columns, values)
    ]
    return found


def run(family: str, rows: int, seed: int, *, alone: bool) -> list[dict[str, object]]:
    """All methods on one table."""
    data = table(family, rows, seed)
    found = {"pfnamp": ours(data)}
    if not alone:
        found |= rivals(data)
    return [
        {"family": family, "rows": rows, "seed": seed, "method": method, **line}
        for method, lines in found.items()
        for line in lines
    ]


def interval(hits: int, tries: int) -> str:
    """A share in percent with its standard error."""
    p = hits / tries
    return f"{100 * p:.1f} ± {100 * np.sqrt(max(p * (1 - p), 1 / tries) / tries):.1f}"


def auc(values: pd.DataFrame) -> float:
    """The probability that a column which matters has more than one of noise, in the same table."""
    wins = []
    for _, one in values.groupby(["family", "rows", "seed"]):
        real = one[one["column"].isin(MATTER)]["value"].to_numpy()
        null = one[one["column"].isin(NOISE)]["value"].to_numpy()
        if len(null) == 0:
            continue
        wins.append((real[:, None] > null).mean() + 0.5 * (real[:, None] == null).mean())
    return float(np.mean(wins))


def coverage(results: pd.DataFrame) -> None:
    """How often intervals hold what the method finds in other tables of the same family and size.

    That is the mean importance of a column over all other tables. Only columns that matter count.
    """
    print("| method | held, % | width / importance |\n|---|---:|---:|")
    mine = results[results["column"].isin(MATTER)].dropna(subset=["value", "lo", "hi"])
    for method, of in mine.groupby("method", sort=False):
        held, width = [], []
        for _, one in of.groupby(["family", "rows", "column"]):
            n, total = len(one), one["value"].sum()
            if n > 2:
                others = (total - one["value"]) / (n - 1)
                held += ((one["lo"] <= others) & (others <= one["hi"])).tolist()
                width += ((one["hi"] - one["lo"]) / abs(total / n)).tolist()
        if held:
            print(f"| {method} | {interval(sum(held), len(held))} | {np.median(width):.2f} |")
    print()


def summary(results: pd.DataFrame) -> None:
    """Tables in Markdown."""
    coverage(results)
    print(
        "| method | false alarms, % of noise columns | of all columns that matter, % found | "
        "weakest, % found | ranked above noise |\n|---|---:|---:|---:|---:|"
    )
    for method, of in results.groupby("method", sort=False):
        noise, real = of[of["column"].isin(NOISE)], of[of["column"].isin(MATTER)]
        weak = of[of["column"] == "weak"]
        print(
            f"| {method} | {interval(noise['alarm'].sum(), len(noise))} | "
            f"{interval(real['alarm'].sum(), len(real))} | "
            f"{interval(weak['alarm'].sum(), len(weak))} | {auc(of.fillna({'value': 0})):.3f} |"
        )
    for by in ("family", "rows", "column"):
        mine = results[results["method"] == "pfnamp"]
        print(f"\n| {by} | pfnamp: false alarms | found |\n|---|---:|---:|")
        for name, of in mine.groupby(by, sort=False):
            noise, real = of[of["column"].isin(NOISE)], of[of["column"].isin(MATTER)]
            cells = [interval(p["alarm"].sum(), len(p)) if len(p) else "" for p in (noise, real)]
            print(f"| {name} | {cells[0]} | {cells[1]} |")


def main() -> None:
    """Run tables that are not in the file yet, or summarise it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=5, help="per family and number of rows")
    parser.add_argument("--first", type=int, default=0, help="seed of the first table")
    parser.add_argument("--rows", type=int, nargs="*", default=ROWS)
    parser.add_argument("--alone", action="store_true", help="pfnamp only")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--summary", action="store_true")
    options = parser.parse_args()
    if not options.summary:
        done = set()
        if options.out.exists():
            old = pd.read_csv(options.out)
            done = set(zip(old["family"], old["rows"], old["seed"]))
        for seed in range(options.first, options.first + options.tables):
            for rows in options.rows:
                for family in FAMILIES:
                    if (family, rows, seed) in done:
                        continue
                    lines = pd.DataFrame(run(family, rows, seed, alone=options.alone))
                    columns = [
                        "family",
                        "rows",
                        "seed",
                        "method",
                        "column",
                        "value",
                        "alarm",
                        "above",
                        "lo",
                        "hi",
                    ]
                    lines.reindex(columns=columns).to_csv(
                        options.out, mode="a", header=not options.out.exists(), index=False
                    )
                    print(family, rows, seed, flush=True)
    summary(pd.read_csv(options.out))


if __name__ == "__main__":
    main()
