"""Pack the compiled programs and the Python package into wheels.

    python -m scripts.tools.wheels.pack --programs build/wheels --out dist/wheels linux-amd64 ...

The same files give the same bytes: entries are sorted, dates fixed, permissions set.
"""

import argparse
import base64
import hashlib
import json
import zipfile
from pathlib import Path

import ziglang

from scripts.tools.wheels.metadata import TAGS, metadata, version, wheel

ROOT = Path(__file__).resolve().parents[3]
ZIG = Path(ziglang.__file__).parent
EPOCH = (1980, 1, 1, 0, 0, 0)  # the first date that an archive can hold


def package() -> dict[str, bytes]:
    """The files of the Python package."""
    folder = ROOT / "python" / "pfnamp"
    files = [*folder.glob("*.py"), folder / "py.typed"]
    return {f"pfnamp/{path.name}": path.read_bytes() for path in files}


def licences(programs: Path, platform: str) -> dict[str, bytes]:
    """The texts of the licences of everything that the program holds, by name."""
    files = {
        "LICENSE": ROOT / "LICENSE",
        "LICENSE.golang": programs / "LICENSE.golang",
        "LICENSE.zig": ZIG / "LICENSE",
        "NOTICES.modules": programs / "NOTICES.modules",
    }
    if platform.startswith("windows"):
        files["COPYING.mingw-w64"] = ZIG / "lib" / "libc" / "mingw" / "COPYING"
    return {name: path.read_bytes() for name, path in files.items()}


def component(name: str, licence: str, description: str, **more: object) -> dict[str, object]:
    """A component of a bill of materials."""
    own = {"type": "library", "name": name, "description": description}
    return own | {"licenses": [{"expression": licence}]} | more


def materials(program: Path, platform: str) -> bytes:
    """The bill of materials of a wheel: that of the program, with what the C compiler adds."""
    bom = json.loads((ROOT / "docs" / "sbom.cdx.json").read_text(encoding="utf-8"))
    bom["metadata"]["component"] |= {
        "version": version(),
        "hashes": [{"alg": "SHA-256", "content": sha256(program.read_bytes())}],
    }
    bom["components"] = [c for c in bom["components"] if c["name"] != "onnxruntime"]
    bom["components"].append(
        component("zig", "MIT", "compiler-rt of the C compiler", purl="pkg:pypi/ziglang")
    )
    if platform.startswith("windows"):
        text = "start-up code of C programs for Windows, as zig carries it"
        bom["components"].append(component("mingw-w64", "ZPL-2.1", text))
    return json.dumps(bom, indent=1, ensure_ascii=False).encode() + b"\n"


def sha256(data: bytes) -> str:
    """The hash of data, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def record(files: dict[str, bytes], name: str) -> bytes:
    """The list of all files with their hashes, which is called name itself."""
    lines = []
    for path, data in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(data)}\n")
    return "".join([*lines, f"{name},,\n"]).encode()


def contents(programs: Path, platform: str) -> dict[str, bytes]:
    """The files of a wheel by path, RECORD last."""
    program = programs / platform / ("pfnamp.exe" if "windows" in platform else "pfnamp")
    stem = f"pfnamp-{version()}"
    info = f"{stem}.dist-info"
    texts = licences(programs, platform)
    files = package()
    files[f"{stem}.data/scripts/{program.name}"] = program.read_bytes()
    files[f"{info}/METADATA"] = metadata(ROOT, sorted(texts))
    files[f"{info}/WHEEL"] = wheel(platform)
    files[f"{info}/sboms/pfnamp.cdx.json"] = materials(program, platform)
    files |= {f"{info}/licenses/{name}": text for name, text in texts.items()}
    files[f"{info}/RECORD"] = record(files, f"{info}/RECORD")
    return files


def write(path: Path, files: dict[str, bytes]) -> None:
    """Write an archive whose bytes depend on nothing but files."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in sorted(files.items(), key=lambda item: (".dist-info/" in item[0], item)):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, whose permissions follow
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            archive.writestr(entry, data, compresslevel=9)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=Path, required=True, help="folder of PLATFORM/pfnamp")
    parser.add_argument("--out", type=Path, required=True, help="folder of the wheels")
    parser.add_argument("platforms", nargs="+", choices=sorted(TAGS))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for old in [*args.out.glob("*.whl"), *args.out.glob("SHA256SUMS")]:
        old.unlink()
    sums = []
    for platform in args.platforms:
        path = args.out / f"pfnamp-{version()}-py3-none-{TAGS[platform]}.whl"
        write(path, contents(args.programs, platform))
        sums.append(f"{sha256(path.read_bytes())}  {path.name}\n")
        print(f"wheels: {path}: {path.stat().st_size / 1e6:.1f} MB")
    (args.out / "SHA256SUMS").write_text("".join(sorted(sums, key=lambda line: line.split()[1])))


if __name__ == "__main__":
    main()
