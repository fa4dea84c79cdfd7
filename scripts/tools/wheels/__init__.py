"""Python wheels of the program: built, packed and tested; see `make wheels`."""
