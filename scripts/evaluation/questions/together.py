"""Rows together, where the truth is known: averages, contrasts and effects, and their intervals.

    python -m scripts.evaluation.questions.together runs/together.jsonl now=build/pfnamp --tables 60

Tables of groups (y = a + b/2 + group + noise), with slopes that differ by group, with waves, with
sites within groups, with groups whose rows differ in `a`, and of subjects with several rows each.
The truth of an average is the mean over 200 query rows of the conditional mean. Beside one program
or several: least squares on numbers and indicators, and mixed models with groups (or subjects) at
random (`statsmodels`); for subjects also least squares with clustered errors. One line per table,
quantity and method; lines that are there are not made again. Without a program it prints means of
the file. The interval score is the width plus 20 times the distance of a truth outside.
"""

from __future__ import annotations

import argparse
import itertools
import subprocess
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

from scripts.evaluation.kept import Lines

ASKED, NORMAL = 200, 1.6449
DESIGNS = {
    "2 groups, 120 rows": {"n": 120, "k": 2},
    "3 groups, 60 rows": {"n": 60, "k": 3},
    "3 groups, 120 rows": {"n": 120, "k": 3},
    "3 groups, 300 rows": {"n": 300, "k": 3},
    "3 groups, 1000 rows": {"n": 1000, "k": 3},
    "8 groups, 200 rows": {"n": 200, "k": 8},
    "30 groups, 300 rows": {"n": 300, "k": 30},
    "groups without effect": {"n": 120, "k": 3, "spread": 0.0},
    "slopes by group": {"n": 200, "k": 3, "slopes": True},
    "waves": {"n": 200, "k": 3, "wave": True},
    "sites within groups": {"n": 240, "k": 3, "sites": True},
    "groups that differ in a": {"n": 200, "k": 3, "shift": True},
    "uneven groups": {"n": 200, "k": 4, "shares": [0.6, 0.25, 0.1, 0.05]},
    "subjects": {"n": 192, "k": 2, "subjects": 4},
}


def drawn(design: str, seed: int) -> tuple[pd.DataFrame, pd.DataFrame, np.ndarray]:
    """Labelled rows, query rows, and the conditional means of these."""
    d = DESIGNS[design]
    rng = np.random.default_rng([seed, list(DESIGNS).index(design), 47])
    n, k = d["n"], d["k"]
    size = n + ASKED
    a, b = rng.normal(size=(2, size))
    group = rng.choice(k, size=size, p=d.get("shares"))
    subject = np.arange(size) // d.get("subjects", 1)
    if "subjects" in d:
        group = rng.permuted(np.arange(subject.max() + 1) % k)[subject]
    mean = rng.normal(0, d.get("spread", 1.0), size=k)[group] + b / 2
    if "shift" in d:
        a = a + 0.8 * (group - (k - 1) / 2)
    mean += 1.5 * np.sin(2 * a) if "wave" in d else a
    if "slopes" in d:
        mean += rng.normal(0, 0.7, size=k)[group] * a
    table = {"a": a, "b": b, "group": [f"g{v:02d}" for v in group]}
    if "sites" in d:
        site = rng.integers(4, size=size)
        mean += rng.normal(0, 0.5, size=(k, 4))[group, site]
        table["site"] = [f"g{g}s{s}" for g, s in zip(group, site, strict=True)]
    y = mean + rng.normal(size=size)
    if "subjects" in d:
        y = y + rng.normal(size=subject.max() + 1)[subject]
        table["subject"] = [f"s{v:03d}" for v in subject]
    rows = pd.DataFrame(table)
    return rows[:n].assign(y=y[:n]), rows[n:], mean[n:]


def quantities(known: pd.DataFrame, asked: pd.DataFrame) -> dict[str, np.ndarray]:
    """Weights of the query rows in the average of all, of single groups, and in contrasts."""
    groups = sorted(set(known.group) & set(asked.group))[:3]
    share = {g: (asked.group == g) / (asked.group == g).sum() for g in groups}
    found = {"all": np.full(len(asked), 1 / len(asked))} | share
    pairs = itertools.combinations(groups, 2)
    return found | {f"{p} - {q}": share[p] - share[q] for p, q in pairs}


def design_matrix(rows: pd.DataFrame, known: pd.DataFrame) -> np.ndarray:
    columns = [np.ones(len(rows)), rows.a, rows.b]
    words = [c for c in ("group", "site") if c in known]
    columns += [rows[c] == v for c in words for v in sorted(set(known[c]))]
    return np.column_stack(columns).astype(float)


def regression(known: pd.DataFrame, asked: pd.DataFrame, clustered: bool):
    """Least squares; where columns repeat each other, that of least norm."""
    x, y, at = design_matrix(known, known), known.y.to_numpy(), design_matrix(asked, known)
    inverse, rank = np.linalg.pinv(x.T @ x), np.linalg.matrix_rank(x)
    beta = inverse @ x.T @ y
    error = y - x @ beta
    spread = inverse * (error**2).sum() / (len(y) - rank)
    if clustered:
        sums = pd.DataFrame(x * error[:, None]).groupby(known.subject.to_numpy()).sum().to_numpy()
        count = len(sums)
        spread = inverse @ sums.T @ sums @ inverse * count / (count - rank)
    return at @ beta, at @ spread @ at.T


