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

// Rolling divides rows in the order of time, the rolling origin of forecasts (Tashman 2000): the
// first model reads the earliest rows, a share first in (0, 1) of them, and predicts the next ones;
// every further model reads all rows before those that it predicts. Rows of the same time are never
// apart. Nobody predicts the earliest rows. There are count folds or, where many rows have the same
// time, fewer. The error is a *[TimesError] where fewer than count+1 times differ.
func Rolling(times []float64, count int, first float64) ([]Fold, error) {
	order := make([]int, len(times))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(times[a], times[b]) })
	var changes []int // places in the order at which a later time begins
	for i := 1; i < len(order); i++ {
		if times[order[i]] != times[order[i-1]] {
			changes = append(changes, i)
		}
	}
	if len(changes) < count {
		return nil, &TimesError{Times: len(changes) + min(1, len(order)), Folds: count}
	}
	ends := append(borders(changes, len(order), count, first), len(order))
	var all []Fold
	for i, end := range ends[1:] {
		f := Fold{Read: slices.Clone(order[:ends[i]]), Held: slices.Clone(order[ends[i]:end])}
		slices.Sort(f.Read)
		slices.Sort(f.Held)
		all = append(all, f)
	}
	return all, nil
}

// borders lists where the folds begin: the changes of time that are nearest to even sizes.
func borders(changes []int, rows, count int, first float64) (begin []int) {
	each := (1 - first) * float64(rows) / float64(count)
	for k := range count {
		at := int(first*float64(rows) + float64(k)*each + 0.5)
		i, _ := slices.BinarySearch(changes, at)
		if i == len(changes) || i > 0 && at-changes[i-1] < changes[i]-at {
			i--
		}
		begin = append(begin, changes[i])
	}
	return slices.Compact(begin)
}
