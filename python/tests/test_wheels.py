"""The wheels themselves: what is inside, and that they run where this machine can try that.

PFNAMP_WHEELS is the folder of the wheels.
"""

import base64
import csv
import hashlib
import io
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

WHEELS = Path(os.environ.get("PFNAMP_WHEELS", "dist/wheels"))
ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "testdata" / "diabetes.csv"
WINE = os.environ | {"WINEPREFIX": str(ROOT / "build" / "wheels" / "wine"), "WINEDEBUG": "-all"}
SYSROOT = Path("/usr/aarch64-linux-gnu")  # of Debian's libc6-arm64-cross, libstdc++6-arm64-cross
ONNXRUNTIME = {  # of Python 3.12, with the hashes of the wheels
    "manylinux_2_27_aarch64": "onnxruntime==1.27.0 --hash=sha256:"
    "c6fddce0539a4898c7bef35b052ffd37935b2190e35488eab99ce91887743ea1",
    "win_amd64": "onnxruntime==1.27.0 --hash=sha256:"
    "20c321cf187ba496e648acf6b4cf90b4d398b0d17c2a77fdaeba365b908cc1c1",
}
BUILD_VERSION, CODE_SIGNATURE = 0x32, 0x1D  # load commands of Mach-O
MAGIC = {  # how programs of a platform begin, and the place and bytes that tell the processor
    "manylinux_2_27_x86_64": (b"\x7fELF", 18, b"\x3e\x00"),
    "manylinux_2_27_aarch64": (b"\x7fELF", 18, b"\xb7\x00"),
    "macosx_14_0_arm64": (b"\xcf\xfa\xed\xfe", 4, b"\x0c\x00\x00\x01"),
    "win_amd64": (b"MZ", 0, b"MZ"),
}


def wheels() -> dict[str, Path]:
    """The wheels by platform."""
    return {path.stem.rsplit("-", 1)[1]: path for path in WHEELS.glob("*.whl")}


