package amp

import (
	"fmt"
	"math"
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

// clamp moves a number into the range.
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
		possible[i] = Prediction{PPD: s.PPD(row.PPD), Size: row.Size}
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
