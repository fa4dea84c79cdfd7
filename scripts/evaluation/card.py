"""Write the scores into the model card: means over tables with standard errors, and a picture.

    python -m scripts.evaluation.card --scores scripts/evaluation/scores.csv --card models/default

The text between the card's two `scores` marks is replaced. Means are over random
splits (tables, for the prior), followed by their standard error.
"""

import argparse
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("agg")

import matplotlib.pyplot as plt
import pandas as pd

from scripts.evaluation.evaluate import NETWORK, PIT_BINS

BEGIN, END = "<!-- scores: written by scripts/evaluation/card.py -->", "<!-- end of scores -->"
PICTURE = "scores.png"
SUITES = {
    "files 20%": "Files, 20 % of the rows for training",
    "files 80%": "Files, 80 % of the rows for training",
    "friedman": "Friedman's functions, 200 training rows",
    "prior": "Fresh tables of the prior, 20 to 1,000 training rows",
    "shipped": "Tables that scikit-learn ships, 100 training rows",
}


def models(rows: pd.DataFrame) -> list[str]:
    return list(dict.fromkeys([NETWORK, *rows.model]))


def suites(rows: pd.DataFrame) -> list[str]:
    return [s for s in SUITES if (rows.suite == s).any()]


def by_task(rows: pd.DataFrame, suite: str, model: str, field: str) -> tuple[pd.Series, pd.Series]:
    """Means over seeds of every task, and their standard errors."""
    part = rows[(rows.suite == suite) & (rows.model == model)].groupby("task")[field]
    return part.agg(lambda v: v.to_numpy().mean()), part.sem().fillna(0.0)


def mean_of(rows: pd.DataFrame, suite: str, model: str, field: str) -> tuple[float, float]:
    """Mean over tasks of the means over seeds, and its standard error."""
    means, errors = by_task(rows, suite, model, field)
    return means.mean(), np.sqrt((errors**2).sum()) / len(errors)


def row(label: str, cells: list[tuple[float, float]]) -> str:
    best = min(mean for mean, _ in cells)
    texts = [
        f"**{mean:.3f}** ± {se:.3f}" if mean == best else f"{mean:.3f} ± {se:.3f}"
        for mean, se in cells
    ]
    return f"| {label} | " + " | ".join(texts) + " |"


def table(rows: pd.DataFrame, title: str, field: str) -> list[str]:
    """A score of every model, averaged over the tasks of every suite."""
    names = models(rows)
    lines = [f"| {title} | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for suite in suites(rows):
        cells = [mean_of(rows, suite, model, field) for model in names]
        if field == "crps":
            lines.append(row(SUITES[suite], cells))
        else:
            texts = [f"{mean:.3f}" for mean, _ in cells]
            lines.append(f"| {SUITES[suite]} | " + " | ".join(texts) + " |")
    return lines


def text(rows: pd.DataFrame) -> str:
    blocks = [f"![scores: CRPS, coverage and PIT histogram]({PICTURE})"]
    blocks.append("\n".join(table(rows, "CRPS / sd", "crps")))
    blocks.append("\n".join(table(rows, "coverage of 90 %", "cover90")))
    return "\n\n".join(blocks)


def draw(rows: pd.DataFrame, suite: str, path: Path) -> None:
    """CRPS and coverage per task, and the PIT histogram of the network."""
    plt.rcParams.update({"font.size": 9})
    figure, (left, middle, right) = plt.subplots(
        1, 3, figsize=(11, 4), gridspec_kw={"width_ratios": [5, 3, 3]}, layout="constrained"
    )
    cover, _ = by_task(rows, suite, NETWORK, "cover90")
    tasks = list(cover.index)
    shown = [m for m in models(rows) if m != "unconditional"]
    for i, model in enumerate(shown):
        mean, error = by_task(rows, suite, model, "crps")
        at = np.arange(len(tasks)) + (i - len(shown) / 2) * 0.12
        style = {"color": "black", "zorder": 3} if model == NETWORK else {}
        left.errorbar(at, mean, 2 * error, fmt="o", ms=4, capsize=2, label=model, **style)
    left.set(ylabel="CRPS / sd(y)", title="CRPS ± 2 standard errors")
    left.set_ylim(bottom=0)
    left.set_xticks(range(len(tasks)), tasks, rotation=30, ha="right")
    left.legend(fontsize=7)
    middle.barh(tasks[::-1], cover[::-1], color="steelblue")
    middle.axvline(0.9, color="black", lw=1)
    middle.set(xlim=(0.5, 1), title=f"coverage of 90 % intervals, {NETWORK}")
    pit = [mean_of(rows, suite, NETWORK, f"pit{i}")[0] * PIT_BINS for i in range(PIT_BINS)]
    right.bar((np.arange(PIT_BINS) + 0.5) / PIT_BINS, pit, 1 / PIT_BINS, color="steelblue", ec="w")
    right.axhline(1, color="black", lw=1)
    right.set(xlabel="PIT", ylabel="density", title=f"PIT histogram, {NETWORK}")
    figure.suptitle(SUITES[suite])
    figure.savefig(path, dpi=110, metadata={"Software": None})


def fill(folder: Path, scores: str) -> None:
    """Put the text between the two marks of a card."""
    card = folder / "README.md"
    before, rest = card.read_text().split(BEGIN)
    after = rest.split(END)[1]
    card.write_text(f"{before}{BEGIN}\n\n{scores}\n\n{END}{after}")


def asked(doc: str) -> tuple[pd.DataFrame, Path]:
    """The rows of the file of scores, and the folder of the card."""
    p = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--scores", required=True, help="CSV file of the scores")
    p.add_argument("--card", required=True, help="folder with the card, README.md")
    o = p.parse_args()
    return pd.read_csv(o.scores), Path(o.card)


def main() -> None:
    rows, card = asked(__doc__)
    draw(rows, suites(rows)[0], card / PICTURE)
    fill(card, text(rows))


if __name__ == "__main__":
    main()
