"""The tables of the page on real tables, and the scores behind them."""

import unittest

from scripts.needs import needs

needs("scripts/requirements.txt", "numpy", "pandas")

import numpy as np

from scripts.evaluation.wild import page as tables


def row(table: str, method: str, crps: float, coverage: float = 0.9, kinds: str = "counts") -> dict:
    return {
        "table": table,
        "task": "numbers",
        "kinds": kinds,
        "method": method,
        "crps": str(crps),
        "interval_score": "2",
        "coverage": str(coverage),
        "seconds": "1",
    }


ROWS = [
    row("a", "pfnamp", 0.2),
    row("a", "ridge", 0.4),
    row("a", "forest", 0.3),
    row("b", "pfnamp", 0.5, 0.7, "texts|counts"),
    row("b", "ridge", 0.2),
    row("b", "forest", 0.9),
    row("c", "pfnamp", 0.1),
    row("c", "ridge", 0.1),
]
PAGE = (
    "x\n<!-- numbers -->\nold\n<!-- end -->\ny\n<!-- worst numbers -->\n<!-- end -->\n"
    "<!-- numbers by kind -->\n<!-- end -->\n<!-- labels -->\nkept\n<!-- end -->\n"
)


class Page(unittest.TestCase):
    def test_methods_are_compared_where_all_have_scores(self):
        beside = tables.ratio(tables.of_task(ROWS, "numbers"))
        self.assertEqual(list(beside), ["pfnamp", "ridge", "forest"])
        self.assertEqual(list(beside.index), ["a", "b"])
        np.testing.assert_allclose(beside["pfnamp"], [0.201 / 0.301, 0.501 / 0.201])

    def test_blocks_are_made_anew(self):
        page = tables.filled(PAGE, ROWS)
        self.assertNotIn("old", page)
        self.assertIn("| pfnamp | 2 | 0.350 | 1.290 | 1 | 1 | 2.000 | 0.800 | 1 | 1.0 |", page)
        self.assertIn("| b | texts, counts | 0.500 | 0.200 | 0.900 |", page)
        self.assertIn("| ridge | 2 | 0.300 | 0.895 | 1 | 1 | 2.000 | 0.900 | 0 | 1.0 |", page)
        self.assertNotIn("| a | counts |", page)
        self.assertIn("| texts | 1 | 0.501 | 0.201 | 0.901 |", page)
        self.assertIn("kept", page)
