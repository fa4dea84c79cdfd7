package amp

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Support is the set of values that a label can take: a range, and perhaps only its whole numbers.
// The zero value allows every number.
//
// T(Y) turns a continuous prediction Y into a possible label, with
//
//	T(y) = min{max{⌈y - ½⌉, Min}, Max}    for whole numbers, else  min{max{y, Min}, Max}.
//
// T is monotone and left-continuous, so that its quantiles are T of the quantiles of Y, and
//
//	P(T(Y) <= t) = P(Y <= latent(t)),  latent(t) = ⌊t⌋ + ½ for whole numbers, else t,
//
// where latent(t) is -∞ below Min and ∞ from Max on. The posterior of every functional is mapped in
// the same way, so a distribution and its posterior stay as coherent as they were. If the range
// leaves two whole numbers, their distribution is the one with the mean of T(Y) instead.
type Support struct {
	Whole          bool    // whole numbers only
	HasMin, HasMax bool    // the range has this end
	Min, Max       float64 // ends of the range, themselves possible
}

// Any reports whether every number is possible.
func (s Support) Any() bool { return !s.Whole && !s.HasMin && !s.HasMax }

// Value returns T(y), the possible label for a number y.
func (s Support) Value(y float64) float64 {
	if s.Whole {
		y = math.Ceil(y-0.5) + 0 // 0, never -0
	}
	return s.clamp(y)
}

func (s Support) clamp(y float64) float64 {
	if s.HasMin && y < s.Min {
		return s.Min
	}
	if s.HasMax && y > s.Max {
		return s.Max
	}
	return y
}

// Has reports whether a label is possible.
func (s Support) Has(y float64) bool { return s.Value(y) == y }

// Interval returns the smallest interval that holds all possible labels between lo and hi. If there
// are none between, its ends are the possible labels next to lo and hi.
func (s Support) Interval(lo, hi float64) (low, high float64) {
	if s.Whole {
		if low, high = math.Ceil(lo)+0, math.Floor(hi)+0; low > high {
			low, high = high, low
		}
		lo, hi = low, high
	}
	return s.clamp(lo), s.clamp(hi)
}

// latent returns the bound of Y up to which T(Y) is at most t.
func (s Support) latent(t float64) float64 {
	switch {
	case s.HasMin && t < s.Min:
		return math.Inf(-1)
	case s.HasMax && t >= s.Max:
		return math.Inf(1)
	case s.Whole:
		return math.Floor(t) + 0.5
	}
	return t
}

// Predictions maps predictions to possible labels.
func (s Support) Predictions(rows []Prediction) []Prediction {
	if s.Any() {
		return rows
	}
	possible := make([]Prediction, len(rows))
	for i, row := range rows {
		possible[i] = Prediction{PPD: s.PPD(row.PPD)}
		if row.Own != nil {
			possible[i].Own = supportedOwn{s, row.Own}
		}
	}
	return possible
}

// String returns the text that [ParseSupport] reads: any, whole, 0:1, whole,0:.
func (s Support) String() string {
	var parts []string
	if s.Whole {
		parts = append(parts, "whole")
	}
	if s.HasMin || s.HasMax {
		lo, hi := "", ""
		if s.HasMin {
			lo = decimal(s.Min)
		}
		if s.HasMax {
			hi = decimal(s.Max)
		}
		parts = append(parts, lo+":"+hi)
	}
	if parts == nil {
		return "any"
	}
	return strings.Join(parts, ",")
}

// ParseSupport reads a support: "any", "whole", a range LO:HI with one or two ends, or both with a
// comma between them, for example whole,0: and 0:1.
func ParseSupport(text string) (Support, error) {
	var s Support
	if text == "any" {
		return s, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		lo, hi, ranged := strings.Cut(part, ":")
		var err error
		switch {
		case part == "whole" && !s.Whole:
			s.Whole = true
		case ranged && lo+hi != "" && !s.HasMin && !s.HasMax:
			if s.Min, s.HasMin, err = end(lo); err == nil {
				s.Max, s.HasMax, err = end(hi)
			}
		default:
			err = strconv.ErrSyntax
		}
		if err != nil || s.HasMin && s.HasMax && s.Min >= s.Max ||
			s.Whole && (s.Min != math.Trunc(s.Min) || s.Max != math.Trunc(s.Max)) {
			return Support{}, fmt.Errorf("amp: %q is not a support: write any, whole, LO:HI with LO < HI "+
				"(0: and :1 have one end), or whole,LO:HI with whole numbers", text)
		}
	}
	return s, nil
}

// end reads an end of a range; "" means that the range has no such end.
func end(text string) (v float64, has bool, err error) {
	if text == "" {
		return 0, false, nil
	}
	v, err = strconv.ParseFloat(text, 64)
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
		err = strconv.ErrRange
	}
	return v + 0, true, err
}

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
