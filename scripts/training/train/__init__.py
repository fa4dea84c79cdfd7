"""Batches, optimiser and the run."""
