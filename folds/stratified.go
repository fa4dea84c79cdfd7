package folds

import (
	"math/rand/v2"
	"slices"
)

// stream tells the random stream of folds from others of the same seed.
const stream = 0x466f_6c64_7300_0001

// Stratified divides rows at random into folds, stratum by stratum: the sizes of folds differ by at
// most one, and so do the numbers of rows that a stratum has in them. The result has the fold of
// every row, whatever the numbers of the strata.
func Stratified(seed uint64, strata []int, count int) []int {
	random := rand.New(rand.NewPCG(seed, stream))
	of, dealt := make([]int, len(strata)), 0
	for _, rows := range InOrder(strata) {
		for _, place := range random.Perm(len(rows)) {
			of[rows[place]] = dealt % count
			dealt++
		}
	}
	return of
}

// ByGroup lists the rows of every group 0, 1, ....
func ByGroup(groups []int) (rows [][]int) {
	for row, g := range groups {
		for g >= len(rows) {
			rows = append(rows, nil)
		}
		rows[g] = append(rows[g], row)
	}
	return rows
}

// InOrder lists the rows of every group that has some, in the order of their first rows.
func InOrder(groups []int) [][]int {
	rows := slices.DeleteFunc(ByGroup(groups), func(rows []int) bool { return rows == nil })
	slices.SortFunc(rows, slices.Compare[[]int])
	return rows
}
