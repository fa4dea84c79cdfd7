package folds

import (
	"cmp"
	"slices"
)

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
