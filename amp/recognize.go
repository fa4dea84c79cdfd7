package amp

import (
	"math"
	"slices"
)

// Thresholds of [SupportOf]. Of n labels and one more from the same distribution, the new one is
// beyond the smallest, or the largest, with probability at most 1/(n+1). So a bound that is there
// by chance costs no more coverage than that.
const (
	leastLabels = 20   // fewer give no evidence
	nearZero    = 0.05 // times the labels' range: a smallest label below it is near 0
	nearCount   = 0.25 // likewise for whole numbers
	nearOne     = 0.1  // times the distance of 1 from the median: a largest label within it is near 1
	leastAtoms  = 2    // least labels exactly at an end of the range of a share or an amount
	atomShare   = 0.01 // least share of these labels
	mostGrades  = 11   // most values of a scale of grades, such as 1 to 5
	gradeAtoms  = 5    // least labels at either end of a scale of grades
	gradeShare  = 0.05 // least share of these labels
)

// SupportOf infers which values a target can take from the labels of a training table. With fewer
// than 20 labels it allows every number. It infers
//
//   - whole numbers, if all labels are whole and there are at least twice as many labels as numbers
//     in their range, or three times as many as different labels;
//   - 0 as the smallest value, if no label is below 0 and some are 0 or near 0 compared with their
//     range;
//   - 1 as the largest value of shares, likewise, and 100 if labels are exactly 100;
//   - the ends of a scale of few whole numbers, if enough labels are at each end.
func SupportOf(y []float64) Support {
	sorted := slices.Sorted(slices.Values(y))
	n := len(sorted)
	if n < leastLabels || sorted[0] == sorted[n-1] || math.IsNaN(sorted[0]) {
		return Support{}
	}
	l := labelRange{sorted: sorted, lo: sorted[0], hi: sorted[n-1],
		median: (sorted[(n-1)/2] + sorted[n/2]) / 2, values: 1, whole: true}
	for i, v := range sorted {
		l.whole = l.whole && v == math.Trunc(v)
		if i > 0 && v != sorted[i-1] {
			l.values++
		}
	}
	l.whole = l.whole && (2*(l.hi-l.lo) <= float64(n) || 3*l.values <= n)
	s := Support{Whole: l.whole}
	if s.Min, s.HasMin = l.least(); s.HasMin || l.lo >= 0 {
		s.Max, s.HasMax = l.most()
	}
	return s
}

// labelRange describes the labels of a table.
type labelRange struct {
	sorted         []float64
	lo, hi, median float64
	values         int  // different ones
	whole          bool // only whole numbers, and enough of them to say so
}

// least returns the smallest possible label, if there is evidence for one.
func (l labelRange) least() (float64, bool) {
	switch {
	case l.grades():
		return l.lo, true
	case l.lo < 0:
		return 0, false
	case l.whole:
		return 0, l.lo <= max(1, nearCount*(l.hi-l.lo))
	case l.lo == 0:
		return 0, l.atoms(0)
	}
	return 0, l.lo <= nearZero*(l.hi-l.lo)
}

// most returns the largest possible label likewise, if no label is negative.
func (l labelRange) most() (float64, bool) {
	switch {
	case l.grades() || l.whole && l.lo == 0 && l.hi == 1:
		return l.hi, true
	case l.whole:
		return 100, l.hi == 100 && l.atoms(100)
	case l.hi == 1 || l.hi == 100:
		return l.hi, l.atoms(l.hi)
	}
	return 1, l.hi < 1 && 1-l.hi <= nearOne*(l.hi-l.median)
}

// atoms reports whether enough labels are exactly v.
func (l labelRange) atoms(v float64) bool {
	n := l.count(v)
	return n >= leastAtoms && float64(n) >= atomShare*float64(len(l.sorted))
}

// grades reports whether the labels are few whole numbers, with the smallest and the largest common
// enough.
func (l labelRange) grades() bool {
	ends := min(l.count(l.lo), l.count(l.hi))
	return l.whole && l.values <= mostGrades && ends >= gradeAtoms &&
		float64(ends) >= gradeShare*float64(len(l.sorted))
}

// count returns how many labels are exactly v.
func (l labelRange) count(v float64) int {
	from, _ := slices.BinarySearch(l.sorted, v)
	to, _ := slices.BinarySearch(l.sorted, math.Nextafter(v, math.Inf(1)))
	return to - from
}
