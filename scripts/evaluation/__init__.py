"""Scores and timings of the default bundle, and the pages that show them."""
