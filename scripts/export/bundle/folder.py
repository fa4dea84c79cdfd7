"""The files of a bundle."""

import argparse
import contextlib
import hashlib
import importlib.metadata
import json
import shutil
from collections.abc import Iterator
from pathlib import Path


def digest(path: str | Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def entry(path: Path) -> dict:
    """What a manifest says of a file of its folder."""
    return {"file": path.name, "sha256": digest(path)}


def provenance(o: argparse.Namespace, said: str, parameters: int, package: str) -> dict:
    """Where the weights of a checkpoint come from, by default one in the format of what is said."""
    checkpoint = digest(o.checkpoint)
    names = sorted(("onnx", "scikit-learn", package, "torch"))
    return {
        "weights": o.weights
        or f"a checkpoint in the format of {said}, sha256 {checkpoint}, exported by the user",
        "parameters": parameters,
        "checkpoint_sha256": checkpoint,
        "tools": {name: importlib.metadata.version(name).split("+")[0] for name in names},
    }


def packaged(package: str, name: str) -> bytes:
    """A file that comes with an installed package."""
    files = importlib.metadata.files(package) or []
    return next(f for f in files if f.name == name).read_binary()


def write_json(path: Path, value: object, indent: int | None = None) -> None:
    """One JSON value and the end of its last line."""
    path.write_text(json.dumps(value, indent=indent) + "\n")


def seal(folder: Path) -> None:
    """Write the sums of what no other file of a bundle pins, as sha256sum does."""
    lines = [f"{digest(folder / name)}  {name}\n" for name in ("manifest.json", "LICENSE")]
    (folder / "SHA256SUMS").write_text("".join(lines))


@contextlib.contextmanager
def written(out: str | Path) -> Iterator[Path]:
    """A folder for the files of a bundle, which move to `out` unless something fails."""
    partial = Path(out) / ".partial"
    partial.mkdir(parents=True, exist_ok=True)
    try:
        yield partial
        seal(partial)
        for path in sorted(partial.iterdir()):
            print(f"{path.stat().st_size:9d} {path.name}")
            path.replace(partial.parent / path.name)
    finally:
        shutil.rmtree(partial)
