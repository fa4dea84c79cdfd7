"""Python tools that make and measure the model bundles; run as modules from the repository root."""
