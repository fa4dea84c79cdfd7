"""The notebook of examples: run again and compared."""
