"""scikit-learn's own checks of estimators. None is expected to fail."""

import collections
import unittest
import warnings

from pfnamp import Classifier, Regressor
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import check_estimator

FAST = {"members": 1, "threads": 1}
EXPECTED_FAILED: dict[str, str] = {}


class ChecksTest(unittest.TestCase):
    def check(self, estimator: BaseEstimator) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results = check_estimator(
                estimator, expected_failed_checks=EXPECTED_FAILED, on_fail=None
            )
        failed = [r for r in results if r["status"] not in ("passed", "skipped")]
        for result in failed:
            print(f"{result['check_name']}: {result['exception']!r:.300}")
        self.assertFalse(failed)
        counts = collections.Counter(result["status"] for result in results)
        print(f"check_estimator({type(estimator).__name__}): {dict(counts)}")

    def test_regressor(self) -> None:
        self.check(Regressor(**FAST))

    def test_classifier(self) -> None:
        self.check(Classifier(**FAST))
