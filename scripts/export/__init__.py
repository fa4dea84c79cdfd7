"""Checkpoints to bundles: what families share, and a room for each."""
