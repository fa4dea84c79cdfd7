"""python -m unittest scripts.evaluation.test_fill_tables"""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

from scripts.evaluation.fill_tables import average, cells, files, fill, slug, table

RUN = """# A run

Made with 3 seeds.

## Coverage and width, q0.5

| set | paper | limit |
|---|---|---|
| d=1 n=50 | 0.90 / 2.00 | 0.80 / 1.00 |
| d=2 n=50 | 1.00 / 4.00 | 0.70 / 3.00 |
| d=2 n=99 | 0.10 / 1.00 | 0.10 / 9.00 |

## Scores

| method | metric | yacht | wine |
|---|---|---|---|
| paper | coverage | 0.90 ± 0.01 | 1.00 |
| paper | width | 2.00 ± 0.10 | 4.00 |
| paper | time_s | 1 | 1 |
| bootstrap | coverage | 0.50 | 0.70 |
| bootstrap | width | 1.00 | 4.00 |
"""

PAGE = """a
<!-- lead there -->
old
<!-- end -->
[all](page/there-coverage-and-width-q0.5.csv) [sets](page/there-scores.csv)
<!-- average there-coverage-and-width-q0.5.csv; *n=50 -->
old
<!-- end -->
<!-- average there-scores.csv -->
<!-- end -->
[kept](page/absent-scores.csv)
"""


class FillTablesTest(unittest.TestCase):
    def test_table(self) -> None:
        self.assertEqual(slug("Coverage and width, q0.5"), "coverage-and-width-q0.5")
        self.assertEqual(table(RUN, "coverage-and-width-q0.5")[0], ["set", "paper", "limit"])
        self.assertEqual(table(RUN, "scores")[-1], ["bootstrap", "width", "1.00", "4.00"])
        with self.assertRaisesRegex(SystemExit, "no table 'score'"):
            table(RUN, "score")

    def test_fill(self) -> None:
        said = io.StringIO()
        with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(said):
            runs, beside = Path(name), Path(name) / "page"
            (runs / "there").mkdir()
            (runs / "there" / "tables.md").write_text(RUN)
            files(PAGE, beside, runs)
            once = fill(PAGE, beside, runs)
            self.assertEqual(fill(once, beside, runs), once)
            self.assertEqual(
                cells(beside / "there-scores.csv", ["wine"]),
                {"paper": [(1.0, 4.0)], "bootstrap": [(0.7, 4.0)]},
            )
        self.assertEqual(
            once,
            "a\n<!-- lead there -->\nMade with 3 seeds.\n<!-- end -->\n"
            "[all](page/there-coverage-and-width-q0.5.csv) [sets](page/there-scores.csv)\n"
            "<!-- average there-coverage-and-width-q0.5.csv; *n=50 -->\n"
            "|  | paper | limit |\n| --- | ---: | ---: |\n| coverage | 0.95 | 0.75 |\n"
            "| lowest of a cell | 0.90 | 0.70 |\n| width / that of `paper` | 1.00 | 0.62 |\n"
            "<!-- end -->\n<!-- average there-scores.csv -->\n"
            "|  | paper | bootstrap |\n| --- | ---: | ---: |\n| coverage | 0.95 | 0.60 |\n"
            "| lowest of a cell | 0.90 | 0.50 |\n| width / that of `paper` | 1.00 | 0.75 |\n"
            "<!-- end -->\n[kept](page/absent-scores.csv)\n",
        )
        self.assertIn("absent: no ", said.getvalue())

    def test_average_needs_the_method_beside_it(self) -> None:
        with self.assertRaises(StopIteration):
            average({"limit": [(0.9, 1.0)]})

    def test_page_has_the_averages_of_its_files(self) -> None:
        page = Path(__file__).resolve().parents[2] / "docs" / "evidence" / "results.md"
        text = page.read_text(encoding="utf-8")
        self.assertIn("<!-- average ", text)
        self.assertEqual(fill(text, page.with_suffix(""), Path("no runs")), text)


if __name__ == "__main__":
    unittest.main()
