"""Pre-training of the small in-context regression network."""
