"""TabPFN v3."""
