"""The network: layers, outputs and what teaches them."""
