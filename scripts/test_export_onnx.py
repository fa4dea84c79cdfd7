"""The entry, as a module and as a file."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from scripts.export_onnx import FAMILIES, TORCH

PACKAGES = {
    "tabicl": "scripts/export/tabicl",
    "tabpfn": "scripts/export/tabpfn/v2",
    "nori": "scripts/export/nori",
}
ROOT = Path(__file__).resolve().parents[1]
AS_MODULE = [sys.executable, "-m", "scripts.export_onnx"]
AS_FILE = [sys.executable, str(ROOT / "scripts" / "export_onnx.py")]


def run(command: list[str], folder: Path | str, *options: str) -> subprocess.CompletedProcess:
    return subprocess.run([*command, *options], cwd=folder, capture_output=True, text=True)


class EntryTest(unittest.TestCase):
    def test_help(self) -> None:
        with tempfile.TemporaryDirectory() as elsewhere:
            asked = run(AS_MODULE, ROOT, "--help"), run(AS_FILE, elsewhere, "--help")
        for done in asked:
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("--family", done.stdout)
        self.assertEqual(asked[0].stdout, asked[1].stdout)

    def test_a_family_is_needed(self) -> None:
        for options in ((), ("--out", "bundle"), ("--family", "forest")):
            done = run(AS_FILE, ROOT, *options)
            self.assertEqual(done.returncode, 2, options)
            self.assertIn("--family", done.stderr)

    def test_help_needs_no_packages(self) -> None:
        """-S leaves nothing but the standard library."""
        self.assertEqual(set(FAMILIES), set(PACKAGES))
        bare = [sys.executable, "-S", "-m", "scripts.export_onnx"]
        for family in FAMILIES:
            asked = run(bare, ROOT, "--family", family, "--help")
            self.assertEqual((asked.returncode, asked.stderr), (0, ""))
            self.assertIn("--checkpoint", asked.stdout)
            done = run(bare, ROOT, "--family", family, "--checkpoint", "x.pt", "--out", "bundle")
            self.assertEqual(done.returncode, 1)
            self.assertNotIn("Traceback", done.stderr)
            self.assertIn("which is not installed here", done.stderr)
            self.assertIn(f"pip install -r {PACKAGES[family]}/requirements.txt\n", done.stderr)
            self.assertIn("downloads about 4 GB", done.stderr)

    def test_one_version_of_torch(self) -> None:
        for path in ROOT.glob("scripts/export/**/requirements.txt"):
            self.assertIn(f"torch=={TORCH}\n", path.read_text(), path)

    def test_options_go_to_the_family(self) -> None:
        """From another folder and as a file, the exporter finds its own modules."""
        with tempfile.TemporaryDirectory() as elsewhere:
            done = run(AS_FILE, elsewhere, "--family", "tabicl", "--checkpoint", "x.pt")
            self.assertIn("export_onnx --family tabicl: error:", done.stderr)
            self.assertIn("required: --out", done.stderr)
            try:
                import torch  # noqa: F401
            except ImportError as error:
                self.skipTest(f"needs torch: pip install -r scripts/requirements.txt ({error})")
            options = ("--family", "tabicl", "--checkpoint", "x.pt", "--out", "bundle")
            done = run(AS_FILE, elsewhere, *options)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr.splitlines()[-1], "error: x.pt: no such file")
            self.assertEqual(list(Path(elsewhere).iterdir()), [])
