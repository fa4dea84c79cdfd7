"""Real tables of R's packages: the program beside what people would use."""
