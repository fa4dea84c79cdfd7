"""Skip tests whose packages are not installed."""

import importlib
import importlib.metadata
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def needs(requirements: str, *modules: str, pinned: tuple[str, ...] = ()) -> None:
    """Skip the test module that calls this, unless these modules of some packages are there.

    Of pinned packages it must be the version that the requirements name.
    """
    for name in modules:
        try:
            importlib.import_module(name)
        except ImportError as error:
            raise unittest.SkipTest(f"needs {name}: pip install -r {requirements}") from error
    lines = (ROOT / requirements).read_text(encoding="utf-8").split()
    for name in pinned:
        wanted = f"{name}=={importlib.metadata.version(name)}"
        if wanted not in lines:
            raise unittest.SkipTest(f"not for {wanted}: pip install -r {requirements}")
