"""Recipes: a file says everything that makes a network, and a folder holds how far it has come.

A recipe (`scripts/training/recipes/*.toml`) has a name, the network's form (`[network]`, changes
to `DEFAULT_CONFIG`), what all stages have in common (`[run]`), and stages (`[[stage]]`), each with
a name, a task, a seed and a number of steps. A stage may say anything of `[run]` anew, change
the form (`[stage.network]`), start with the average of an earlier stage or with a bundle
(`[stage.from]`: commit, folder, and the SHA-256 of its `SHA256SUMS`), and become a bundle
(`[stage.bundle]`, options of the exporter). Names of settings are those of `trainer.Settings`.
On a card the settings of `[card]` and `[stage.card]` come before all others; a stage with
`card = false` is left out there. `[[trial]]` are changes of settings and form for `trials.py`.

The folder of a run holds `recipe.toml`, which must stay the recipe's bytes, and for every stage
the trainer's files and, when it is done, `average.pt`: its moving average in float16.
"""

from __future__ import annotations

import io
import subprocess
import tarfile
import time
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from scripts.export.bundle.folder import digest
from scripts.training.train.checkpoint import write_small
from scripts.training.train.state import FIRST
from scripts.training.train.trainer import Settings, Trainer, make_trainer

ROOT = Path(__file__).resolve().parents[3]
AVERAGE = "average.pt"
SETTINGS = {"lr", "matrix_lr", "warmup", "cool", "ema", "batches"}
SETTINGS |= {"cells", "queries", "wide", "snapshot", "validate", "least", "most"}
STAGE = SETTINGS | {"name", "task", "seed", "steps", "start", "from", "network", "bundle", "card"}
CARD = SETTINGS | {"steps"}
TRIAL = SETTINGS | {"name", "network"}
ORIGIN = {"commit", "folder", "sums"}


class RecipeError(Exception):
    """A recipe or the folder of its run cannot be used; the text says why and what to do."""


@dataclass(frozen=True)
class Origin:
    """A bundle that a stage starts with: a folder of a commit, and its `SHA256SUMS`' SHA-256."""

    commit: str
    folder: str
    sums: str

    def extract(self, out: Path) -> Path:
        """The folder of this tree if it is that bundle, or one under `out` from its history."""
        folder = ROOT / self.folder
        if (folder / "SHA256SUMS").exists() and digest(folder / "SHA256SUMS") == self.sums:
            return folder
        folder = out / self.folder
        if not folder.exists():
            out.mkdir(parents=True, exist_ok=True)
            command = ["git", "archive", "--format=tar", self.commit, "--", self.folder]
            made = subprocess.run(command, cwd=ROOT, capture_output=True)
            if made.returncode:
                raise RecipeError(
                    f"a stage starts with {self.folder} of commit {self.commit}, and git does not "
                    f"have it ({made.stderr.decode().strip()}): clone the whole history"
                )
            with tarfile.open(fileobj=io.BytesIO(made.stdout)) as archive:
                archive.extractall(out, filter="data")
        if digest(folder / "SHA256SUMS") != self.sums:
            raise RecipeError(f"{folder}: not the bundle that the recipe means: remove this folder")
        return folder


@dataclass(frozen=True)
class Stage:
    """One network: its settings, form, and what its bundle is told.

    `start` names an earlier stage or is empty, `origin` is a bundle or `None`. With neither, the
    stage starts from nothing. `card` holds settings for a card; `None` leaves the stage out there.
    """

    name: str
    settings: dict
    network: dict
    start: str = ""
    bundle: dict | None = None
    origin: Origin | None = None
    card: dict | None = None

    def settings_on(self, device: str) -> dict:
        return self.settings if device == "cpu" else self.settings | (self.card or {})


@dataclass(frozen=True)
class Recipe:
    """What a file says; `sha256` is that of its bytes."""

    path: Path
    name: str
    sha256: str
    stages: list[Stage] = field(default_factory=list)
    trials: list[dict] = field(default_factory=list)


def refuse_others(path: Path, where: str, given: dict, known: set[str]) -> None:
    """Refuse names that mean nothing: a mistyped setting would be the default."""
    if other := sorted(set(given) - known):
        raise RecipeError(f"{path}: {where} has {other[0]!r}, which is not one of {sorted(known)}")


