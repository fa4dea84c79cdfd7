"""mypy finds no fault in the package's type hints."""

import importlib.util
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "pfnamp"
ENGINES = {"ray.py", "spark.py"}  # whose packages are those of python/engine_tests


@unittest.skipIf(importlib.util.find_spec("mypy") is None, "mypy is not installed")
class TypesTest(unittest.TestCase):
    def test_package(self) -> None:
        files = [str(path) for path in FOLDER.glob("*.py") if path.name not in ENGINES]
        with tempfile.TemporaryDirectory() as cache:
            command = [sys.executable, "-m", "mypy", "--ignore-missing-imports"]
            command += ["--check-untyped-defs", "--disallow-incomplete-defs"]
            done = subprocess.run(
                [*command, "--cache-dir", cache, *files],
                capture_output=True,
                text=True,
                cwd=FOLDER.parent,
            )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
