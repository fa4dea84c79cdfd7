package forecast

import (
	"math"
	"slices"
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
// once.
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
	s := growth(horizons, sizes)
	for i := range sizes {
		sizes[i] /= math.Sqrt(s.base + s.slope*horizons[i])
	}
	slices.Sort(sizes)
	if n := len(sizes); n > 0 {
		rank := int(math.Ceil(level * (1 + 1/origins) * float64(n)))
		s.factor = sizes[min(rank, n)-1]
	}
	return s
}

// growth fits base + slope horizon to squared sizes by least squares, both at least zero.
func growth(horizons, sizes []float64) spread {
	var n, h, hh, q, hq float64
	for i, x := range horizons {
		square := sizes[i] * sizes[i]
		n, h, hh, q, hq = n+1, h+x, hh+x*x, q+square, hq+x*square
	}
	if q == 0 {
		return spread{base: 1}
	}
	det := n*hh - h*h
	s := spread{base: q / n}
	if det > 0 {
		s.slope, s.base = (n*hq-h*q)/det, (hh*q-h*hq)/det
	}
	switch {
	case s.slope < 0:
		s.slope, s.base = 0, q/n
	case s.base < 0:
		s.base, s.slope = 0, hq/hh
	}
	return s
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
func outcomes(past []earlier, level float64) (all []Outcome) {
	for i, e := range past {
		s := spreadOf(past, i, level)
		for h, actual := range e.after {
			if math.IsNaN(actual) {
				continue
			}
			half := s.half(h+1, e.path.width[h])
			all = append(all, Outcome{Origin: e.origin, Horizon: h + 1, Value: e.path.back(e.path.center[h]),
				Naive: e.before.naive(h + 1), Actual: actual, Lo: e.path.back(e.path.center[h] - half),
				Hi: e.path.back(e.path.center[h] + half)})
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
