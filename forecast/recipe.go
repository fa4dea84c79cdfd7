package forecast

import (
	"context"
	"math"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/pfn"
)

// Network reads rows with their targets and answers other rows: the quantiles 0.05, 0.5 and 0.95 of
// the target of each.
type Network func(ctx context.Context, train pfn.Training, asked pfn.Matrix) ([]Answer, error)

// Answer holds three quantiles of the target of a row, in its unit.
type Answer struct{ Lo, Median, Hi float64 }

// path is a forecast of horizons 1, 2, ... in the scale of the smoothing.
type path struct {
	logs   bool
	center []float64 // by horizon
	width  []float64 // by horizon, the size that errors are expected to have, but for a factor
	floor  []float64 // by horizon, the usual change of the series
}

// forecast applies the recipe to the values of a series. The expected size of errors is the
// geometric mean of the network's own, which knows rows, and of the smoothing's one-step errors,
// which knows the series. Where both are 0, for what did not vary so far, it is usual, the usual
// change of the whole series. Unusual values are tamed first.
func (s *Series) forecast(
	ctx context.Context, network Network, horizon int, usual float64,
) (path, error) {
	s, smooth, logs := s.tamed()
	y := scaled(s.Values, logs)
	train, asked := s.rows(y, horizon)
	answers, err := network(ctx, train, asked)
	if err != nil {
		return path{}, err
	}
	p := path{logs: logs}
	_, now := smooth.errors(smooth.weights, smooth.start, y, false)
	size := math.Sqrt(smooth.squares / float64(smooth.seen))
	for i, a := range answers {
		smoothed := now.ahead(smooth.weights, len(y)+i, i+1)
		p.center = append(p.center, (a.Median+smoothed)/2)
		width := math.Sqrt((a.Hi - a.Lo) * size)
		floor := usual
		if logs {
			floor /= math.Exp(p.center[i])
		}
		if p.floor = append(p.floor, floor); width < 1e-6*floor {
			width = floor
		}
		p.width = append(p.width, width)
	}
	return p, nil
}

// interval is the forecast of a horizon with its limits, half a length apart from it, as possible
// values. They are finite. Earlier errors that are nothing beside the usual change of the series
// are no evidence: of a series that seldom changes, they were made while it did not.
func (p path) interval(horizon int, half float64, values amp.Support) (value, lo, hi float64) {
	z := p.center[horizon-1]
	if floor := p.floor[horizon-1]; half < 1e-3*floor {
		half = floor
	}
	finite := func(z float64) float64 {
		return max(-math.MaxFloat64, min(math.MaxFloat64, p.back(z)))
	}
	lo, hi = values.Interval(finite(z-half), finite(z+half))
	value = finite(z)
	if !values.Whole { // the mean of counts is no count
		value = values.Value(value)
	}
	return value, min(lo, value), max(hi, value)
}

// scaled are the logarithms of values, or the values.
func scaled(y []float64, logs bool) []float64 {
	if !logs {
		return y
	}
	z := make([]float64, len(y))
	for i, v := range y {
		z[i] = math.Log(v)
	}
	return z
}

// back undoes scaled.
func (p path) back(z float64) float64 {
	if p.logs {
		return math.Exp(z)
	}
	return z
}

// rows are those of the network: one a step that has a value and what it is read from, and one for
// every horizon. A row holds the place in the season, the number of the step, and the values a
// season (or so many that the horizon is reached) before, one step before that, and another season
// before. A column that is missing in every row stays: networks read it as one that says nothing.
func (s *Series) rows(y []float64, horizon int) (train pfn.Training, asked pfn.Matrix) {
	lag := s.lag(horizon)
	add := func(to *pfn.Matrix, at int) {
		row := []float64{float64(at), valueAt(y, at-lag), valueAt(y, at-lag-1),
			valueAt(y, at-lag-s.Season)}
		if s.Season > 1 {
			row = append(row, float64((s.First+at)%s.Season))
		}
		to.Rows, to.Cols, to.Data = to.Rows+1, len(row), append(to.Data, row...)
	}
	for at := lag; at < len(y); at++ {
		if !math.IsNaN(y[at]) {
			add(&train.X, at)
			train.Y = append(train.Y, y[at])
		}
	}
	for h := range horizon {
		add(&asked, len(y)+h)
	}
	return train, asked
}

// lag is the least number of whole seasons that reaches back beyond a horizon, in steps.
func (s *Series) lag(horizon int) int {
	return s.Season * ((horizon + s.Season - 1) / s.Season)
}

// valueAt is a value, NaN before the first.
func valueAt(y []float64, at int) float64 {
	if at < 0 {
		return math.NaN()
	}
	return y[at]
}
