"""A TabICLv2 of official size that is small to send: graphs with holes where their weights were.

The weights are random anyway. `redrawn` makes the large ones of a checkpoint again from nothing
but integers of PCG64, which give the same bits everywhere; what is left are small tensors, means
and scales. `emptied` cuts the same weights out of the bytes of a graph, and `filled` puts them
back. A bundle's SHA256SUMS tell whether every bit is right.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np

LARGE = 1 << 14  # numbers of a weight matrix that is drawn again


def draw(seed: int, shape: tuple[int, int], scale: np.float32, centre: np.ndarray) -> np.ndarray:
    """Uniform numbers of a seed, float32 [R,C], times a scale, around a row [C]."""
    count = shape[0] * shape[1]
    raw = np.random.PCG64(seed).random_raw(-(-count // 4)).astype("<u8").view("<u2")[:count]
    unit = raw.astype(np.float32) - np.float32(32768)
    return unit.reshape(shape) * np.float32(scale) + centre


def parts_of(state: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What `redrawn` needs of a state: small tensors, and scale and centre of large ones."""
    parts = {}
    for name, value in state.items():
        if value.ndim != 2 or value.size < LARGE:
            parts[name] = value
            continue
        centre = value.mean(0)
        scale = (value - centre).std() * np.sqrt(3) / 32768
        parts[name + "/shape"] = np.array(value.shape)
        parts[name + "/scale"] = np.float32(scale)
        parts[name + "/centre"] = centre.astype(np.float32)
    return parts


def redrawn(parts: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The whole state, its large tensors drawn in the order of their names."""
    state = {name: parts[name] for name in parts if "/" not in name}
    for seed, key in enumerate(sorted(name for name in parts if name.endswith("/shape"))):
        name = key.removesuffix("/shape")
        rows, columns = map(int, parts[key])
        scale, centre = parts[name + "/scale"], parts[name + "/centre"]
        state[name] = draw(seed, (rows, columns), scale, centre)
    return state


def cuts(value: np.ndarray) -> dict[str, np.ndarray]:
    """The forms in which a graph may hold a weight: thirds of its rows, and turned."""
    found, third = {"0:3": value}, len(value) // 3
    if third * 3 == len(value):
        for first in range(3):
            for last in range(first + 1, 4):
                found[f"{first}:{last}"] = value[first * third : last * third]
    return found | {f"{span}:T": part.T for span, part in found.items()}


def cut(state: dict[str, np.ndarray], name: str, span: str) -> bytes:
    return np.ascontiguousarray(cuts(state[name])[span], dtype="<f4").tobytes()


def emptied(graph: bytes, blobs: list[bytes], state: dict[str, np.ndarray]) -> tuple[list, bytes]:
    """Where which weight was, [offset in what is left, name, span], and what is left.

    `blobs` are the large constants of the graph.
    """
    known = {}
    for name, value in state.items():
        if value.ndim == 2 and value.size >= LARGE:
            for span in cuts(value):
                known.setdefault(hashlib.sha256(cut(state, name, span)).digest(), (name, span))
    spots = []
    for blob in blobs:
        if found := known.get(hashlib.sha256(blob).digest()):
            spots.append((graph.index(blob), len(blob), *found))
    holes, left, at = [], [], 0
    for offset, size, name, span in sorted(spots):
        left.append(graph[at:offset])
        holes.append([sum(map(len, left)), name, span])
        at = offset + size
    return holes, b"".join([*left, graph[at:]])


def filled(holes: list, left: bytes, state: dict[str, np.ndarray]) -> bytes:
    """The graph of which `emptied` left this."""
    whole, at = [], 0
    for offset, name, span in holes:
        whole += [left[at:offset], cut(state, name, span)]
        at = offset
    return b"".join([*whole, left[at:]])


def verified(folder: Path) -> None:
    """Refuse a bundle whose graphs are not those that its manifest was written for."""
    told = json.loads((folder / "manifest.json").read_text())["graphs"]
    for name, entry in told.items():
        if hashlib.sha256((folder / entry["file"]).read_bytes()).hexdigest() != entry["sha256"]:
            raise SystemExit(f"gpu-check: {name} graph: the weights drawn here differ")


def fill_bundle(empty: Path, out: Path) -> None:
    """Write `full.ckpt` and `bundle-full` of what `kit.py` packed; a bundle that is there stays."""
    import torch

    bundle = out / "bundle-full"
    if (bundle / "SHA256SUMS").exists():
        return
    told = json.loads((empty / "holes.json").read_text())
    with np.load(empty / "parts.npz") as parts:
        state = redrawn(dict(parts))
    whole = {name: torch.from_numpy(np.array(value)) for name, value in state.items()}
    torch.save({"config": told["config"], "state_dict": whole}, out / "full.ckpt")
    partial = out / "bundle-partial"
    partial.mkdir(exist_ok=True)
    for path in empty.iterdir():
        if path.suffix not in (".npz",) and path.name != "holes.json":
            data = path.read_bytes()
            if path.name in told["holes"]:
                data = filled(told["holes"][path.name], data, state)
            (partial / path.name).write_bytes(data)
    verified(partial)
    partial.rename(bundle)
