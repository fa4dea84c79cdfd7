"""Bundles of TabPFN networks."""