def read_recipe(path: str | Path) -> Recipe:
    """The recipe in a file."""
    path = Path(path)
    try:
        text = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as err:
        raise RecipeError(f"{path}: not TOML: {err}") from err
    known = {"name", "network", "run", "stage", "card", "trial"}
    refuse_others(path, "the recipe", text, known)
    refuse_others(path, "[run]", text.get("run", {}), SETTINGS)
    refuse_others(path, "[card]", text.get("card", {}), SETTINGS)
    for trial in text.get("trial", []):
        refuse_others(path, "[[trial]]", trial, TRIAL)
    stages: list[Stage] = []
    for given in text.get("stage", []):
        where = f"stage {given.get('name', len(stages) + 1)!r}"
        refuse_others(path, where, given, STAGE)
        if absent := sorted({"name", "task", "seed", "steps"} - set(given)):
            raise RecipeError(f"{path}: {where} has no {absent[0]!r}")
        start = given.get("start", "")
        if start and start not in [stage.name for stage in stages]:
            raise RecipeError(f"{path}: {where} starts with {start!r}, no stage before it")
        origin = None
        if "from" in given:
            if set(given["from"]) != ORIGIN:
                raise RecipeError(f"{path}: {where}: [stage.from] has all of {sorted(ORIGIN)}")
            origin = Origin(**given["from"])
        settings = text.get("run", {}) | {k: v for k, v in given.items() if k in SETTINGS}
        settings |= {k: given[k] for k in ("task", "seed", "steps")}
        form = text.get("network", {}) | given.get("network", {})
        card = given.get("card", {})
        if card is False:
            card = None
        else:
            refuse_others(path, f"{where}: [stage.card]", card, CARD)
            card = text.get("card", {}) | card
        bundle = given.get("bundle")
        stages.append(Stage(given["name"], settings, form, start, bundle, origin, card))
    if "name" not in text or not stages:
        raise RecipeError(f"{path}: a recipe has a name and at least one [[stage]]")
    return Recipe(path, text["name"], digest(path), stages, text.get("trial", []))


@dataclass
class Run:
    """A recipe being carried out in a folder, for `steps` at most.

    `stop` ends it after the step at hand. On a card a copy then cools for `cool_seconds`.
    """

    recipe: Recipe
    out: Path
    threads: int = 2
    device: str = "cpu"
    steps: int = 1_000_000
    workers: int = 0
    cool_seconds: float = 0.0
    trainer: Trainer | None = None
    stopping: bool = False

    def __post_init__(self) -> None:
        self.out.mkdir(parents=True, exist_ok=True)
        kept = self.out / "recipe.toml"
        if not kept.exists():
            kept.write_bytes(self.recipe.path.read_bytes())
        if digest(kept) != self.recipe.sha256:
            raise RecipeError(
                f"{self.out}: its run began with another recipe ({kept}), so that what it holds "
                "would not be what this one makes: name another folder, or put the recipe back"
            )

    def stop(self, *_) -> None:
        """End the run after the step at hand; a signal handler."""
        self.stopping = True
        if self.trainer:
            self.trainer.stop()

    def average(self, stage: str) -> Path:
        """The float16 weights of a stage that is done."""
        return self.out / stage / AVERAGE

    def settings(self, stage: Stage, minutes: float) -> Settings:
        """What the trainer of a stage is told."""
        folder, start = self.out / stage.name, ""
        resume = (folder / "last.pt").exists() or (folder / FIRST).exists()
        if not resume and stage.start and self.average(stage.start).exists():
            start = str(self.average(stage.start))
        elif not resume and stage.origin:
            start = str(stage.origin.extract(folder / "from"))
        return Settings(
            folder,
            stage.network,
            start=start,
            resume=resume,
            run_steps=self.steps,
            run_minutes=minutes,
            cool_seconds=self.cool_seconds,
            threads=self.threads,
            device=self.device,
            workers=self.workers,
            **stage.settings_on(self.device),
        )

    def go_on(self, minutes: float) -> bool:
        """Train for so long at most; whether all stages are done."""
        end = time.monotonic() + 60 * minutes
        for stage in self.recipe.stages:
            left_out = self.device != "cpu" and stage.card is None
            if left_out or self.average(stage.name).exists():
                continue
            left = (end - time.monotonic()) / 60
            self.trainer = make_trainer(self.settings(stage, left))
            if self.stopping:
                return False
            self.trainer.run()
            self.steps -= self.trainer.step - self.trainer.first
            if self.trainer.step < stage.settings_on(self.device)["steps"]:
                return False
            partial = self.average(stage.name).with_suffix(".partial")
            write_small(str(self.trainer.checkpoint), str(partial))
            partial.replace(self.average(stage.name))
        return True
