"""Pack what the check of a card needs into a folder for a bare machine without a network.

    python -m scripts.tools.gpu.kit --program build/bin/pfnamp --arch 90 --out build/gpu-kit

Run by a Python that has scripts/export/tabicl/requirements.txt. `start.py` in the folder unpacks
it there and runs the check. The provider for CUDA is 252 MB, nearly all of them kernels for other
cards: of every region of its section .nv_fatbin only the entry of machine code for one
architecture stays, at the front; all other bytes keep their places.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import lzma
import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from scripts.export.tabicl.make_checkpoint import make
from scripts.tools.gpu.official import LARGE, emptied, parts_of, redrawn

ROOT = Path(__file__).resolve().parents[3]
WORK = ROOT / "build" / "gpu"
REGION, CODE = 0xBA55ED50, 2  # of .nv_fatbin: what a region begins with, machine code
FILTERS = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": 1 << 27}]
LIBRARIES = ("libonnxruntime.so.1.27.0", "libonnxruntime_providers_shared.so")
PROVIDER = "libonnxruntime_providers_cuda.so"


def section(image: bytes, wanted: str) -> tuple[int, int]:
    """Offset and size of a section of a 64-bit ELF file."""
    (at,) = struct.unpack_from("<Q", image, 40)
    size, count, names = struct.unpack_from("<HHH", image, 58)
    heads = [struct.unpack_from("<IIQQQQ", image, at + i * size) for i in range(count)]
    text = heads[names][4]
    for name, _, _, _, offset, length in heads:
        first = text + name
        if image[first : image.index(b"\0", first)].decode() == wanted:
            return offset, length
    raise SystemExit(f"gpu-kit: the provider has no section {wanted}")


def compacted(image: bytearray, arch: int) -> tuple[bytearray, list[str]]:
    """The provider with the code of one architecture, and the SHA-256 of each kernel kept."""
    at, size = section(image, ".nv_fatbin")
    end, kept = at + size, []
    while at < end:
        magic, _, head, length = struct.unpack_from("<IHHQ", image, at)
        if magic != REGION:
            at += 8
            continue
        first, last, mine = at + head, at + head + length, b""
        entry = first
        while entry < last:
            kind, _, header, payload = struct.unpack_from("<HHIQ", image, entry)
            (made_for,) = struct.unpack_from("<I", image, entry + 28)
            if kind == CODE and made_for == arch:
                mine = bytes(image[entry : entry + header + payload])
                kept.append(hashlib.sha256(mine).hexdigest())
            entry += header + payload
        image[first:last] = mine + bytes(length - len(mine))
        struct.pack_into("<Q", image, at + 8, len(mine))
        at = last
    if not kept:
        raise SystemExit(f"gpu-kit: the provider has no code for sm_{arch}")
    return image, kept


def wheels() -> dict[str, zipfile.ZipFile]:
    """The pinned wheels for Python 3.12 on Linux, by name."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    pip += ["--no-deps", "--require-hashes", "--only-binary=:all:", "--python-version", "3.12"]
    pip += ["--implementation", "cp", "--platform", "manylinux_2_27_x86_64", "--dest", WORK / "whl"]
    subprocess.run([*pip, "-r", ROOT / "scripts/tools/gpu/wheels.txt"], check=True)
    found = sorted((WORK / "whl").glob("*.whl"))
    return {path.name.split("-")[0]: zipfile.ZipFile(path) for path in found}


def squeeze(data: bytes, out: Path) -> None:
    """Write data with LZMA; what was squeezed before is taken from build/gpu/squeezed."""
    kept = WORK / "squeezed" / hashlib.sha256(data).hexdigest()
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        partial = kept.with_suffix(".partial")
        partial.write_bytes(lzma.compress(data, filters=FILTERS))
        partial.replace(kept)
    shutil.copyfile(kept, out)
    print(f"gpu-kit: {out.name}: {len(data) / 1e6:.1f} MB in {out.stat().st_size / 1e6:.1f} MB")


