// Package pyrand reproduces CPython's random.Random bit for bit.
//
// The ensembles of tabular foundation models draw their feature permutations with Python's
// generator, so the same members can only be composed with the same bits: MT19937 seeded by
// init_by_array, an unbiased Below by rejection of the top bits, and the shuffle and sample
// built on it. CPython has kept these algorithms since version 3.2.
package pyrand
