// Package pyrand reproduces CPython's random.Random and NumPy's default_rng bit for bit.
//
// The ensembles of tabular foundation models draw their feature permutations with these generators,
// so only the same bits give the same members. Rand is CPython's: MT19937 seeded by init_by_array,
// an unbiased Below by rejection of the top bits, and the shuffle and sample built on it, unchanged
// since version 3.2. Generator is NumPy's: PCG64 seeded by a SeedSequence, bounded integers by
// Lemire's method, permutations by masked rejection, as in every version since 1.17.
package pyrand
