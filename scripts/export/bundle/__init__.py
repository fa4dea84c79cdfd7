"""What bundles of every family share: graphs, vectors, files, and comparisons of the program."""
