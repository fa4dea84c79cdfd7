package tabpfn

import (
	"math"
	"slices"
)

// indices returns 0..n-1.
func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// distinct returns the distinct values, ascending, and their counts. All NaN are one value, last.
func distinct(values []float64) (unique []float64, counts []int) {
	sorted := slices.Clone(values)
	slices.SortFunc(sorted, compareLastNaN)
	for _, v := range sorted {
		if last := len(unique) - 1; last >= 0 && compareLastNaN(unique[last], v) == 0 {
			counts[last]++
			continue
		}
		unique, counts = append(unique, v), append(counts, 1)
	}
	return unique, counts
}

// compareLastNaN orders numbers, and NaN after all of them.
func compareLastNaN(a, b float64) int {
	switch {
	case math.IsNaN(a) && math.IsNaN(b):
		return 0
	case math.IsNaN(a):
		return 1
	case math.IsNaN(b):
		return -1
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
