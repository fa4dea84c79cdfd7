"""python -m unittest scripts.export.bundle.test_vectors"""

import json
import math
import unittest

from scripts.export.bundle.vectors import exact, golden, rounded


class Matrix:
    """What an array is to `rounded`."""

    def tolist(self):
        return [[1 / 3, math.nan], [2, math.inf]]


class VectorsTest(unittest.TestCase):
    def test_rounded(self) -> None:
        self.assertEqual(rounded(Matrix(), 4), [[0.3333, None], [2.0, None]])
        self.assertEqual(rounded([(1e-9 / 3, -123456)], 2), [[3.3e-10, -120000.0]])
        self.assertEqual(json.dumps(rounded([2, True], 3)), "[2.0, 1.0]")

    def test_exact_reads_back_to_the_same_bits(self) -> None:
        values = [1 / 3, 0.1 + 0.2, 5e-324, 1.7976931348623157e308, -0.0]
        again = json.loads(json.dumps(exact(values)))
        self.assertEqual([v.hex() for v in again], [v.hex() for v in values])

    def test_golden(self) -> None:
        self.assertEqual(golden([{"name": "a"}]), {"format": 1, "cases": [{"name": "a"}]})
