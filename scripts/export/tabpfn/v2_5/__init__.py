"""TabPFN v2.5 and v2.6, and the package that v3 shares with them."""
