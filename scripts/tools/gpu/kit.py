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

from scripts.tools.gpu import official

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


def onnxruntime() -> zipfile.ZipFile:
    """The pinned wheel for Python 3.12 on Linux."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    pip += ["--no-deps", "--require-hashes", "--only-binary=:all:", "--python-version", "3.12"]
    pip += ["--implementation", "cp", "--platform", "manylinux_2_27_x86_64", "--dest", WORK / "whl"]
    subprocess.run([*pip, "-r", ROOT / "scripts/tools/gpu/wheels.txt"], check=True)
    return zipfile.ZipFile(next((WORK / "whl").glob("onnxruntime_gpu-*.whl")))


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


def tree(bundle: Path | None) -> bytes:
    """scripts/ and testdata/ as they are here, what training starts from, and a bundle."""
    listed = ["git", "ls-files", "-co", "--exclude-standard", "scripts", "testdata", "LICENSE"]
    listed += ["docs/evidence/gpu.md", "models/default"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    paths = [ROOT / name for name in names.split()] + sorted(bundle.iterdir() if bundle else ())
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for path in filter(Path.exists, paths):
            member, data = tarfile.TarInfo(str(path.relative_to(ROOT))), path.read_bytes()
            member.size, member.mode = len(data), 0o755 if path.suffix == ".sh" else 0o644
            archive.addfile(member, io.BytesIO(data))
    return out.getvalue()


def packed(program: Path, arch: int) -> dict[str, bytes]:
    """The program, onnxruntime for CUDA with the code of one architecture, and the tree."""
    wheel, bundle = onnxruntime(), WORK / "bundle-full"
    official.write(bundle)
    whole = {name: wheel.read("onnxruntime/capi/" + name) for name in (*LIBRARIES, PROVIDER)}
    image, kept = compacted(bytearray(whole[PROVIDER]), arch)
    print(f"gpu-kit: {len(kept)} modules for sm_{arch}")
    stripped = WORK / "pfnamp"
    subprocess.run(["strip", "-o", stripped, program], check=True)
    whole |= {PROVIDER: bytes(image), "pfnamp": stripped.read_bytes()}
    return whole | {"tree.tar": tree(bundle)}


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
    whole = {"tree.tar": tree(None)} if o.tree else packed(o.program, o.arch)
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
