"""python -m unittest scripts.export.bundle.test_agreement"""

import tempfile
import unittest
from pathlib import Path

from scripts.export.bundle.agreement import cell, fill, read, record, summary

GATES = {"golden": "1", "csv": "1e-4"}


def row(table: str, value: str, differs: str = "") -> dict[str, str]:
    return {"table": table, "context": "9x2", "differs": differs} | dict.fromkeys(GATES, value)


class AgreementTest(unittest.TestCase):
    def test_cell(self) -> None:
        self.assertEqual([cell(v) for v in (0.0, 1.23e-7, 0.5)], ["0", "1.2e-7", "5.0e-1"])

    def test_record_replaces_one_network(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / "parity" / "tabpfn-classes.csv"
            record(path, "full-2.5", GATES, [row("a", "1.0e-6"), row("b", "1.0e-5")])
            record(path, "tiny", GATES, [row("a", "3.0e-6")])
            record(path, "full-2.5", GATES, [row("a", "2.0e-6"), row("b", "1.0e0", "meant")])
            self.assertEqual(
                [(r["network"], r["table"], r["csv"]) for r in read(path)],
                [
                    ("gate", "", "1e-4"),
                    ("tiny", "a", "3.0e-6"),
                    ("full-2.5", "a", "2.0e-6"),
                    ("full-2.5", "b", "1.0e0"),
                ],
            )
            text = summary(path.parent)
            self.assertIn("| TabPFN v2.5, classes | `full-2.5` | 1 of 2 | 2.0e-6 |", text)
            self.assertIn("| TabPFN v2, classes | `tiny` | 1 of 1 |", text)
            page = "a\n<!-- agreement -->\nold\n<!-- end -->\nb\n"
            new = fill(page, path.parent)
            self.assertIn(text, new)
            self.assertEqual(fill(new, path.parent), new)

    def test_page_has_the_summary_of_its_files(self) -> None:
        page = Path(__file__).resolve().parents[3] / "docs" / "evidence" / "parity.md"
        text = page.read_text(encoding="utf-8")
        self.assertEqual(fill(text, page.with_suffix("")), text)

    def test_page_without_a_block(self) -> None:
        with self.assertRaisesRegex(SystemExit, "no block"):
            fill("nothing", Path("."))