def mixed(known: pd.DataFrame, asked: pd.DataFrame):
    """Random intercepts of groups or subjects, with the variances of restricted likelihood."""
    import statsmodels.formula.api as formulas

    fixed, by = ("a + b + group", "subject") if "subject" in known else ("a + b", "group")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = formulas.mixedlm(f"y ~ {fixed}", known, groups=known[by]).fit()
    noise, between = float(fit.scale), max(float(fit.cov_re.iloc[0, 0]), 1e-6)
    words = sorted(set(known[by]))

    def rows_of(rows):
        x = [np.ones(len(rows)), rows.a, rows.b]
        if by == "subject":
            x += [rows.group == g for g in sorted(set(known.group))[1:]]
        return np.column_stack(x).astype(float), np.column_stack(
            [rows[by] == v for v in words]
        ).astype(float)

    (x, z), (at, marks) = rows_of(known), rows_of(asked)
    both = np.column_stack([x, z])
    penalty = np.diag([1e-9] * x.shape[1] + [noise / between] * z.shape[1])
    inverse = np.linalg.inv(both.T @ both + penalty)
    beta = inverse @ both.T @ known.y.to_numpy()
    at = np.column_stack([at, marks if by == "group" else np.zeros_like(marks)])
    return at @ beta, at @ inverse @ at.T * noise


def ours(program: str, known, asked, names, clusters: bool, folder: Path) -> dict:
    known.to_csv(folder / "known.csv", index=False)
    asked.to_csv(folder / "asked.csv", index=False)
    words = [program, "predict", folder / "known.csv", folder / "asked.csv", "-y", "y"]
    words += ["-f", "mean", "--summary", folder / "s.csv", "--group-by", "group", "--quiet"]
    words += ["-o", folder / "o.csv", "--threads", "1"]
    words += ["--ignore", "subject"] if "subject" in known and not clusters else []
    words += ["--group", "subject"] if clusters else []
    words += [f"--contrast={name}" for name in names if " - " in name]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    found = pd.read_csv(folder / "s.csv").set_index("of")
    return {name: tuple(found.loc[name, ["mean", "mean_lo", "mean_hi"]]) for name in names}


def one(programs: dict[str, str], design: str, seed: int, done: set) -> list[dict]:
    known, asked, truth = drawn(design, seed)
    weights = quantities(known, asked)
    lines = []

    def add(method: str, name: str, point: float, lo: float, hi: float) -> None:
        of = float(weights[name] @ truth)
        outside = max(0.0, lo - of, of - hi)
        kind = "contrast" if " - " in name else "all" if name == "all" else "group"
        lines.append(
            {"design": design, "seed": seed, "method": method, "kind": kind, "name": name}
            | {"held": bool(outside == 0), "width": hi - lo, "score": hi - lo + 20 * outside}
            | {"error": point - of}
        )

    fits = {"least squares": lambda: regression(known, asked, False)}
    fits["mixed"] = lambda: mixed(known, asked)
    if "subject" in known:
        fits["clustered"] = lambda: regression(known, asked, True)
    for method, fit in fits.items():
        if (design, seed, method) in done:
            continue
        means, spread = fit()
        for name, w in weights.items():
            half = NORMAL * float(w @ spread @ w) ** 0.5
            add(method, name, w @ means, w @ means - half, w @ means + half)
    with tempfile.TemporaryDirectory() as folder:
        for method, program in programs.items():
            clusters = "subject" in known and method.endswith("+group")
            if (design, seed, method) in done or clusters != method.endswith("+group"):
                continue
            for name, found in ours(program, known, asked, weights, clusters, Path(folder)).items():
                add(method, name, *found)
    return lines


def tell(path: Path) -> None:
    data = pd.read_json(path, lines=True)
    data["squared"] = data.error**2
    base = data[data.method == "least squares"].set_index(["design", "seed", "name"]).width
    data["relative"] = data.width / data.set_index(["design", "seed", "name"]).index.map(base)
    for by in (["kind", "method"], ["kind", "design", "method"]):
        told = data.groupby(by).agg(
            held=("held", "mean"),
            width=("width", "mean"),
            relative=("relative", "mean"),
            score=("score", "mean"),
            rmse=("squared", lambda v: v.mean() ** 0.5),
            cases=("held", "size"),
        )
        print(told.round(3).to_string(), "\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("runs", type=Path)
    parser.add_argument("programs", nargs="*", help="NAME=PATH; NAME+group=PATH with --group")
    parser.add_argument("--tables", type=int, default=60, help="of every design")
    parser.add_argument("--designs", nargs="*", default=list(DESIGNS))
    asked = parser.parse_args()
    programs = dict(p.split("=", 1) for p in asked.programs)
    runs = Lines(asked.runs, "design", "seed", "method")
    for seed in range(asked.tables if programs else 0):
        for design in asked.designs:
            runs.add(one(programs, design, seed, runs.done))
    tell(asked.runs)


if __name__ == "__main__":
    main()
