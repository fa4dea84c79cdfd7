"""Skip tests whose packages are not installed."""

from __future__ import annotations

import importlib
import unittest


def needs(requirements: str, *modules: str) -> None:
    """Skip the test module that calls this, unless these modules of some packages are there."""
    for name in modules:
        try:
            importlib.import_module(name)
        except ImportError as error:
            raise unittest.SkipTest(f"needs {name}: pip install -r {requirements}") from error
