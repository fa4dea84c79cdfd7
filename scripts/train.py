"""Make networks from nothing by a recipe, from the root of the repository:

    python -m scripts.train scripts/training/recipes/next.toml --out runs/next --run-minutes 90

The same command goes on where it stopped: after `--run-minutes`, at SIGTERM or at an
interruption, with nothing lost but the steps since the last save. In how many pieces a run is
made changes no bit of its weights. When all stages are done their bundles are written, each
with the recipe's SHA-256 in its manifest: on a CPU, where `--device cuda` has left the weights.
"""

from __future__ import annotations

import argparse
import math
import os
import signal
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch

from scripts.training.train.recipe import Recipe, RecipeError, Run, read_recipe


def exported(recipe: Recipe, run: Run) -> None:
    """Write the bundles of all stages that have one; those that are there stay."""
    from scripts.export.tabicl import export

    for stage in recipe.stages:
        out = run.out / "bundles" / stage.name
        if stage.bundle is None or (out / "manifest.json").exists():
            continue
        options = ["--checkpoint", str(run.average(stage.name)), "--out", str(out)]
        for name, value in stage.bundle.items():
            options += [f"--{name.replace('_', '-')}", str(value)]
        export.main([*options, "--recipe", str(recipe.path)])


def main(arguments: list[str] | None = None) -> None:
    p = argparse.ArgumentParser(
        prog="train", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("recipe", help="a file of scripts/training/recipes")
    p.add_argument("--out", required=True, type=Path, help="folder of the run")
    p.add_argument("--run-minutes", type=float, default=math.inf, help="stop after so long")
    p.add_argument("--run-steps", type=int, default=1_000_000, help="stop after so many steps")
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--device", default="cpu", help="cpu, or cuda: other settings, and bfloat16")
    p.add_argument("--workers", type=int, default=0, help="processes that draw tables")
    p.add_argument(
        "--cool-seconds", type=float, default=0.0, help="with workers: then cool a copy (cooled.pt)"
    )
    o = p.parse_args(arguments)
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    try:
        recipe = read_recipe(o.recipe)
        run = Run(recipe, o.out, o.threads, o.device, o.run_steps, o.workers, o.cool_seconds)
        before = signal.signal(signal.SIGTERM, run.stop)
        done = run.go_on(o.run_minutes)
        signal.signal(signal.SIGTERM, before)
    except RecipeError as err:
        raise SystemExit(f"error: {err}") from err
    if done and o.device == "cpu":
        exported(recipe, run)
    else:
        print(f"to be continued: {run.out}")


if __name__ == "__main__":
    main()
