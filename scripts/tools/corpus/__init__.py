"""Two programs, the same command lines: what differs."""
