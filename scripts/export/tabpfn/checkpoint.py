"""Read TabPFN checkpoints without running what they contain."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scripts.export.bundle.checkpoint import CheckpointError, first_line, load

if TYPE_CHECKING:
    import torch

WANTED = "need a TabPFN v2, v2.5, v2.6, v3 or v3.5 checkpoint, such as tabpfn-v2-regressor.ckpt"
OLD_BORDERS, OWN_BORDERS = "criterion.borders", "regression_borders"
OLD_GROUP, RING = "features_per_group", "feature_group_size"


class Version(NamedTuple):
    """What the checkpoints of a version have, and whose pipelines belong to them."""

    architecture: str | None  # what a checkpoint says
    package: str  # version of the package
    borders: str = OLD_BORDERS  # the weight with the borders of the bars
    group: str = OLD_GROUP  # the setting with the columns of a cell
    both_tasks: bool = False  # one file is a regressor and a classifier


VERSIONS = {
    "v2": Version(None, "2.0.9"),  # older than the name of an architecture
    "v2.5": Version("base", "8.4.0"),
    "v2.6": Version("tabpfn_v2_6", "8.4.0"),
    "v3": Version("tabpfn_v3", "8.4.0", OWN_BORDERS, RING),
    "v3.5": Version("tabpfn_v3_5", "9.2.0", f"heads.{OWN_BORDERS}", RING, both_tasks=True),
}
FOLDERS = {"2.0.9": "v2", "8.4.0": "v2_5", "9.2.0": "v3_5"}  # of what a package is told
BORDERS = sorted(
    {v.borders for v in VERSIONS.values()}, key=OLD_BORDERS.__eq__
)  # the old name last
ARCHITECTURES = {v.architecture: name for name, v in VERSIONS.items()} | {"tabpfn_v2_5": "v2.5"}


def requirements(version: str) -> str:
    """The file with the packages of a version."""
    return f"scripts/export/tabpfn/{FOLDERS[VERSIONS[version].package]}/requirements.txt"


def licence_of(version: str) -> tuple[str, str] | None:
    """Of weights whose licence is to be accepted: its name, and where its text is."""
    if version == "v2":
        return None
    number = version.removeprefix("v")
    return f"TabPFN-{number}", f"Prior-Labs/tabpfn_{number.replace('.', '_')}"


def downloaded(task: str = "regression") -> str:
    """The v2 network that the package keeps in its cache or downloads, by its own means."""
    from tabpfn.model.loading import download_model, resolve_model_path

    which = {"regression": "regressor", "classification": "classifier"}[task]
    path, folder, name, which = resolve_model_path(None, which)
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        failed = download_model(path, version="v2", which=which, model_name=name)
        if failed != "ok":
            raise CheckpointError(
                f"the tabpfn package cannot get {name} ({first_line(failed[-1])}); "
                "give a file: --checkpoint FILE"
            )
    return str(path)


def read_checkpoint(path: str | Path, task: str = "regression") -> dict:
    """The checkpoint's tensors and configuration; CheckpointError says what is wrong with it.

    task: what a file for both tasks is exported for.
    """
    saved = content(Path(path))
    if not isinstance(saved, dict) or not {"state_dict", "config"} <= saved.keys():
        raise CheckpointError(f"{path}: no state_dict and config in this checkpoint; {WANTED}")
    version = version_of(path, saved)
    if VERSIONS[version].both_tasks:
        saved["task"] = task
    if version == "v2":
        check_config(path, saved["config"])
    else:
        check_new_config(path, saved)
    layers = saved["config"].get("nlayers", 12 if version == "v2" else 24)
    check_state(path, saved["state_dict"], layers, version)
    check_head(path, saved, version)
    return saved


def classes_of(saved: dict) -> int:
    """How many classes a classifier tells apart, 0 of a regressor."""
    if saved.get("task") == "regression":
        return 0
    return max(0, saved["config"].get("max_num_classes", 0))


def task_of(saved: dict) -> str:
    """What a manifest calls the task of a checkpoint."""
    return "classification" if classes_of(saved) else "regression"


def version_of(path: str | Path, saved: dict) -> str:
    """A key of VERSIONS."""
    architecture = saved.get("architecture_name")
    if architecture not in ARCHITECTURES:
        raise CheckpointError(
            f"{path}: the architecture {architecture!r} cannot be exported; {WANTED}"
        )
    return ARCHITECTURES[architecture]


def content(path: Path) -> object:
    """What a file holds, tensors and plain values only."""
    return load_safetensors(path) if path.suffix == ".safetensors" else load(path)


def load_safetensors(path: Path) -> dict:
    """The tensors and, in the header, the rest as JSON."""
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError as e:
        raise CheckpointError(f"{path}: needs the packages of {requirements('v3.5')}") from e
    try:
        with safe_open(str(path), framework="pt") as file:
            saved = {key: json.loads(value) for key, value in (file.metadata() or {}).items()}
            return saved | {"state_dict": {key: file.get_tensor(key) for key in file.keys()}}
    except FileNotFoundError as e:
        raise CheckpointError(f"{path}: no such file") from e
    except (SafetensorError, ValueError, OSError) as e:
        raise CheckpointError(f"{path}: truncated, or not a checkpoint: {first_line(e)}") from e


def check_config(path: str | Path, config: dict) -> None:
    if not isinstance(config, dict) or "features_per_group" not in config:
        raise CheckpointError(f"{path}: the configuration is not that of TabPFN; {WANTED}")
    if config.get("max_num_classes", 0) in (1, 2):
        raise CheckpointError(
            f"{path}: a classifier of {config['max_num_classes']} classes is not TabPFN v2; "
            f"{WANTED}"
        )
    expected = {
        "feature_positional_embedding": "subspace",
        "multiquery_item_attention": False,
        "multiquery_item_attention_for_test_set": True,
        "nan_handling_enabled": True,
        "nan_handling_y_encoder": True,
        "normalize_to_ranking": False,
        "remove_outliers": False,
        "use_separate_decoder": False,
        "encoder_use_bias": False,
    }
    for key, value in expected.items():
        if config.get(key, value) != value:
            raise CheckpointError(
                f"{path}: {key} is {config[key]!r}, TabPFN v2 has {value!r}; {WANTED}"
            )
    if config["features_per_group"] not in (1, 2):
        raise CheckpointError(
            f"{path}: {config['features_per_group']} features per group is not TabPFN v2; {WANTED}"
        )


def check_new_config(path: str | Path, saved: dict) -> None:
    """What a checkpoint of v2.5 or newer says of its network."""
    config, version = saved["config"], version_of(path, saved)
    if not isinstance(config, dict) or "num_buckets" not in config:
        raise CheckpointError(f"{path}: the configuration is not that of TabPFN; {WANTED}")
    if config.get("max_num_classes", 0) == 1:
        raise CheckpointError(f"{path}: a classifier of one class; {WANTED}")
    if version != "v2.5" and not isinstance(saved.get("inference_config"), dict):
        raise CheckpointError(
            f"{path}: no inference_config, which checkpoints of {version} have; {WANTED}"
        )
    group = config.get(VERSIONS[version].group, 3)
    if not isinstance(group, int) or not 1 <= group <= 16:
        raise CheckpointError(f"{path}: {group!r} features per group; {WANTED}")


def borders_of(state: dict) -> torch.Tensor:
    """The borders of the bars, in standardised units.

    The package reads those of v3 from the network, whatever else a file has.
    """
    return next(state[name] for name in BORDERS if name in state)


def check_head(path: str | Path, saved: dict, version: str) -> None:
    """A regressor has borders of bars; a classifier has none, unless they are in the network."""
    state, name = saved["state_dict"], VERSIONS[version].borders
    if classes_of(saved):
        if name == OLD_BORDERS and name in state:
            raise CheckpointError(f"{path}: a classifier with {name}; {WANTED}")
        return
    if name not in state:
        raise CheckpointError(f"{path}: no {name}; {WANTED}")
    borders = state[name]
    if borders.ndim != 1 or len(borders) < 3 or not bool((borders[1:] >= borders[:-1]).all()):
        raise CheckpointError(f"{path}: the borders of the bars are not ascending")


def check_state(path: str | Path, state: dict, layers: int, version: str) -> None:
    """The weights are those of so many layers, and of such a network."""
    if not isinstance(state, dict):
        raise CheckpointError(f"{path}: no weights; {WANTED}")
    pattern = r"(?:transformer_encoder\.layers|blocks|icl_blocks)\.(\d+)\."
    found = (re.match(pattern, k) for k in state)
    count = len({match[1] for match in found if match})
    if count != layers:
        raise CheckpointError(f"{path}: {count} layers, the configuration says {layers}")
