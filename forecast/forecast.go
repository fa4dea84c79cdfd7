package forecast

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
)

// Options say what is forecast. The zero value of a field is its default.
type Options struct {
	Horizon int     // steps; 0 means one season, or 10 without one
	Level   float64 // of the intervals; 0 means 0.9
	// Values are the possible values, to which forecasts and limits keep; nil means those that
	// amp.SupportOf infers from the series.
	Values  *amp.Support
	Origins int // earlier origins at most, from which intervals and scores are learned; 0 means 16
	// Progress is called after every forecast with how many are made, and will be.
	Progress func(made, all int)
}

// DefaultOrigins is the number of earlier origins if [Options.Origins] is 0.
const DefaultOrigins = 16

func (o Options) withDefaults(s *Series) Options {
	o.Horizon, o.Level = cmp.Or(o.Horizon, s.block()), cmp.Or(o.Level, amp.DefaultLevel)
	o.Origins = cmp.Or(o.Origins, DefaultOrigins)
	if o.Values == nil {
		values := amp.SupportOf(slices.DeleteFunc(slices.Clone(s.Values), math.IsNaN))
		o.Values = &values
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
	Origins  int       // earlier origins of the first horizons
	Logs     bool      // the recipe worked on logarithms
	RMSE     float64   // of earlier forecasts of all horizons
	Naive    float64   // the same of the seasonal naive forecast
	Covered  float64   // share of values inside intervals
	Outcomes []Outcome // of all earlier forecasts

	Unusual []int // steps whose value is so unusual that another one was read
	Shift   int   // step at which the level has shifted last, 0 without a shift
}

// ShortError reports a series that is too short for a horizon, or a horizon for which [MostHistory]
// is too short.
type ShortError struct {
	Values, Horizon int
	Most            int // horizon that it is long enough for, 0 for none
	Seasonless      int // that of the series without its season
	Least           int // values that the horizon needs
}

// Error says how long it must be.
func (e *ShortError) Error() string {
	if e.Values >= e.Least {
		return fmt.Sprintf("a horizon of %d is too far for the last %d steps", e.Horizon, MostHistory)
	}
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

// reach measures how far the series is long enough, beside a horizon, 0 for the default.
func (s *Series) reach(horizon int) *ShortError {
	horizon, flat := cmp.Or(horizon, s.block()), *s
	flat.Season = 1
	return &ShortError{Values: len(s.Values), Horizon: horizon, Most: s.most(),
		Least: s.needs(horizon), Seasonless: flat.most()}
}

// most is the longest horizon that the series, and what is read of it, is long enough for.
func (s *Series) most() (horizon int) {
	for len(s.Values) >= s.needs(horizon+1) && s.least(horizon+1) <= MostHistory {
		horizon++
	}
	return horizon
}

// block is the number of steps that are forecast together at least: a season, or 10.
func (s *Series) block() int {
	if s.Season > 1 {
		return s.Season
	}
	return 10
}

// blocks lists the last horizons of the blocks in which steps are forecast: each twice as far as
// the one before it, as far as the series is long enough. They do not depend on the horizon that is
// asked for, so neither does the forecast of a step.
func (s *Series) blocks(horizon int) (ends []int) {
	most := s.most()
	for end := s.block(); ; end *= 2 {
		ends = append(ends, min(end, most))
		if min(end, most) >= horizon {
			return ends
		}
	}
}

// Forecast predicts the next steps of the series, with an interval for each. The error is a
// *ShortError, or comes from the network.
func (s *Series) Forecast(ctx context.Context, network Network, opt Options) (*Forecast, error) {
	opt = opt.withDefaults(s)
	if short := s.reach(opt.Horizon); short.Horizon > short.Most {
		return nil, short
	}
	f, first := &Forecast{}, 1
	s, f.Unusual = s.usable()
	f.Shift = s.since
	ends, all, made := s.blocks(opt.Horizon), 0, 0
	for _, end := range ends {
		all += len(s.origins(end, opt.Origins)) + 1
	}
	opt.Progress(0, all)
	step := func() { made++; opt.Progress(made, all) }
	for _, end := range ends {
		if err := s.extend(ctx, network, f, [2]int{first, end}, step, opt); err != nil {
			return nil, err
		}
		first = end + 1
	}
	f.Points = f.Points[:opt.Horizon]
	f.Outcomes = slices.DeleteFunc(f.Outcomes, func(o Outcome) bool { return o.Horizon > opt.Horizon })
	f.score()
	return f, nil
}

// extend forecasts a block of horizons, from the first to the last, with intervals that are learned
// from earlier forecasts of the last one and those before it. It calls step after every forecast.
func (s *Series) extend(
	ctx context.Context, network Network, f *Forecast, block [2]int, step func(), opt Options,
) error {
	end, usual := block[1], s.usual()
	var past []earlier
	for _, origin := range s.origins(end, opt.Origins) {
		before := s.cut(origin)
		made, err := before.forecast(ctx, network, end, usual)
		if err != nil {
			return err
		}
		past = append(past, earlier{origin: origin, before: before, path: made,
			after: s.Values[origin:min(len(s.Values), origin+end)]})
		step()
	}
	now := s.cut(len(s.Values))
	made, err := now.forecast(ctx, network, end, usual)
	if err != nil {
		return err
	}
	step()
	f.Origins, f.Logs = max(f.Origins, len(past)), made.logs
	spread := spreadOf(past, -1, opt.Level)
	for h := block[0]; h <= end; h++ {
		p := Point{Horizon: h, Time: s.Time(len(s.Values) + h - 1), Naive: now.naive(h)}
		p.Value, p.Lo, p.Hi = made.interval(h, spread.half(h, made.width[h-1]), *opt.Values)
		f.Points = append(f.Points, p)
	}
	for _, o := range outcomes(past, opt) {
		if o.Horizon >= block[0] {
			f.Outcomes = append(f.Outcomes, o)
		}
	}
	return nil
}

// origins lists earlier origins, the latest first: the numbers of values before them. Those before
// a shift of the level, and soon after it, tell nothing of later ones and are left out, unless too
// few remain.
func (s *Series) origins(horizon, most int) (origins []int) {
	step := stride(horizon)
	for o := len(s.Values) - step; len(origins) < most && o >= s.least(horizon); o -= step {
		if o <= s.since+lasting && len(origins) >= leastOrigins {
			break
		}
		if !math.IsNaN(s.Values[o-1]) {
			origins = append(origins, o)
		}
	}
	return origins
}
