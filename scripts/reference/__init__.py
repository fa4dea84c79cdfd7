"""The independent oracle: everything around the networks in float64 NumPy."""