class ContentsTest(unittest.TestCase):
    def test_sums(self) -> None:
        sums = {}
        for line in (WHEELS / "SHA256SUMS").read_text().splitlines():
            digest, _, name = line.partition("  ")
            sums[name] = digest
        found = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in wheels().values()}
        self.assertEqual(sums, found)
        self.assertTrue(found)

    def test_record(self) -> None:
        for path in wheels().values():
            with zipfile.ZipFile(path) as archive:
                (record,) = [n for n in archive.namelist() if n.endswith(".dist-info/RECORD")]
                rows = list(csv.reader(io.StringIO(archive.read(record).decode())))
                self.assertEqual({row[0] for row in rows}, set(archive.namelist()))
                for name, digest, size in rows[:-1]:
                    data = archive.read(name)
                    hashed = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
                    self.assertEqual(digest, "sha256=" + hashed.decode().rstrip("="), name)
                    self.assertEqual(int(size), len(data))

    def test_inside(self) -> None:
        for platform, path in wheels().items():
            with zipfile.ZipFile(path) as archive:
                (entry,) = [e for e in archive.infolist() if ".data/scripts/" in e.filename]
                self.assertIn("pfnamp/py.typed", archive.namelist())
                program = archive.read(entry)
                info = next(n for n in archive.namelist() if n.endswith("/METADATA")).split("/")[0]
                metadata = archive.read(f"{info}/METADATA").decode()
                bom = json.loads(archive.read(f"{info}/sboms/pfnamp.cdx.json"))
                listed = re.findall(r"^License-File: (.+)$", metadata, re.MULTILINE)
                texts = {name: archive.read(f"{info}/licenses/{name}") for name in listed}
            self.assertEqual(entry.external_attr >> 16 & 0o777, 0o755)
            magic, at, machine = MAGIC[platform]
            self.assertTrue(program.startswith(magic))
            self.assertEqual(program[at : at + len(machine)], machine)
            self.assertIn("\nRequires-Dist: onnxruntime>=1.25,<2\n", metadata)
            licences = {"LICENSE", "LICENSE.golang", "LICENSE.zig", "NOTICES.modules"}
            self.assertLessEqual(licences, set(texts))
            self.assertTrue(all(len(text) > 500 for text in texts.values()))
            told = bom["metadata"]["component"]["hashes"][0]["content"]
            self.assertEqual(told, hashlib.sha256(program).hexdigest())
            names = {component["name"] for component in bom["components"]}
            self.assertLess({"std", "zig", "gonum.org/v1/gonum", "pfnamp-default"}, names)
            self.assertNotIn("onnxruntime", names)
            self.assertEqual("mingw-w64" in names, platform == "win_amd64")

    def test_glibc(self) -> None:
        """auditwheel finds no symbol that is newer than the tag says, and no other library."""
        for platform, path in wheels().items():
            if not platform.startswith("manylinux"):
                continue
            command = [sys.executable, "-m", "auditwheel", "show", str(path)]
            shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            words = " ".join(shown.split())
            told = r'consistent with the following platform tag: "manylinux_(\d+)_(\d+)'
            found = re.search(told, words)
            self.assertIsNotNone(found, words)
            self.assertLessEqual(tuple(map(int, found.groups())), (2, 27))

    def test_macos(self) -> None:
        """The signature, without which macOS kills a program for arm64, is that of every page."""
        path = wheels().get("macosx_14_0_arm64")
        if path is None:
            self.skipTest("no wheel for macOS")
        with zipfile.ZipFile(path) as archive:
            (name,) = [n for n in archive.namelist() if ".data/scripts/" in n]
            program = archive.read(name)
        (commands,) = struct.unpack_from("<I", program, 16)
        found, at = {}, 32
        for _ in range(commands):
            kind, size = struct.unpack_from("<2I", program, at)
            found[kind], at = program[at + 8 : at + size], at + size
        self.assertEqual(struct.unpack_from("<2I", found[BUILD_VERSION]), (1, 14 << 16))
        (start,) = struct.unpack_from("<I", found[CODE_SIGNATURE])
        (first,) = struct.unpack_from(">I", program, start + 16)
        directory = program[start + first :]
        magic, _, _, flags, hashes, _, _, count, limit = struct.unpack_from(">9I", directory)
        self.assertEqual((magic, flags & 2, limit), (0xFADE0C02, 2, start))  # ad hoc, all of it
        page = 1 << directory[39]
        self.assertEqual(count, -(-limit // page))
        for i in range(count):
            digest = hashlib.sha256(program[i * page : min(i * page + page, limit)]).digest()
            self.assertEqual(digest, directory[hashes + 32 * i : hashes + 32 * i + 32], i)


class RunTest(unittest.TestCase):
    """Programs for other platforms beside the onnxruntime of their platform, as pip puts them."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        lines = DATA.read_text().splitlines()
        (self.folder / "train.csv").write_text("\n".join(lines[:31]))
        (self.folder / "test.csv").write_text("\n".join([lines[0], *lines[31:34]]))

    def install(self, platform: str, scripts: str, site: str) -> Path:
        """The path of the program of a platform, in an environment below self.folder."""
        if platform not in wheels():
            self.skipTest(f"no wheel for {platform}")
        (self.folder / "requirements.txt").write_text(ONNXRUNTIME[platform])
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest"]
        command += [str(self.folder), "--only-binary=:all:", "--implementation", "cp"]
        command += ["--python-version", "3.12", "--platform", platform, "--require-hashes"]
        command += ["--requirement", str(self.folder / "requirements.txt")]
        subprocess.run(command, check=True)
        (library,) = self.folder.glob("onnxruntime-*.whl")
        with zipfile.ZipFile(library) as archive:
            for name in archive.namelist():
                if name.startswith("onnxruntime/capi/") and ("lib" in name or ".dll" in name):
                    archive.extract(name, self.folder / site)
        with zipfile.ZipFile(wheels()[platform]) as archive:
            (name,) = [n for n in archive.namelist() if ".data/scripts/" in n]
            program = self.folder / scripts / Path(name).name
            program.parent.mkdir(parents=True)
            program.write_bytes(archive.read(name))
        program.chmod(0o755)
        return program

    def predict(self, *command: str) -> list[list[float]]:
        """What a program predicts."""
        arguments = ["predict", "train.csv", "test.csv", "-o", "out.csv", "--target", "progression"]
        arguments += ["--chains", "50", "--threads", "1", "--members", "1", "--time-limit", "none"]
        environment = {k: v for k, v in WINE.items() if not k.startswith("PFNAMP")}
        done = subprocess.run(
            [*command, *arguments], cwd=self.folder, capture_output=True, text=True, check=False,
            env=environment,
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("(python of the program)", done.stderr)
        rows = list(csv.reader((self.folder / "out.csv").open()))
        (self.folder / "out.csv").unlink()
        return [[float(cell) for cell in row] for row in rows[1:]]

    def compare(self, *command: str) -> None:
        """A program predicts what this machine's does, to the roundings of float32 kernels."""
        here = self.predict(shutil.which("pfnamp", path=str(Path(sys.executable).parent)))
        there = self.predict(*command)
        self.assertEqual(len(there), 3)
        for mine, theirs in zip(here, there, strict=True):
            for a, b in zip(mine, theirs, strict=True):
                self.assertAlmostEqual(a, b, delta=0.05)

    def test_linux_arm64(self) -> None:
        """Under qemu's emulation of the processor."""
        emulator = shutil.which("qemu-aarch64-static")
        if not emulator or not (SYSROOT / "lib" / "libstdc++.so.6").exists():
            self.skipTest("needs the packages qemu-user-static and libstdc++6-arm64-cross")
        site = "lib/python3.12/site-packages"
        program = self.install("manylinux_2_27_aarch64", "bin", site)
        self.compare(emulator, "-L", str(SYSROOT), str(program))

    def test_windows(self) -> None:
        """Under wine, which has its own C and C++ libraries of Microsoft's compiler."""
        wine = shutil.which("wine64") or shutil.which("wine") or shutil.which("wine64-stable")
        if not wine:
            self.skipTest("needs the package wine64")
        program = self.install("win_amd64", "Scripts", "Lib/site-packages")
        subprocess.run([wine, "wineboot", "--init"], check=True, capture_output=True, env=WINE)
        system = Path(WINE["WINEPREFIX"]) / "drive_c" / "windows" / "system32"
        if not (system / "bcryptprimitives.dll").exists():
            command = [str(ROOT / "build" / "wheels" / "venv" / "bin" / "python"), "-m", "ziglang"]
            command += ["cc", "-target", "x86_64-windows-gnu", "-shared", "-nostdlib"]
            command += [str(Path(__file__).parent / "bcryptprimitives.c"), "-ladvapi32", "-o"]
            subprocess.run([*command, str(system / "bcryptprimitives.dll")], check=True)
        self.compare(wine, str(program))
