"""Credible and predictive intervals for tables, by prior-data fitted networks.

This package holds the program `pfnamp` and, for scikit-learn, two estimators that run it:
`Regressor` and `Classifier`. They need scikit-learn and PyArrow: `pip install "pfnamp[sklearn]"`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pfnamp._program import InputError, PfnampWarning, ProgramError, program

__all__ = ["Classifier", "InputError", "PfnampWarning", "ProgramError", "Regressor", "program"]

if TYPE_CHECKING:
    from pfnamp._estimators import Classifier, Regressor


def __dir__() -> list[str]:
    """The names that the package offers, the estimators before their first use too."""
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])


def __getattr__(name: str) -> object:
    """Import the estimators at their first use: the program alone needs neither package."""
    if name not in ("Classifier", "Regressor"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from pfnamp import _estimators
    except ModuleNotFoundError as error:
        remedy = 'pip install "pfnamp[sklearn]"'
        raise ImportError(f"pfnamp.{name} needs {error.name}: {remedy}") from error
    return getattr(_estimators, name)
