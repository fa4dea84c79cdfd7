"""Run `pfnamp predict` on two tables."""

import subprocess
import tempfile
from pathlib import Path

import pandas as pd


def predicted(
    program: str, train: pd.DataFrame, test: pd.DataFrame, target: str, *flags: str
) -> tuple[str, pd.DataFrame]:
    """What the program prints and the table it writes; a refusal is a CalledProcessError."""
    with tempfile.TemporaryDirectory() as folder:
        known, asked, out = (str(Path(folder) / f"{n}.csv") for n in ("train", "test", "out"))
        train.to_csv(known, index=False)
        test.to_csv(asked, index=False)
        command = [program, "predict", known, asked, "--target", target, "-o", out, *flags]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return done.stdout, pd.read_csv(out)
