"""TabPFN v3.5: one file for regression and classification."""
