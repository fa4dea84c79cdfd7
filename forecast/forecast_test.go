package forecast

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/pfn"
)

// lagged is a network that answers with the value of a season before, and a width that is far too
// small.
func lagged(_ context.Context, _ pfn.Training, asked pfn.Matrix) ([]Answer, error) {
	answers := make([]Answer, asked.Rows)
	for i := range answers {
		before := asked.Row(i)[1]
		answers[i] = Answer{before - 0.01, before, before + 0.01}
	}
	return answers, nil
}

// walk is a random walk around a season.
func walk(n int, seed uint64) *Series {
	random := rand.New(rand.NewPCG(seed, 7))
	s, level := &Series{Season: 4, Step: Step{Unit: Numbers, Size: 1}}, 0.0
	for i := range n {
		level += random.NormFloat64()
		s.Values = append(s.Values, level+6*math.Cos(math.Pi*float64(i)/2))
	}
	return s
}

// Intervals hold about as many values as their level says, at near and far horizons, though the
// network's own widths are a hundred times too small.
func TestIntervalsCover(t *testing.T) {
	const repeats, horizon = 20, 8
	var held [horizon]float64
	past := 0.0
	for r := range repeats {
		s := walk(108, uint64(r))
		known := s.cut(100)
		f, err := known.Forecast(t.Context(), lagged, Options{Horizon: horizon})
		must.Succeed(t, err)
		for i, p := range f.Points {
			if after := s.Values[100+i]; p.Lo <= after && after <= p.Hi {
				held[i]++
			}
		}
		past += f.Covered / repeats
	}
	near, far := 0.0, 0.0
	for i := range horizon / 2 {
		near, far = near+held[i]/(repeats*horizon/2), far+held[horizon/2+i]/(repeats*horizon/2)
	}
	t.Logf("near %.3f, far %.3f, of earlier forecasts %.3f", near, far, past)
	if near < 0.83 || near > 0.98 || far < 0.75 || far > 0.97 || past < 0.85 || past > 0.98 {
		t.Error("not as often as 0.9")
	}
}

// An earlier forecast is made without what followed: other values after its origin change nothing.
func TestNothingIsSeenInAdvance(t *testing.T) {
	s := walk(60, 1)
	changed := s.cut(60)
	changed.Values = slices.Clone(changed.Values)
	for i := 48; i < 60; i++ {
		changed.Values[i] += float64(100 * (i % 2)) // no shift, before which no origin counts
	}
	var all [2]*Forecast
	for i, of := range []*Series{s, changed} {
		var err error
		all[i], err = of.Forecast(t.Context(), lagged, Options{Horizon: 4})
		must.Succeed(t, err)
	}
	compared := 0
	for i, a := range all[0].Outcomes {
		b := all[1].Outcomes[i]
		if a.Origin <= 48 {
			compared++
			if a.Value != b.Value || a.Naive != b.Naive {
				t.Errorf("origin %d, horizon %d: %v and %v", a.Origin, a.Horizon, a.Value, b.Value)
			}
		}
	}
	if compared < 20 || all[0].Points[0].Value == all[1].Points[0].Value {
		t.Errorf("%d forecasts compared", compared)
	}
}

// The network's rows hold nothing that is unknown at the farthest horizon.
func TestRowsAreKnown(t *testing.T) {
	s := walk(30, 2)
	for horizon := 1; horizon <= 9; horizon++ {
		train, asked := s.rows(s.Values, horizon)
		for h := range asked.Rows {
			if row := asked.Row(h); row[1] != s.Values[30+h-s.lag(horizon)] || math.IsNaN(row[1]) {
				t.Errorf("horizon %d of %d: %v", h+1, horizon, row)
			}
		}
		if len(train.Y) != 30-s.lag(horizon) {
			t.Errorf("%d rows", len(train.Y))
		}
	}
}

// The error of a short series names a horizon that it is long enough for.
func TestShortSeries(t *testing.T) {
	s := walk(40, 3)
	_, err := s.Forecast(t.Context(), lagged, Options{Horizon: 40})
	short, ok := errors.AsType[*ShortError](err)
	if !ok || short.Most < 4 || short.Least <= 40 {
		t.Fatalf("%+v", err)
	}
	_, err = s.Forecast(t.Context(), lagged, Options{Horizon: short.Most})
	must.Succeed(t, err)
	if _, err := s.Forecast(t.Context(), lagged, Options{Horizon: short.Most + 1}); err == nil {
		t.Error("one step more is no error")
	}
}

// Of a long series too little is read for a far horizon, or for a long season.
func TestFarHorizons(t *testing.T) {
	s := walk(5*MostHistory, 3)
	for horizon, far := range map[int]bool{MostHistory - 12: false, MostHistory - 11: true} {
		_, short := (&Table{Series: []*Series{s}}).Check(horizon)
		if (short != nil) != far || far && short.Least > len(s.Values) {
			t.Errorf("horizon %d: %v", horizon, short)
		}
	}
	s.Season = MostHistory / 2
	if short := s.reach(1); short.Most > 0 || short.Seasonless < 900 {
		t.Errorf("%+v", short)
	}
}

// Of several series the shortest is refused, with horizons that all are long enough for.
func TestShortestSeries(t *testing.T) {
	few, some, many := walk(32, 3), walk(40, 3), walk(400, 3)
	few.Season, some.Season = 5, 2
	table := &Table{Series: []*Series{many, some, few}}
	if _, short := table.Check(2); short != nil {
		t.Error(short)
	}
	series, short := table.Check(40)
	if series != 2 || short == nil || short.Values != 32 || short.Most != few.most() ||
		short.Most < 2 {
		t.Fatalf("series %d: %+v", series, short)
	}
	if _, over := table.Check(short.Most); over != nil {
		t.Errorf("a horizon of %d: %v", short.Most, over)
	}
	// A season that is too long for one series, and the horizon of another without a season.
	some.Season, some.Values = 20, some.Values[:40]
	few.Season, few.Values = 1, few.Values[:15]
	if series, short = table.Check(1); series != 1 || short.Most != 0 ||
		short.Seasonless != few.most() || few.most() < 1 {
		t.Errorf("series %d: %+v", series, short)
	}
}
