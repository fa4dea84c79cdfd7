"""Credible and predictive intervals for tables, by prior-data fitted networks.

This package contains the program `pfnamp`. For scikit-learn it has the estimators `Regressor` and
`Classifier` and the functions `forecast` and `next_rows`, which need scikit-learn and PyArrow:
`pip install "pfnamp[sklearn]"`.
"""

import importlib
from typing import TYPE_CHECKING

from pfnamp._program import InputError, PfnampWarning, ProgramError, program, version

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
# The modules of names that are imported at their first use.
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
    """The names of the package, including names that are imported at their first use."""
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])


def __getattr__(name: str) -> object:
    """Import a name at its first use, because its module needs other packages."""
    if name == "__version__":
        return version()
    if name not in LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = importlib.import_module(f"pfnamp.{LATE[name]}")
    except ModuleNotFoundError as error:
        remedy = 'pip install "pfnamp[sklearn]"'
        raise ImportError(
            f"pfnamp.{name} needs {error.name}, which is not installed: {remedy}"
        ) from error
    return getattr(module, name)
