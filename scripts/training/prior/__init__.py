"""Synthetic tables whose truth is known."""
