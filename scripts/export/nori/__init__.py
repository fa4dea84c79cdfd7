"""Bundles of Nori networks."""
