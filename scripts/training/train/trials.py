"""Try the forms of a recipe for equal time, and write down how far each of them comes.

    python -m scripts.training.train.trials scripts/training/recipes/next.toml --device cuda \\
        --seconds 60 --out trials.csv

Every `[[trial]]` changes the settings and the form of one stage. All see the same tables, as many
as they can read in the time; the losses are those of the moving average on the validation tables.
"""

from __future__ import annotations

import argparse
import csv
import shutil
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import torch

from scripts.training.network.network import parameter_count
from scripts.training.train.recipe import Run, read_recipe
from scripts.training.train.trainer import make_trainer

COLUMNS = ("trial", "weights", "steps", "tables", "tables_a_second", "waiting", "label", "second")


def tried(run: Run, stage, trial: dict, seconds: float) -> list:
    """A row of the table: a trial in a new folder, and what its log says last."""
    changes = {k: v for k, v in trial.items() if k not in ("name", "network")}
    changes |= dict.fromkeys(("steps", "validate", "snapshot"), 1_000_000) | {"cool": -1}
    changes["config"] = stage.network | trial.get("network", {})
    trainer = make_trainer(replace(run.settings(stage, seconds / 60), **changes))
    trainer.run()
    last = (trainer.out / "log.csv").read_text().splitlines()[-1].split(",")
    shutil.rmtree(trainer.out)
    step, _, tables, rate, waiting, _, *losses = last
    return [trial["name"], parameter_count(trainer.net), step, tables, rate, waiting, *losses]


def main(arguments: list[str] | None = None) -> None:
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("recipe")
    p.add_argument("--stage", default="regressor")
    p.add_argument("--device", default="cpu")
    p.add_argument("--workers", type=int, default=0)
    p.add_argument("--seconds", type=float, default=60.0, help="of a trial")
    p.add_argument("--all", type=float, default=1e9, help="seconds of all; no trial begins later")
    p.add_argument("--out", type=Path, required=True)
    o = p.parse_args(arguments)
    torch.set_num_threads(1)
    recipe, began = read_recipe(o.recipe), time.monotonic()
    (stage,) = (s for s in recipe.stages if s.name == o.stage)
    with open(o.out, "a", newline="") as file:
        table = csv.writer(file)
        if not file.tell():
            suites = [
                f"{s}_{what}" for s in ("few", "usual", "many") for what in ("label", "second")
            ]
            table.writerow([*COLUMNS, *suites])
        for trial in recipe.trials:
            if time.monotonic() - began + o.seconds > o.all:
                break
            with tempfile.TemporaryDirectory() as folder:
                run = Run(recipe, Path(folder), device=o.device, workers=max(o.workers, 0))
                table.writerow(tried(run, stage, trial, o.seconds))
                file.flush()


if __name__ == "__main__":
    main()
