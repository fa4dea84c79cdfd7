"""Credible and predictive intervals for tables, by prior-data fitted networks.

This package holds the program `pfnamp` and, for scikit-learn, two estimators that run it:
`Regressor` and `Classifier`, beside the functions `forecast` and `next_rows`. They need
scikit-learn and PyArrow: `pip install "pfnamp[sklearn]"`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from pfnamp._program import InputError, PfnampWarning, ProgramError, program

__all__ = [
    "Classifier",
    "InputError",
    "PfnampWarning",
    "ProgramError",
    "Regressor",
    "forecast",
    "next_rows",
    "program",
]
# The module of what is imported at its first use.
LATE = {
    "Classifier": "_estimators",
    "Regressor": "_estimators",
    "forecast": "_forecast",
    "next_rows": "_next",
}

if TYPE_CHECKING:
    from pfnamp._estimators import Classifier, Regressor
    from pfnamp._forecast import forecast
    from pfnamp._next import next_rows


def __dir__() -> list[str]:
    """The names that the package offers, those that are imported late too."""
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])


def __getattr__(name: str) -> object:
    """Import what needs other packages at its first use: the program alone needs none."""
    if name not in LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = importlib.import_module(f"pfnamp.{LATE[name]}")
    except ModuleNotFoundError as error:
        remedy = 'pip install "pfnamp[sklearn]"'
        raise ImportError(f"pfnamp.{name} needs {error.name}: {remedy}") from error
    return getattr(module, name)
