"""Numbers of golden vectors as JSON has them."""

import math


def rounded(values, digits: int):
    """Nested lists of floats with so many significant digits; None for what is not finite.

    Of a dictionary, those of its values.
    """
    if isinstance(values, dict):
        return {key: rounded(value, digits) for key, value in values.items()}
    if hasattr(values, "tolist"):
        values = values.tolist()
    if isinstance(values, (list, tuple)):
        return [rounded(v, digits) for v in values]
    return float(f"{values:.{digits}g}") if math.isfinite(values) else None


def exact(values):
    """Nested lists of floats that read back to the same bits."""
    return rounded(values, 17)


def golden(cases: list[dict]) -> dict:
    """The content of golden.json."""
    return {"format": 1, "cases": cases}
