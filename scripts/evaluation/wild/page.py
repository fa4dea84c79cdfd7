"""The scores of this study as tables of a Markdown page.

A page holds blocks `<!-- numbers -->`, `<!-- numbers by kind -->`, `<!-- worst numbers -->` and the
same of labels, each until `<!-- end -->`; they are made anew. A table counts where all methods have
scores.
"""

import re
from pathlib import Path

import numpy as np

PROGRAM = "pfnamp"
SMALL = 1e-3  # added to a CRPS before its logarithm, so that laws do not decide a mean
MUCH, APART = 1.2, 0.05  # times the CRPS of the best rival; above its log loss
LEAST_COVERED = 0.8
Scores = dict[str, dict[str, dict]]  # by table and method
TITLE = "(numbers|labels)( by kind)?|worst (numbers|labels)"
BLOCK = re.compile(rf"(<!-- ({TITLE}) -->\n).*?(<!-- end -->\n)", re.DOTALL)


def of_task(rows: list[dict], task: str) -> tuple[Scores, list[str]]:
    """The rows of a task by table and method, where all methods have some."""
    rows = [r for r in rows if r["task"] == task]
    methods = list(dict.fromkeys(r["method"] for r in rows))
    by: Scores = {}
    for r in rows:
        by.setdefault(r["table"], {})[r["method"]] = r
    return {t: found for t, found in by.items() if len(found) == len(methods)}, methods


def values(by: Scores, method: str, metric: str) -> np.ndarray:
    return np.array([float(found[method][metric]) for found in by.values()])


def rivals(by: Scores, methods: list[str], method: str, metric: str) -> np.ndarray:
    """The best that others reach on every table; for the program's own ways, the rivals."""
    own = method.startswith(PROGRAM)
    others = [m for m in methods if m != method and not (own and m.startswith(PROGRAM))]
    return np.min([values(by, m, metric) for m in others], axis=0)


def ratio(by: Scores, methods: list[str], method: str) -> np.ndarray:
    """The CRPS beside the best rival, by table."""
    best = rivals(by, methods, method, "crps")
    return (values(by, method, "crps") + SMALL) / (best + SMALL)


def numbers(by: Scores, methods: list[str]) -> list[str]:
    lines = [
        "| method | tables | CRPS | beside the best other | first on | worse than 1.2 times "
        "| interval score | coverage | below .80 | seconds |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for m in methods:
        beside, held = ratio(by, methods, m), values(by, m, "coverage")
        lines.append(
            f"| {m} | {len(by)} | {values(by, m, 'crps').mean():.3f} | {geometric(beside):.3f} "
            f"| {(beside < 1).sum()} | {(beside > MUCH).sum()} "
            f"| {values(by, m, 'interval_score').mean():.3f} | {held.mean():.3f} "
            f"| {(held < LEAST_COVERED).sum()} | {values(by, m, 'seconds').mean():.1f} |"
        )
    return lines


def labels(by: Scores, methods: list[str]) -> list[str]:
    lines = [
        "| method | tables | log loss | first on | worse by .05 | accuracy | seconds |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for m in methods:
        above = values(by, m, "log_loss") - rivals(by, methods, m, "log_loss")
        lines.append(
            f"| {m} | {len(by)} | {values(by, m, 'log_loss').mean():.3f} | {(above < 0).sum()} "
            f"| {(above > APART).sum()} | {values(by, m, 'accuracy').mean():.3f} "
            f"| {values(by, m, 'seconds').mean():.1f} |"
        )
    return lines


def geometric(v: np.ndarray) -> float:
    return float(np.exp(np.log(v).mean()))


def by_kind(by: Scores, methods: list[str], task: str) -> list[str]:
    """The geometric mean of the CRPS, or the mean log loss, of every kind of table."""
    kinds = sorted({k for found in by.values() for k in found[PROGRAM]["kinds"].split("|") if k})
    lines = [
        "| kind | tables | " + " | ".join(methods) + " |",
        "|---|---:|" + "---:|" * len(methods),
    ]
    for kind in kinds:
        part = {t: f for t, f in by.items() if kind in f[PROGRAM]["kinds"].split("|")}
        if task == "numbers":
            cells = [geometric(values(part, m, "crps") + SMALL) for m in methods]
        else:
            cells = [values(part, m, "log_loss").mean() for m in methods]
        lines.append(f"| {kind} | {len(part)} | " + " | ".join(f"{v:.3f}" for v in cells) + " |")
    return lines


def worst(by: Scores, methods: list[str], task: str) -> list[str]:
    """Tables where a rival is much better than the program."""
    metric = "crps" if task == "numbers" else "log_loss"
    mine, best = values(by, PROGRAM, metric), rivals(by, methods, PROGRAM, metric)
    far = ratio(by, methods, PROGRAM) > MUCH if task == "numbers" else mine - best > APART
    lines = [
        "| table | kinds | " + " | ".join(methods) + " |",
        "|---|---|" + "---:|" * len(methods),
    ]
    for table, much in zip(by, far):
        if much:
            cells = [f"{float(by[table][m][metric]):.3f}" for m in methods]
            kinds = by[table][PROGRAM]["kinds"].replace("|", ", ")
            lines.append(f"| {table} | {kinds} | " + " | ".join(cells) + " |")
    return lines


def filled(page: str, rows: list[dict]) -> str:
    """The page with its blocks made anew."""

    def block(match: re.Match[str]) -> str:
        begin, name, end = match.group(1), match.group(2), match.groups()[-1]
        task = "labels" if "labels" in name else "numbers"
        by, methods = of_task(rows, task)
        if not by:
            return match.group(0)
        if "kind" in name:
            lines = by_kind(by, methods, task)
        elif "worst" in name:
            lines = worst(by, methods, task)
        else:
            lines = labels(by, methods) if task == "labels" else numbers(by, methods)
        return begin + "\n".join(lines) + "\n" + end

    return BLOCK.sub(block, page)


def write_page(path: Path, rows: list[dict]) -> None:
    path.write_text(filled(path.read_text(encoding="utf-8"), rows), encoding="utf-8")