def official() -> dict[str, bytes]:
    """The files of a bundle of official size, its graphs with holes, and what fills them."""
    checkpoint, bundle = WORK / "full.ckpt", WORK / "bundle-full"
    content = make("full", 1)
    parts = parts_of({k: v.numpy() for k, v in content["state_dict"].items()})
    state = redrawn(parts)
    if not (bundle / "SHA256SUMS").exists():
        whole = {k: torch.from_numpy(np.array(state[k])) for k in content["state_dict"]}
        torch.save({"config": content["config"], "state_dict": whole}, checkpoint)
        command = ["scripts.export_onnx", "--family", "tabicl", "--checkpoint", checkpoint]
        command = [sys.executable, "-W", "ignore", "-m", *command, "--out", bundle]
        subprocess.run(list(map(str, command)), check=True, cwd=ROOT)
    files = {p.name: p.read_bytes() for p in bundle.iterdir() if p.suffix != ".onnx"}
    holes = {}
    for path in bundle.glob("*.onnx"):
        graph = onnx.load(path).graph
        arrays = (numpy_helper.to_array(t) for t in graph.initializer if t.dims)
        blobs = [a.tobytes() for a in arrays if a.size >= LARGE and a.dtype == np.float32]
        holes[path.name], files[path.name] = emptied(path.read_bytes(), blobs, state)
    files["holes.json"] = json.dumps({"holes": holes, "config": content["config"]}).encode()
    buffer = io.BytesIO()
    np.savez(buffer, **parts)
    return files | {"parts.npz": buffer.getvalue()}


def tree(site: zipfile.ZipFile | None, full: dict[str, bytes]) -> bytes:
    """scripts/ and testdata/ as they are here, the package tabicl, and the official bundle."""
    listed = [
        "git",
        "ls-files",
        "-co",
        "--exclude-standard",
        "scripts",
        "testdata",
        "docs/evidence/gpu.md",
        "models/default",
        "LICENSE",
    ]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    files = {n: (ROOT / n).read_bytes() for n in names.split() if (ROOT / n).exists()}
    files |= {f"build/gpu/empty-full/{name}": data for name, data in full.items()}
    for name in site.namelist() if site else ():
        files[f"build/gpu/site/{name}"] = site.read(name)
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name in sorted(files):
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(files[name]), 0o755 if name.endswith(".sh") else 0o644
            archive.addfile(member, io.BytesIO(files[name]))
    return out.getvalue()


def packed(program: Path, arch: int) -> dict[str, bytes]:
    """The program, onnxruntime for CUDA with the code of one architecture, and the tree."""
    found = wheels()
    capi = {name: found["onnxruntime_gpu"].read("onnxruntime/capi/" + name) for name in LIBRARIES}
    image = bytearray(found["onnxruntime_gpu"].read("onnxruntime/capi/" + PROVIDER))
    image, kept = compacted(image, arch)
    print(f"gpu-kit: {len(kept)} modules for sm_{arch}")
    stripped = WORK / "pfnamp"
    subprocess.run(["strip", "-o", stripped, program], check=True)
    whole = capi | {PROVIDER: bytes(image), "pfnamp": stripped.read_bytes()}
    whole["tree.tar"] = tree(found["tabicl"], official())
    return whole


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--program", required=True, type=Path)
    p.add_argument("--arch", type=int, default=90, help="90: H100, H200; 86, 89, 120: RTX cards")
    p.add_argument("--out", required=True, type=Path)
    p.add_argument("--tree", action="store_true", help="only what trains, not what is checked")
    o = p.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(o.out, ignore_errors=True)
    o.out.mkdir(parents=True)
    whole = {"tree.tar": tree(None, {})} if o.tree else packed(o.program, o.arch)
    sums = {}
    for name, data in whole.items():
        squeeze(data, o.out / (name + ".xz"))
        sums[name] = hashlib.sha256(data).hexdigest()
    (o.out / "sums.json").write_text(json.dumps(sums, indent=1))
    shutil.copyfile(ROOT / "scripts/tools/gpu/start.py", o.out / "start.py")
    total = sum(path.stat().st_size for path in o.out.iterdir())
    print(f"gpu-kit: {o.out}: {total / (1 << 20):.1f} MiB; there: python3 {o.out}/start.py")
    if total > 62 << 20:
        raise SystemExit("gpu-kit: more than 62 MiB")


if __name__ == "__main__":
    main()
