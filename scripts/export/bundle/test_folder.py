"""python -m unittest scripts.export.bundle.test_folder"""

import contextlib
import hashlib
import io
import tempfile
import unittest
from pathlib import Path

from scripts.export.bundle.folder import digest, entry, write_json, written


class FolderTest(unittest.TestCase):
    def setUp(self) -> None:
        self.out = Path(self.enterContext(tempfile.TemporaryDirectory())) / "bundles" / "mine"

    def test_files_move_when_all_are_written(self) -> None:
        said = io.StringIO()
        with contextlib.redirect_stdout(said), written(self.out) as folder:
            write_json(folder / "manifest.json", {"b": 1}, indent=1)
            (folder / "LICENSE").write_bytes(b"text")
            self.assertEqual([p.name for p in self.out.iterdir()], [folder.name])
        names = sorted(p.name for p in self.out.iterdir())
        self.assertEqual(names, ["LICENSE", "SHA256SUMS", "manifest.json"])
        sums = [f"{digest(self.out / name)}  {name}\n" for name in ("manifest.json", "LICENSE")]
        self.assertEqual((self.out / "SHA256SUMS").read_text(), "".join(sums))
        self.assertEqual((self.out / "manifest.json").read_text(), '{\n "b": 1\n}\n')
        listed = "        4 LICENSE\n      154 SHA256SUMS\n       12 manifest.json\n"
        self.assertEqual(said.getvalue(), listed)

    def test_nothing_stays_of_a_failure(self) -> None:
        self.out.mkdir(parents=True)
        (self.out / "LICENSE").write_text("older")
        with self.assertRaises(SystemExit), written(self.out) as folder:
            (folder / "LICENSE").write_text("newer")
            raise SystemExit("the graphs disagree")
        self.assertEqual([p.name for p in self.out.iterdir()], ["LICENSE"])
        self.assertEqual((self.out / "LICENSE").read_text(), "older")

    def test_entry(self) -> None:
        self.out.mkdir(parents=True)
        write_json(self.out / "golden.json", [0.5, None])
        want = hashlib.sha256(b"[0.5, null]\n").hexdigest()
        self.assertEqual(entry(self.out / "golden.json"), {"file": "golden.json", "sha256": want})
        self.assertEqual(digest(str(self.out / "golden.json")), want)
