package forecast

import (
	"context"
	"fmt"
	"math"
)

// Options say what is forecast. The zero value of a field is its default.
type Options struct {
	Horizon int     // steps; 0 means one season, or 10 without one
	Level   float64 // of the intervals; 0 means 0.9
	Origins int     // earlier origins at most, from which intervals and scores are learned; 0 means 16
	// Progress is called after every forecast with how many are made, and will be.
	Progress func(made, all int)
}

// DefaultOrigins is the number of earlier origins if [Options.Origins] is 0.
const DefaultOrigins = 16

// withDefaults fills in defaults.
func (o Options) withDefaults(season int) Options {
	if o.Horizon == 0 {
		o.Horizon = season
		if season == 1 {
			o.Horizon = 10
		}
	}
	if o.Level == 0 {
		o.Level = 0.9
	}
	if o.Origins == 0 {
		o.Origins = DefaultOrigins
	}
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	return o
}

// Point is the forecast of one horizon.
type Point struct {
	Horizon int
	Time    float64
	Value   float64
	Lo, Hi  float64 // predictive interval
	Naive   float64 // the seasonal naive forecast

	// Of earlier forecasts of this horizon whose value is known: how many there are, the root mean
	// squared error, that of the seasonal naive forecast, and the share of values inside an interval
	// that is learned from other origins. NaN where there is none.
	Past            int
	RMSE, NaiveRMSE float64
	Covered         float64
}

// Forecast is the continuation of a series, with the scores of earlier forecasts.
type Forecast struct {
	Points   []Point
	Origins  int       // earlier origins
	Logs     bool      // the recipe worked on logarithms
	RMSE     float64   // of earlier forecasts of all horizons
	Naive    float64   // the same of the seasonal naive forecast
	Covered  float64   // share of values inside intervals
	Outcomes []Outcome // of all earlier forecasts
}

// ShortError reports a series that is too short for a horizon.
type ShortError struct {
	Values, Horizon int
	Most            int // horizon that it is long enough for, 0 for none
	Least           int // values that the horizon needs
}

// Error says how long it must be.
func (e *ShortError) Error() string {
	return fmt.Sprintf("a horizon of %d needs %d steps of history; there are %d", e.Horizon,
		e.Least, e.Values)
}

// least is the number of steps that the first origin has before it for a horizon: a season for the
// smoothing and ten rows of the network beyond its lag.
func (s *Series) least(horizon int) int {
	return max(2*s.Season+4, s.lag(horizon)+10)
}

// leastOrigins is how many earlier origins must have an error of the farthest horizon.
const leastOrigins = 2

// stride is the distance of two origins in steps.
func stride(horizon int) int { return (horizon + 3) / 4 }

// needs is the number of steps of history that a horizon needs.
func (s *Series) needs(horizon int) int {
	back := (horizon + stride(horizon) - 1) / stride(horizon) * stride(horizon)
	return s.least(horizon) + back + (leastOrigins-1)*stride(horizon)
}

// check refuses a series that is too short.
func (s *Series) check(horizon int) error {
	n := len(s.Values)
	if n >= s.needs(horizon) {
		return nil
	}
	e := &ShortError{Values: n, Horizon: horizon, Least: s.needs(horizon)}
	for h := 1; h < horizon; h++ {
		if n >= s.needs(h) {
			e.Most = h
		}
	}
	return e
}

// Forecast predicts the next steps of the series, with an interval for each. The error is a
// *ShortError, or comes from the network.
func (s *Series) Forecast(ctx context.Context, network Network, opt Options) (*Forecast, error) {
	opt = opt.withDefaults(s.Season)
	if err := s.check(opt.Horizon); err != nil {
		return nil, err
	}
	origins := s.origins(opt)
	opt.Progress(0, len(origins)+1)
	past := make([]earlier, len(origins))
	for i, origin := range origins {
		before := s.cut(origin)
		made, err := before.forecast(ctx, network, opt.Horizon)
		if err != nil {
			return nil, err
		}
		past[i] = earlier{origin: origin, before: before, path: made,
			after: s.Values[origin:min(len(s.Values), origin+opt.Horizon)]}
		opt.Progress(i+1, len(origins)+1)
	}
	now := s.cut(len(s.Values))
	made, err := now.forecast(ctx, network, opt.Horizon)
	if err != nil {
		return nil, err
	}
	opt.Progress(len(origins)+1, len(origins)+1)
	return s.result(now, made, past, opt), nil
}

// origins lists earlier origins, the latest first: the numbers of values before them.
func (s *Series) origins(opt Options) (origins []int) {
	step := stride(opt.Horizon)
	for o := len(s.Values) - step; len(origins) < opt.Origins && o >= s.least(opt.Horizon); o -= step {
		if !math.IsNaN(s.Values[o-1]) {
			origins = append(origins, o)
		}
	}
	return origins
}

// result puts the forecast, its intervals and the scores of earlier ones together.
func (s *Series) result(now *Series, made path, past []earlier, opt Options) *Forecast {
	f := &Forecast{Origins: len(past), Logs: made.logs, Outcomes: outcomes(past, opt.Level)}
	spread := spreadOf(past, -1, opt.Level)
	for i, z := range made.center {
		half := spread.half(i+1, made.width[i])
		f.Points = append(f.Points, Point{Horizon: i + 1, Time: s.Time(len(s.Values) + i),
			Value: made.back(z), Lo: made.back(z - half), Hi: made.back(z + half),
			Naive: now.naive(i + 1)})
	}
	f.score()
	return f
}
