"""Tests of the wheels and of the Python package: `make test-wheels`."""
