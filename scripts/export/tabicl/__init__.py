"""Bundles of TabICLv2 networks, this project's own and official ones."""
