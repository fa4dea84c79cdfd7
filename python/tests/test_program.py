"""How the program is found and run, and what its failures become."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import pfnamp
from pfnamp import _program


class ProgramTest(unittest.TestCase):
    def setUp(self) -> None:
        self.addCleanup(_program.program.cache_clear)
        _program.program.cache_clear()

    def test_is_that_of_the_environment(self) -> None:
        with mock.patch.dict(os.environ, {"PATH": ""}):
            os.environ.pop("PFNAMP_PROGRAM", None)
            self.assertEqual(Path(pfnamp.program()).parent, Path(sys.prefix).resolve() / "bin")

    def test_missing(self) -> None:
        gone = mock.patch.object(_program.metadata, "files", return_value=None)
        with gone, mock.patch.dict(os.environ, {"PATH": "", "PFNAMP_PROGRAM": ""}):
            with self.assertRaisesRegex(pfnamp.ProgramError, "not installed: pip install pfnamp"):
                pfnamp.program()

    def test_fails_without_words(self) -> None:
        """A program that is killed leaves no JSON."""
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "pfnamp"
            script.write_text("#!/bin/sh\necho '{broken' >&2\nkill -9 $$\n")
            script.chmod(0o755)
            with mock.patch.dict(os.environ, {"PFNAMP_PROGRAM": str(script)}):
                with self.assertRaisesRegex(pfnamp.ProgramError, "failed with exit status -9"):
                    _program.run(["predict"])

    def test_library_is_that_of_this_python(self) -> None:
        told, _ = _program.run(["doctor"])
        self.assertIn(b"PFNAMP_ORT_LIB", told)
        self.assertIn(os.fsencode(str(_program.library())), told)

    def test_module_is_the_program(self) -> None:
        command = [sys.executable, "-m", "pfnamp", "version"]
        self.assertIn("onnxruntime", subprocess.run(command, capture_output=True, text=True).stdout)

    def test_import_is_light(self) -> None:
        """The program needs neither scikit-learn nor PyArrow."""
        code = "import sys, pfnamp; print({'sklearn', 'pyarrow', 'numpy'} & set(sys.modules))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual(done.stdout, "set()\n")
