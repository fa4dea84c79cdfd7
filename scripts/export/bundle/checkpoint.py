"""Read checkpoints without running what they contain."""

import pickle
import re
from pathlib import Path


class CheckpointError(ValueError):
    """A file that cannot be exported, with the reason."""


def first_line(error: Exception) -> str:
    """What an error says, in one line of at most 120 characters."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:120]


def load(path: Path) -> object:
    """The content of a torch file, of tensors and plain values only."""
    import torch

    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError as err:
        raise CheckpointError(f"{path}: no such file") from err
    except pickle.UnpicklingError as err:
        what = re.search(r"(?:GLOBAL|global:?|class|type) ([\w.]+)", str(err))
        if what is None:
            raise CheckpointError(f"{path}: not a checkpoint that torch has written") from err
        raise CheckpointError(
            f"{path}: refused, it would run code when it is loaded: it asks for {what[1]}"
        ) from err
    except Exception as err:  # whatever a damaged file makes of the reader
        raise CheckpointError(f"{path}: truncated, or not a checkpoint: {first_line(err)}") from err
