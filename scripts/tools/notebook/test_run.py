"""python -m unittest scripts.tools.notebook.test_run"""

import unittest

from scripts.needs import needs

needs("scripts/tools/notebook/requirements.txt", "nbclient", "nbformat")

from scripts.tools.notebook.run import difference, same


class Lines(unittest.TestCase):
    def test_the_last_digit_may_differ_by_one(self):
        self.assertTrue(same("mean_hi   297.14  277.28", "mean_hi   297.13  277.28"))
        self.assertTrue(same("p  -0.00", "p  -0.01"))
        self.assertFalse(same("mean_hi   297.14", "mean_hi   297.12"))
        self.assertFalse(same("mean_hi   297.14", "mean_lo   297.14"))
        self.assertFalse(same("mean 1.5", "mean 1.50"))
        self.assertFalse(same("rows 88", "rows 87"))
        self.assertFalse(same("a 1.5 2.5", "a 1.5"))

    def test_a_difference_shows_both_lines(self):
        self.assertEqual(difference(["a 1.5"], ["a 1.6"]), [])
        self.assertIn("+a 1.7", difference(["a 1.5"], ["a 1.7"]))
        self.assertIn("+b", difference(["a"], ["a", "b"]))
