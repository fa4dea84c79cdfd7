"""A recipe makes the same bundles in one piece, in several, and when it is told to stop."""

import contextlib
import json
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from scripts.needs import ROOT, needs

needs("scripts/requirements.txt", "numpy", "onnx", "onnxruntime", "scipy", "sklearn", "torch")

from scripts import train
from scripts.export.bundle.folder import digest
from scripts.training.train.checkpoint import load_network
from scripts.training.train.recipe import RecipeError, Run, read_recipe
from scripts.training.train.trainer import Trainer

TINY = ROOT / "scripts" / "training" / "recipes" / "tiny.toml"


def digests(folder: Path) -> dict[str, str]:
    """The digests of the averages and of all files of the bundles of a run."""
    found = [*sorted((folder / "bundles").rglob("*")), *sorted(folder.glob("*/average.pt"))]
    return {str(p.relative_to(folder)): digest(p) for p in found if p.is_file()}


def quietly(recipe: Path, out: Path, *more: str) -> None:
    with contextlib.redirect_stdout(None):
        train.main([str(recipe), "--out", str(out), *more])


class Pieces(unittest.TestCase):
    def test_pieces_make_the_bytes_of_one_run(self):
        with tempfile.TemporaryDirectory() as folder:
            whole, cut = Path(folder) / "whole", Path(folder) / "cut"
            quietly(TINY, whole)
            for piece in range(1, 6):
                self.assertFalse((cut / "bundles").exists(), piece)
                quietly(TINY, cut, "--run-steps", "2", "--threads", "1")
            self.assertEqual(digests(whole), digests(cut))
            for stage in ("regressor", "classifier"):
                self.assertIn(f"bundles/{stage}/query.onnx", digests(whole))
                self.assertIn(f"{stage}/average.pt", digests(whole))
            for stage in ("regressor", "classifier"):
                text = (whole / "bundles" / stage / "manifest.json").read_text()
                self.assertEqual(json.loads(text)["provenance"]["recipe_sha256"], digest(TINY))

    def test_sigterm_loses_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            recipe = Path(folder) / "long.toml"
            text = TINY.read_text().split("[[stage]]")[:2]
            text = "[[stage]]".join(text).split("[stage.bundle]")[0]
            recipe.write_text(text.replace("steps = 5\ncool = 3", "steps = 60"))
            whole, cut = Path(folder) / "whole", Path(folder) / "cut"
            quietly(recipe, whole)
            command = [sys.executable, "-m", "scripts.train", str(recipe), "--out", str(cut)]
            process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
            while process.poll() is None and not (cut / "regressor" / "last.pt").exists():
                time.sleep(0.01)
            process.send_signal(signal.SIGTERM)
            said, _ = process.communicate()
            self.assertEqual(process.returncode, 0, said)
            quietly(recipe, cut)
            self.assertEqual(digests(whole), digests(cut))


class Origins(unittest.TestCase):
    """A stage starts with a bundle that the history of this repository holds."""

    def recipe(self, folder: str, sums: str, commit: str = "HEAD") -> Path:
        path = Path(folder) / "more.toml"
        start = f'commit = "{commit}"\nfolder = "models/default"\nsums = "{sums}"'
        run = "cells = 300\nbatches = 1\nvalidate = 0"
        stage = f'name = "more"\ntask = "regression"\nseed = 1\nsteps = 1\n[stage.from]\n{start}'
        path.write_text(f'name = "more"\n[run]\n{run}\n[[stage]]\n{stage}\n')
        return path

    def test_weights_are_those_of_the_bundle(self):
        sums = digest(ROOT / "models" / "default" / "SHA256SUMS")
        with tempfile.TemporaryDirectory() as folder:
            recipe, out = read_recipe(self.recipe(folder, sums)), Path(folder) / "run"
            run = Run(recipe, out)
            start = Trainer(run.settings(recipe.stages[0], 0.0)).net
            given = load_network(str(ROOT / "models" / "default"))[0].state_dict()
            for name, weight in start.state_dict().items():
                if "collect.ssmax.gate.first" not in name:  # random: zeros follow
                    self.assertTrue(weight.equal(given[name]), name)

    def test_another_bundle_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            recipe = self.recipe(folder, "0" * 64)
            with self.assertRaisesRegex(SystemExit, "not the bundle that the recipe means"):
                quietly(recipe, Path(folder) / "run")

    def test_a_commit_that_is_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            recipe = self.recipe(folder, "0" * 64, "f" * 40)
            with self.assertRaisesRegex(SystemExit, "clone the whole history"):
                quietly(recipe, Path(folder) / "run")


class Refusals(unittest.TestCase):
    def refused(self, old: str, new: str, words: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "other.toml"
            path.write_text(TINY.read_text().replace(old, new))
            with self.assertRaisesRegex(RecipeError, words):
                read_recipe(path)

    def test_what_a_recipe_may_not_say(self):
        self.refused("warmup = 2", "warmpu = 2", "'warmpu', which is not one of")
        self.refused("seed = 1\n", "", "has no 'seed'")
        self.refused('start = "regressor"', 'start = "regresor"', "no stage before it")
        self.refused("[network]", "[network", "not TOML")

    def test_another_recipe_in_the_folder_of_a_run(self):
        with tempfile.TemporaryDirectory() as folder:
            path, out = Path(folder) / "other.toml", Path(folder) / "run"
            path.write_text(TINY.read_text())
            quietly(path, out, "--run-steps", "1")
            path.write_text(TINY.read_text().replace("warmup = 2", "warmup = 3"))
            with self.assertRaisesRegex(SystemExit, "began with another recipe"):
                quietly(path, out, "--run-steps", "1")
