"""TabPFN v2."""
