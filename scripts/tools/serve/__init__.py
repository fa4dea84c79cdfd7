"""Published clients of the protocols that `pfnamp serve` speaks, against the real server."""
