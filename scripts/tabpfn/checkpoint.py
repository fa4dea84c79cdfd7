"""Read TabPFN checkpoints without running what they contain."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import torch

WANTED = "need a TabPFN v2 regressor checkpoint, such as tabpfn-v2-regressor.ckpt"


class CheckpointError(Exception):
    """A file that cannot be exported, with the reason."""


def downloaded() -> str:
    """The v2 regressor that the package keeps in its cache or downloads, by its own means."""
    from tabpfn.model.loading import download_model, resolve_model_path

    path, folder, name, which = resolve_model_path(None, "regressor")
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        failed = download_model(path, version="v2", which=which, model_name=name)
        if failed != "ok":
            raise CheckpointError(
                f"the tabpfn package cannot get {name} ({first_line(failed[-1])}); "
                "give a file: --checkpoint FILE"
            )
    return str(path)


def first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:120]


def read_checkpoint(path: str | Path) -> dict:
    """The checkpoint's tensors and configuration; CheckpointError says what is wrong with it."""
    saved = load(Path(path))
    if not isinstance(saved, dict) or not {"state_dict", "config"} <= saved.keys():
        raise CheckpointError(f"{path}: no state_dict and config in this checkpoint; {WANTED}")
    architecture = saved.get("architecture_name")
    if architecture is not None:
        raise CheckpointError(
            f"{path}: architecture {architecture!r} is that of TabPFN v2.5 or newer, which "
            f"cannot be exported; {WANTED}"
        )
    check_config(path, saved["config"])
    check_state(path, saved["state_dict"], saved["config"])
    return saved


def load(path: Path) -> object:
    """torch.load that admits tensors and plain values only."""
    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError as e:
        raise CheckpointError(f"{path}: no such file") from e
    except pickle.UnpicklingError as e:
        what = re.search(r"(?:GLOBAL|global:?|class|type) ([\w.]+)", str(e))
        if what is None:
            raise CheckpointError(f"{path}: not a checkpoint that torch has written") from e
        raise CheckpointError(
            f"{path}: refused, it would run code when it is loaded: it asks for {what[1]}"
        ) from e
    except (RuntimeError, EOFError, ValueError, KeyError, OSError) as e:
        raise CheckpointError(
            f"{path}: truncated, or not a checkpoint: {first_line(e)}"
        ) from e


def check_config(path: str | Path, config: dict) -> None:
    if not isinstance(config, dict) or "features_per_group" not in config:
        raise CheckpointError(f"{path}: the configuration is not that of TabPFN; {WANTED}")
    if config.get("max_num_classes", 0) != 0:
        raise CheckpointError(f"{path}: a classifier with classes, not a regressor; {WANTED}")
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


def check_state(path: str | Path, state: dict, config: dict) -> None:
    if not isinstance(state, dict) or "criterion.borders" not in state:
        raise CheckpointError(f"{path}: no criterion.borders; {WANTED}")
    borders = state["criterion.borders"]
    if borders.ndim != 1 or len(borders) < 3 or not bool((borders[1:] >= borders[:-1]).all()):
        raise CheckpointError(f"{path}: criterion.borders are not ascending")
    layers = {k.split(".")[2] for k in state if k.startswith("transformer_encoder.layers.")}
    if len(layers) != config.get("nlayers", 12):
        raise CheckpointError(
            f"{path}: {len(layers)} layers, the configuration says {config.get('nlayers', 12)}"
        )
