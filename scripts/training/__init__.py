"""A network from nothing: its form, its prior, its training and the recipes that say all three."""
