"""The example of docs/guide/python.md runs."""

import re
import unittest
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "python.md"


class DocsTest(unittest.TestCase):
    def test_example(self) -> None:
        (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
        found: dict = {}
        exec(compile(code, PAGE, "exec"), found)
        rows = len(found["X_test"])
        shapes = {"mean": (rows,), "known": (rows, 2), "upper": (rows, 2), "label": (rows, 2)}
        more = {"bands": (rows, 3), "scale": (rows,), "table": (rows, 8), "means": (4, 6)}
        for name, shape in (shapes | more).items():
            self.assertEqual(found[name].shape, shape, name)
