"""python -m unittest scripts.evaluation.test_fill_tables"""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

from scripts.evaluation.fill_tables import fill, table

RUN = """# A run

Made with 3 seeds.

## Coverage and width, q0.5

| set | width |
|---|---|
| yacht | 1 |
| wine | 2 |
| wine red | 3 |

## Scores

| set | CRPS |
|---|---|
| yacht | 4 |
"""


class FillTablesTest(unittest.TestCase):
    def test_table(self) -> None:
        head = "| set | width |\n|---|---|\n"
        title = "Coverage and width, q0.5"
        self.assertEqual(table(RUN, title, ["wine*"]), head + "| wine | 2 |\n| wine red | 3 |\n")
        self.assertEqual(table(RUN, title, ["yacht"]), head + "| yacht | 1 |\n")
        self.assertEqual(table(RUN, "Scores", []), "| set | CRPS |\n|---|---|\n| yacht | 4 |\n")
        with self.assertRaisesRegex(SystemExit, "no table 'Score'"):
            table(RUN, "Score", [])

    def test_fill(self) -> None:
        page = (
            "a\n<!-- lead there -->\nold\n<!-- end -->\nb\n"
            "<!-- table there; Scores -->\nold\n<!-- end -->\n"
            "<!-- table absent; Scores -->\nkept\n<!-- end -->\n"
        )
        said = io.StringIO()
        with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(said):
            (Path(name) / "there").mkdir()
            (Path(name) / "there" / "tables.md").write_text(RUN)
            once = fill(page, Path(name))
            self.assertEqual(fill(once, Path(name)), once)
        self.assertEqual(
            once,
            "a\n<!-- lead there -->\nMade with 3 seeds.\n<!-- end -->\nb\n"
            "<!-- table there; Scores -->\n| set | CRPS |\n|---|---|\n| yacht | 4 |\n<!-- end -->\n"
            "<!-- table absent; Scores -->\nkept\n<!-- end -->\n",
        )
        self.assertIn("absent: no ", said.getvalue())


if __name__ == "__main__":
    unittest.main()
