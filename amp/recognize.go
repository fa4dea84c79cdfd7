package amp

import (
	"math"
	"slices"
)

// Bounds of the evidence of [SupportOf]. Of n labels and one more from the same distribution, the
// new one is beyond the smallest, or the largest, with probability at most 1/(n+1): a bound that is
// there by chance costs no more coverage than that.
const (
	leastLabels = 20   // fewer say nothing
	nearZero    = 0.05 // of the labels' range, at which the smallest label is near 0
	nearCount   = 0.25 // likewise of whole numbers
	nearOne     = 0.1  // of the distance to the median, at which the largest label is near 1
	leastAtoms  = 2    // labels that are exactly an end of the range of a share or an amount
	atomShare   = 0.01 // of the labels, likewise
	mostGrades  = 11   // values of a scale of grades, such as 1 to 5
	gradeAtoms  = 5    // labels of either end of such a scale
	gradeShare  = 0.05 // of the labels, likewise
)

// SupportOf recognises which values a target can take, by the labels of a training table. Fewer
// than 20 labels say nothing. It recognises
//
//   - whole numbers, if all labels are whole and there are at least twice as many labels as
//     numbers in their range, or three times as many as different labels;
//   - 0 as the smallest value, if no label is below 0 and some are 0 or near 0 compared with
//     their range;
//   - 1 as the largest value of shares, likewise, and 100 if labels are exactly 100;
//   - the ends of a scale of few whole numbers, if each end has its share of the labels.
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
	whole          bool // they are counted
}

// least is the smallest possible label, if there is evidence of one.
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

// most is the largest possible label likewise, of labels that are not negative.
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

// atoms reports whether labels are exactly a value.
func (l labelRange) atoms(v float64) bool {
	n := l.count(v)
	return n >= leastAtoms && float64(n) >= atomShare*float64(len(l.sorted))
}

// grades reports whether the labels are few whole numbers, of which the smallest and the largest
// are not rare.
func (l labelRange) grades() bool {
	ends := min(l.count(l.lo), l.count(l.hi))
	return l.whole && l.values <= mostGrades && ends >= gradeAtoms &&
		float64(ends) >= gradeShare*float64(len(l.sorted))
}

// count is how many labels are exactly a value.
func (l labelRange) count(v float64) int {
	from, _ := slices.BinarySearch(l.sorted, v)
	to, _ := slices.BinarySearch(l.sorted, math.Nextafter(v, math.Inf(1)))
	return to - from
}
