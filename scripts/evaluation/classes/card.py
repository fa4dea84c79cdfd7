"""Write the classifier's scores into its card: a table and a picture of its calibration.

    python -m scripts.evaluation.classes.card --scores scripts/evaluation/classes/scores.csv \\
        --card models/classifier

The text between the card's two `scores` marks is replaced.
"""

from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("agg")

import matplotlib.pyplot as plt
import pandas as pd

from scripts.evaluation.card import PICTURE, asked, fill
from scripts.evaluation.classes.scores import BINS, summary

NETWORK = "classifier"


def reliability(rows: pd.DataFrame, share: float) -> np.ndarray:
    """[BINS,3] probabilities of all tables: how many, their mean, and the share of labels."""
    total = np.zeros((BINS, 3))
    for bins in rows.bins[(rows.model == NETWORK) & (rows.share == share)].dropna():
        cells = np.array([[float(v) for v in cell.split(":")] for cell in bins.split()])
        total += cells * np.stack([np.ones(BINS), cells[:, 0], cells[:, 0]], axis=1)
    total[:, 1:] /= np.maximum(total[:, :1], 1)
    return total


def draw(rows: pd.DataFrame, shares: list[float], path: Path) -> None:
    """Shares of the labels beside the probabilities, and how often these occur."""
    plt.rcParams.update({"font.size": 9})
    figure, axes = plt.subplots(1, len(shares), figsize=(4 * len(shares), 4), layout="constrained")
    for axis, share in zip(np.atleast_1d(axes), shares):
        bins = reliability(rows, share)
        kept = bins[bins[:, 0] > 0]
        axis.bar(
            (np.arange(BINS) + 0.5) / BINS,
            bins[:, 0] / bins[:, 0].sum(),
            1 / BINS,
            color="lightsteelblue",
            ec="w",
            label="share of the probabilities",
        )
        axis.plot([0, 1], [0, 1], color="grey", lw=1)
        axis.plot(kept[:, 1], kept[:, 2], "o-", color="black", ms=4, label="share of the labels")
        axis.set(xlim=(0, 1), ylim=(0, 1), xlabel="predicted probability of a class")
        axis.set_title(f"{share:.0%} of the rows read")
    np.atleast_1d(axes)[0].legend(fontsize=7, loc="upper left")
    figure.savefig(path, dpi=110, metadata={"Software": None})


def text(rows: pd.DataFrame) -> str:
    picture = f"![calibration: shares of labels beside probabilities]({PICTURE})"
    return picture + "\n\n" + "\n".join(summary(rows))


def main() -> None:
    rows, card = asked(__doc__)
    draw(rows, sorted(rows.share.unique()), card / PICTURE)
    fill(card, text(rows))


if __name__ == "__main__":
    main()
