package forecast

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Bounds of unusual values.
const (
	gross   = 10   // changes of a season from which a value is replaced, in robust standard deviations
	unusual = 4    // likewise, one-step errors from which a value is moved
	lasting = 3    // values after it that tell a shift of the level from a single unusual value
	rounds  = 5    // of taming, each with a smoothing that the one before has made better
	tooMany = 0.2  // share of the values: if more are unusual, the smoothing has lost their way
	largest = 1e75 // size that a value may have, so that sums of squares are finite
)

// changes are the differences of values a season apart from their median, NaN where a value is
// missing, and their robust standard deviation: 0 if more than half of them are equal.
func (s *Series) changes() (change []float64, deviation float64) {
	change = make([]float64, len(s.Values))
	for t := range change {
		change[t] = s.Values[t] - valueAt(s.Values, t-s.Season)
	}
	known := func() []float64 { return slices.DeleteFunc(slices.Clone(change), math.IsNaN) }
	center, sizes := matrix.Median(known()), []float64(nil)
	for t := range change {
		change[t] -= center
	}
	for _, v := range known() {
		sizes = append(sizes, math.Abs(v))
	}
	return change, matrix.Median(sizes) / 0.6745
}

// usual is the size of a usual change from one season to the next: the robust standard deviation,
// or the root mean square if that is 0.
func (s *Series) usual() float64 {
	change, deviation := s.changes()
	if deviation > 0 {
		return deviation
	}
	known := slices.DeleteFunc(change, math.IsNaN)
	return math.Sqrt(floats.Dot(known, known) / max(1, float64(len(known))))
}

// bounded replaces single values that are so far from those a season before and after that no
// smoothing could be fitted. What goes on for more than three steps is none of them.
func (s *Series) bounded() *Series {
	out := *s
	out.Values = slices.Clone(s.Values)
	for i, v := range out.Values {
		if !math.IsNaN(v) {
			out.Values[i] = max(-largest, min(largest, v))
		}
	}
	change, deviation := out.changes()
	if deviation == 0 {
		return &out
	}
	side := func(t int) float64 { // 1 or -1 where the change is gross, NaN where it is not known
		switch {
		case t < 0 || t >= len(change) || math.IsNaN(change[t]):
			return math.NaN()
		case math.Abs(change[t]) > gross*deviation:
			return math.Copysign(1, change[t])
		}
		return 0
	}
	run := func(t int) int { // steps around t whose change is on the same side
		from, to := t, t
		for side(from-1) == side(t) {
			from--
		}
		for side(to+1) == side(t) {
			to++
		}
		return to - from + 1
	}
	was := slices.Clone(out.Values)
	for t := range was {
		before, after := side(t), -side(t+s.Season)
		switch { // at the ends, unless the value a season away is the unusual one, or it lasts
		case math.IsNaN(before) && side(t+2*s.Season) != after:
			before = after
		case math.IsNaN(after) && side(t-s.Season) != -before && run(t) <= lasting:
			after = before
		}
		if before*after != 1 {
			continue
		}
		if out.Values[t] = valueAt(was, t-s.Season); math.IsNaN(out.Values[t]) {
			out.Values[t] = was[t+s.Season] // known, as one of the changes is
		}
	}
	return &out
}

// usable returns the bounded series, which knows the last shift of its level, and the steps of
// unusual values since.
func (s *Series) usable() (_ *Series, unusual []int) {
	out := s.bounded()
	first := max(0, len(s.Values)-MostHistory)
	after, _, _ := out.cut(len(s.Values)).tamed()
	if after.since > 0 {
		out.since = first + after.since
	}
	for t := max(first, out.since); t < len(s.Values); t++ {
		if v := s.Values[t]; math.Abs(after.Values[t-first]-v) > 1e-9*math.Abs(v) {
			unusual = append(unusual, t)
		}
	}
	return out, unusual
}

// tamed returns the series without unusual values, its smoothing and whether that is one of
// logarithms: which has the lesser criterion of Akaike. A value whose one-step error is above 4
// robust standard deviations is moved to them. If at least three values after it are as far on the
// same side, the level has shifted: then the values before it are moved to the new level (Chen and
// Liu 1993, Joint Estimation of Model Parameters and Outlier Effects in Time Series, with the
// smoothing in the place of their ARIMA).
func (s *Series) tamed() (_ *Series, smooth smoothing, logs bool) {
	tame, smooth, least := s.tamedIn(false)
	jacobian := 0.0 // of the logarithm, so that the criteria can be compared
	for _, v := range s.Values {
		if v <= 0 {
			return tame, smooth, false
		}
		if !math.IsNaN(v) {
			jacobian += 2 * math.Log(v)
		}
	}
	if other, in, a := s.tamedIn(true); a+jacobian < least {
		return other, in, true
	}
	return tame, smooth, false
}

// tamedIn is tamed with a smoothing of values, or of logarithms, and its criterion.
func (s *Series) tamedIn(logs bool) (_ *Series, smooth smoothing, least float64) {
	for range rounds {
		z := slices.Clone(scaled(s.Values, logs))
		smooth, least = s.smooth(z)
		found, since := smooth.tame(z)
		if !found {
			break
		}
		for i, v := range z {
			z[i] = path{logs: logs}.back(v)
		}
		out := *s
		out.Values, out.since = z, max(s.since, since)
		s = &out
	}
	return s, smooth, least
}

// tame moves the unusual values of y, and reports whether there are any, and the time of the last
// shift, 0 without one. Too many are none: there the smoothing fails, as where a slope breaks.
func (s *smoothing) tame(y []float64) (found bool, since int) {
	moved := 0.0
	errs, _ := s.errors(s.weights, s.start, y, false)
	for i, e := range errs {
		errs[i] = math.Abs(e)
	}
	errs = slices.DeleteFunc(errs, math.IsNaN)
	bound := unusual / 0.6745 * matrix.Median(errs)
	level := matrix.Median(slices.DeleteFunc(slices.Clone(y), math.IsNaN))
	if !(bound > 1e-9*math.Abs(level)) {
		return false, 0 // errors are those of rounding
	}
	now := s.initial(s.start)
	for t, v := range y {
		if math.IsNaN(v) {
			now.see(s.weights, t, 0)
			continue
		}
		err := v - now.ahead(s.weights, t, 1)
		if math.Abs(err) > bound*(1+1e-9) {
			moved++
			if shift := s.shift(now, y, t, err, bound); shift != 0 {
				for i := range t {
					y[i] += shift
				}
				now.level += shift
				err, since = err-shift, t
			}
			err = max(-bound, min(bound, err))
			y[t] = now.ahead(s.weights, t, 1) + err
		}
		now.see(s.weights, t, err)
	}
	return moved > 0 && moved <= tooMany*float64(len(errs)), since
}

// shift is by how much the level changes at time t, where the error of a state is unusual: the
// median of the errors at t and at the next values, if all are on one side and unusual; else 0.
func (s *smoothing) shift(now *state, y []float64, t int, err, bound float64) float64 {
	errs := []float64{err}
	for i := t + 1; i < len(y) && len(errs) <= lasting; i++ {
		if e := y[i] - now.ahead(s.weights, i, i-t+1); !math.IsNaN(e) {
			errs = append(errs, e)
		}
	}
	if len(errs) <= lasting {
		return 0
	}
	for _, e := range errs {
		if e*err < 0 || math.Abs(e) < bound/2 {
			return 0
		}
	}
	return matrix.Median(errs)
}
