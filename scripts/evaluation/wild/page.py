"""The scores of this study as tables of a Markdown page.

A page holds blocks `<!-- numbers -->`, `<!-- numbers by kind -->`, `<!-- worst numbers -->` and the
same of labels, each until `<!-- end -->`; they are made anew. A table counts where all methods have
scores.
"""

import re

import numpy as np
import pandas as pd

PROGRAM = "pfnamp"
SMALL = 1e-3  # added to a CRPS before its logarithm, so that laws do not decide a mean
MUCH, APART = 1.2, 0.05  # times the CRPS of the best rival; above its log loss
LEAST_COVERED = 0.8
METRICS = "crps", "interval_score", "coverage", "log_loss", "accuracy", "seconds"
Scores = dict[str, pd.DataFrame]  # by score, or "kinds": a table in every row, methods in columns
TITLE = "(numbers|labels)( by kind)?|worst (numbers|labels)"
BLOCK = re.compile(rf"(<!-- ({TITLE}) -->\n).*?(<!-- end -->\n)", re.DOTALL)


def of_task(rows: list[dict], task: str) -> Scores:
    """The scores of the tables of a task for which all methods have some."""
    f = pd.DataFrame([r for r in rows if r["task"] == task])
    if f.empty:
        return {}
    wide = f.pivot(index="table", columns="method")
    wide = wide.reindex(f["table"].unique())[wide["kinds"].notna().all(axis=1)]
    by = {k: wide[k][f["method"].unique()] for k in ("kinds", *METRICS) if k in f}
    return {k: v if k == "kinds" else v.apply(pd.to_numeric) for k, v in by.items()}


def rivals(score: pd.DataFrame) -> pd.DataFrame:
    """The best that others reach on every table; for the program's own ways, the rivals."""
    own = score.columns.str.startswith(PROGRAM)
    others = {m: ~own if m.startswith(PROGRAM) else score.columns != m for m in score}
    return pd.DataFrame({m: score.loc[:, of].min(axis=1) for m, of in others.items()})


def ratio(by: Scores) -> pd.DataFrame:
    """The CRPS beside the best rival, by table and method."""
    return (by["crps"] + SMALL) / (rivals(by["crps"]) + SMALL)


def three(v: pd.Series) -> pd.Series:
    return v.map("{:.3f}".format)


def markdown(table: pd.DataFrame, texts: int = 1) -> list[str]:
    """A table whose first columns, the names of its rows among them, are texts."""
    cells = table.reset_index().astype(str)
    rule = ["---"] * texts + ["---:"] * (cells.shape[1] - texts)
    lines = [" | ".join(cells.columns), *map(" | ".join, cells.to_numpy())]
    lines = [f"| {line} |" for line in lines]
    return [lines[0], "|" + "|".join(rule) + "|", *lines[1:]]


def numbers(by: Scores) -> list[str]:
    beside, held = ratio(by), by["coverage"]
    columns = {
        "tables": len(held),
        "CRPS": three(by["crps"].mean()),
        "beside the best other": three(np.exp(np.log(beside).mean())),
        "first on": (beside < 1).sum(),
        "worse than 1.2 times": (beside > MUCH).sum(),
        "interval score": three(by["interval_score"].mean()),
        "coverage": three(held.mean()),
        "below .80": (held < LEAST_COVERED).sum(),
        "seconds": by["seconds"].mean().map("{:.1f}".format),
    }
    return markdown(pd.DataFrame(columns))


def labels(by: Scores) -> list[str]:
    above = by["log_loss"] - rivals(by["log_loss"])
    columns = {
        "tables": len(above),
        "log loss": three(by["log_loss"].mean()),
        "first on": (above < 0).sum(),
        "worse by .05": (above > APART).sum(),
        "accuracy": three(by["accuracy"].mean()),
        "seconds": by["seconds"].mean().map("{:.1f}".format),
    }
    return markdown(pd.DataFrame(columns))


def by_kind(by: Scores, task: str) -> list[str]:
    """The geometric mean of the CRPS, or the mean log loss, of every kind of table."""
    score = np.log(by["crps"] + SMALL) if task == "numbers" else by["log_loss"]
    of = score.assign(kind=by["kinds"][PROGRAM].str.split("|")).explode("kind")
    kinds = of[of["kind"] != ""].groupby("kind")
    means = np.exp(kinds.mean()) if task == "numbers" else kinds.mean()
    table = means.apply(three)
    table.insert(0, "tables", kinds.size())
    return markdown(table)


def worst(by: Scores, task: str) -> list[str]:
    """Tables where a rival is much better than the program."""
    score = by["crps" if task == "numbers" else "log_loss"]
    far = ratio(by) > MUCH if task == "numbers" else score - rivals(score) > APART
    table = score[far[PROGRAM]].apply(three)
    table.insert(0, "kinds", by["kinds"].loc[far[PROGRAM], PROGRAM].str.replace("|", ", "))
    return markdown(table, 2)


def filled(page: str, rows: list[dict]) -> str:
    """The page with its blocks made anew."""

    def block(match: re.Match[str]) -> str:
        begin, name, end = match.group(1), match.group(2), match.groups()[-1]
        task = "labels" if "labels" in name else "numbers"
        by = of_task(rows, task)
        if not by:
            return match.group(0)
        if "kind" in name:
            lines = by_kind(by, task)
        elif "worst" in name:
            lines = worst(by, task)
        else:
            lines = labels(by) if task == "labels" else numbers(by)
        return begin + "\n".join(lines) + "\n" + end

    return BLOCK.sub(block, page)
