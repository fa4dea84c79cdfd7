package forecast

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// earlier is a forecast from an earlier origin with what came after it.
type earlier struct {
	origin int
	before *Series
	path   path
	after  []float64 // NaN where it is missing; shorter than the horizon where it is not known yet
}

// misses are the errors by horizon in units of the sizes that were expected, NaN where they are not
// known.
func (e earlier) misses() []float64 {
	misses := make([]float64, len(e.after))
	for i, v := range scaled(e.after, e.path.logs) {
		misses[i] = (v - e.path.center[i]) / e.path.width[i]
	}
	return misses
}

// spread is how large errors are in units of the sizes that were expected: factor √(base + slope
// horizon).
type spread struct{ base, slope, factor float64 }

// spreadOf learns the spread from all earlier forecasts but one, or from all with -1. The squared
// errors grow in a straight line with the horizon, as those of a random walk do; factor is a
// quantile of the errors that remain. As in split conformal prediction its level is a little more
// than that of the intervals, by the number of origins: errors of one origin go together and count
// once. For a level above o/(o+1), o being the number of origins, the largest error is extended by
// the tail of Student's distribution with o degrees of freedom. An error counts like the bound of
// [tame] at most, so that one unusual value does not widen every interval.
func spreadOf(past []earlier, without int, level float64) spread {
	var horizons, sizes []float64
	origins := 0.0
	for i, e := range past {
		if i == without {
			continue
		}
		origins++
		for h, miss := range e.misses() {
			if !math.IsNaN(miss) && !math.IsInf(miss, 0) {
				horizons, sizes = append(horizons, float64(h+1)), append(sizes, math.Abs(miss))
			}
		}
	}
	tame(sizes, level)
	s := growth(horizons, sizes)
	for i := range sizes {
		sizes[i] /= math.Sqrt(s.base + s.slope*horizons[i])
	}
	slices.Sort(sizes)
	if n := len(sizes); n > 0 {
		known := min(level, origins/(origins+1))
		rank := int(math.Ceil(known * (1 + 1/origins) * float64(n)))
		s.factor = sizes[min(rank, n)-1]
		if level > known {
			t := distuv.StudentsT{Sigma: 1, Nu: origins}
			s.factor *= t.Quantile((1+level)/2) / t.Quantile((1+known)/2)
		}
	}
	return s
}

// tame bounds sizes of errors by a robust quantile of their distribution: σ max(4, t), where σ is
// their median over that of a standard normal size, and t the quantile of the level of Student's
// distribution with 4 degrees of freedom.
func tame(sizes []float64, level float64) {
	sigma := matrix.Median(sizes) / 0.6745
	if !(sigma > 0) { // NaN without sizes
		return
	}
	bound := sigma * max(4, distuv.StudentsT{Sigma: 1, Nu: 4}.Quantile((1+level)/2))
	for i, size := range sizes {
		sizes[i] = min(size, bound)
	}
}

// growth fits base + slope horizon to squared sizes by least squares, both at least zero.
func growth(horizons, sizes []float64) spread {
	squares := floats.MulTo(make([]float64, len(sizes)), sizes, sizes)
	mean := stat.Mean(squares, nil)
	if !(mean > 0) { // NaN without sizes
		return spread{base: 1}
	}
	base, slope := stat.LinearRegression(horizons, squares, nil, false)
	switch {
	case !(slope >= 0): // NaN if all horizons are the same
		base, slope = mean, 0
	case base < 0:
		base, slope = 0, floats.Dot(horizons, squares)/floats.Dot(horizons, horizons)
	}
	return spread{base: base, slope: slope}
}

// half is half of the interval of a horizon where the expected size of errors is width.
func (s spread) half(horizon int, width float64) float64 {
	return s.factor * width * math.Sqrt(s.base+s.slope*float64(horizon))
}

// Outcome is an earlier forecast with the value that followed.
type Outcome struct {
	Origin, Horizon int // steps from the first value to the origin, and from the origin
	Value, Naive    float64
	Lo, Hi          float64 // an interval learned from the forecasts of all other origins
	Actual          float64
}

// outcomes lists all earlier forecasts whose value is known.
func outcomes(past []earlier, opt Options) (all []Outcome) {
	for i, e := range past {
		s := spreadOf(past, i, opt.Level)
		for h, actual := range e.after {
			if math.IsNaN(actual) {
				continue
			}
			o := Outcome{Origin: e.origin, Horizon: h + 1, Naive: e.before.naive(h + 1), Actual: actual}
			o.Value, o.Lo, o.Hi = e.path.interval(h+1, s.half(h+1, e.path.width[h]), *opt.Values)
			all = append(all, o)
		}
	}
	return all
}

// tally sums outcomes.
type tally struct{ n, squares, naive, inside float64 }

// add takes an outcome in.
func (t *tally) add(o Outcome) {
	t.n++
	t.squares += (o.Value - o.Actual) * (o.Value - o.Actual)
	t.naive += (o.Naive - o.Actual) * (o.Naive - o.Actual)
	if o.Lo <= o.Actual && o.Actual <= o.Hi {
		t.inside++
	}
}

// score fills in what the outcomes say, by horizon and in all.
func (f *Forecast) score() {
	var all tally
	by := make([]tally, len(f.Points))
	for _, o := range f.Outcomes {
		all.add(o)
		by[o.Horizon-1].add(o)
	}
	f.RMSE, f.Naive = math.Sqrt(all.squares/all.n), math.Sqrt(all.naive/all.n)
	f.Covered = all.inside / all.n
	for i, t := range by {
		p := &f.Points[i]
		p.Past = int(t.n)
		p.RMSE, p.NaiveRMSE = math.Sqrt(t.squares/t.n), math.Sqrt(t.naive/t.n)
		p.Covered = t.inside / t.n
	}
}
