"""Unpack the kit in this file's folder and check a card: `python3 build/gpu-kit/start.py`.

The Python that runs it needs numpy; PyTorch's environment brings NVIDIA's libraries. Nothing is
fetched. `--device cpu` rehearses it without a card, `--unpack` ends when everything is in place.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import lzma
import os
import subprocess
import sys
import tarfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

KIT = Path(__file__).resolve().parent
FILTERS = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": 1 << 27}]


def say(*words: object) -> None:
    print(f"gpu-check: {time.monotonic() - BEGAN:.1f} s:", *words, file=sys.stderr, flush=True)


def unpack(name: str, digest: str, to: Path) -> None:
    """One file of the kit, which must be what was packed."""
    data = lzma.decompress((KIT / (name + ".xz")).read_bytes())
    if hashlib.sha256(data).hexdigest() != digest:
        raise SystemExit(f"gpu-check: {KIT / name}.xz is damaged: send the kit again")
    if name == "tree.tar":
        (to / name).write_bytes(data)
        with tarfile.open(to / name) as archive:
            archive.extractall(to / "tree", filter="data")
        return
    path = to / ("bin" if name == "pfnamp" else "site/onnxruntime/capi") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(0o755)


def nvidia(to: Path) -> str:
    """Put NVIDIA's libraries of this Python where the program looks; their folders."""
    folders: list[str] = []
    found = importlib.util.find_spec("nvidia")
    for place in map(Path, found.submodule_search_locations or []) if found else []:
        if not (to / "site" / "nvidia").exists():
            (to / "site" / "nvidia").symlink_to(place)
        folders += sorted(str(path) for path in place.glob("*/lib"))
    say(f"{len(folders)} folders of NVIDIA's libraries" if folders else "no libraries of NVIDIA")
    return ":".join(folders)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--to", type=Path, default=Path("/tmp/pfnamp-gpu"), help="folder to unpack to")
    p.add_argument("--device", default="cuda")
    p.add_argument("--seconds", default="150", help="for the whole check")
    p.add_argument("--page", help="where the page goes (default: docs/evidence/gpu.md there)")
    p.add_argument("--unpack", action="store_true")
    o = p.parse_args()
    o.to.mkdir(parents=True, exist_ok=True)
    sums, done = json.loads((KIT / "sums.json").read_text()), o.to / "sums.json"
    if done.exists() and json.loads(done.read_text()) == sums:
        sums = {}
    with ThreadPoolExecutor(4) as pool:
        for job in [pool.submit(unpack, name, digest, o.to) for name, digest in sums.items()]:
            job.result()
    if sums:
        done.write_text(json.dumps(sums))
    say("unpacked")
    (o.to / "site").mkdir(exist_ok=True)
    os.environ["PFNAMP_CUDA_PATH"] = nvidia(o.to)
    if o.unpack:
        return
    os.environ |= {
        "PFNAMP_ORT_LIB": str(o.to / "site" / "onnxruntime" / "capi"),
        "PACKAGE_PYTHON": sys.executable,
        "SECONDS_LEFT": str(float(o.seconds) - (time.monotonic() - BEGAN)),
    }
    if o.page:
        os.environ["PAGE"] = str(Path(o.page).resolve())
    check = o.to / "tree" / "scripts" / "tools" / "gpu" / "check.sh"
    raise SystemExit(subprocess.run([check, o.to / "bin" / "pfnamp", o.device]).returncode)


if __name__ == "__main__":
    BEGAN = time.monotonic()
    main()
