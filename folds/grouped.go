package folds

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// groupStream is the random stream of folds of whole groups.
const groupStream = 0x466f_6c64_7300_0002

// Grouped deals whole groups to folds: the largest group first, each to the fold that has the
// fewest rows. The seed decides among groups of the same size. The result has the fold of every
// row. The error is a *[GroupsError] where there are fewer groups than folds.
func Grouped(seed uint64, groups []int, count int) ([]int, error) {
	members := InOrder(groups)
	of := make([]int, len(groups))
	if len(members) < count {
		return of, &GroupsError{Groups: len(members), Folds: count}
	}
	random := rand.New(rand.NewPCG(seed, groupStream))
	random.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	slices.SortStableFunc(members, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	sizes := make([]int, count)
	for _, rows := range members {
		fold := slices.Index(sizes, slices.Min(sizes))
		sizes[fold] += len(rows)
		for _, row := range rows {
			of[row] = fold
		}
	}
	return of, nil
}
