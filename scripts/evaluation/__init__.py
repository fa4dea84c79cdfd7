"""Scores of the embedded bundles, and the cards that show them."""
