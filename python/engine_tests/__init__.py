"""Tests with real engines: `make test-engines`."""
