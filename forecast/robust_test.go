package forecast

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/must"
)

// forecastOf forecasts 12 steps of values with a season of 12.
func forecastOf(t *testing.T, values []float64, opt Options) *Forecast {
	t.Helper()
	s := &Series{Season: 12, Step: Step{Unit: Numbers, Size: 1}, Values: values}
	opt.Origins = 10 // fewer than by default, for the time of the test
	f, err := s.Forecast(t.Context(), lagged, opt)
	must.Succeed(t, err)
	for _, p := range f.Points {
		for _, v := range []float64{p.Value, p.Lo, p.Hi} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("horizon %d: %g [%g, %g]", p.Horizon, p.Value, p.Lo, p.Hi)
			}
		}
		if !(p.Lo <= p.Value && p.Value <= p.Hi) {
			t.Errorf("horizon %d: %g is outside [%g, %g]", p.Horizon, p.Value, p.Lo, p.Hi)
		}
	}
	return f
}

// width is the mean width of the intervals.
func (f *Forecast) width() (sum float64) {
	for _, p := range f.Points {
		sum += (p.Hi - p.Lo) / float64(len(f.Points))
	}
	return sum
}

// monthly are five years of values around a season.
func monthly(seed uint64) []float64 {
	random := rand.New(rand.NewPCG(seed, 1))
	y := make([]float64, 60)
	for i := range y {
		y[i] = 50 + 8*math.Sin(math.Pi*float64(i)/6) + random.NormFloat64()
	}
	return y
}

// One unusual value widens the intervals by at most a factor of two, wherever it is and however far
// away, and they stay finite.
func TestOneUnusualValue(t *testing.T) {
	for seed := range uint64(1) {
		usual := forecastOf(t, monthly(seed), Options{}).width()
		for at, value := range map[int]float64{3: 1e308, 20: -1e308, 30: 2000, 35: 0, 36: -400, 50: 90,
			57: 1e6, 59: 300} {
			y := monthly(seed)
			y[at] = value
			f := forecastOf(t, y, Options{})
			if got := f.width() / usual; !(got > 0.5 && got < 2) || !slices.Contains(f.Unusual, at) {
				t.Errorf("seed %d, month %d is %g: %.2f times as wide, unusual %v", seed, at, value, got,
					f.Unusual)
			}
		}
	}
}

// Values that an unusual one has put out of the smoothing's sight are read as they are: here the
// slope changes all the time, and a step changes it at once.
func TestTamedKeepsItsWay(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 7))
		y, level, slope := make([]float64, 89), 13000.0, 60.0
		for i := range y {
			slope += 4 * random.NormFloat64()
			level += slope
			y[i] = level
			if i == 10 {
				slope -= 150
			}
		}
		s := &Series{Season: 4, Step: Step{Unit: Numbers, Size: 0.25}, Values: y}
		tame, _, _ := s.tamed()
		if moved := math.Abs(tame.Values[88] - y[88]); moved > 500 {
			t.Errorf("seed %d: the last value is read as %g, not %g", seed, tame.Values[88], y[88])
		}
	}
}

// A shift of the level is learned within a season: the forecast is at the new level.
func TestShiftIsLearned(t *testing.T) {
	for _, at := range []int{24, 40, 48} {
		y := monthly(4)
		usual := forecastOf(t, y, Options{})
		for i := at; i < 60; i++ {
			y[i] += 200
		}
		f := forecastOf(t, y, Options{})
		if got := f.width() / usual.width(); !(got < 3.5) || f.Shift != at {
			t.Errorf("shift in month %d, found in %d: %.2f times as wide", at, f.Shift, got)
		}
		for i, p := range f.Points {
			if far := math.Abs(p.Value - 200 - usual.Points[i].Value); far > 6 {
				t.Errorf("shift in month %d, horizon %d: %g beside %g", at, i+1, p.Value,
					usual.Points[i].Value)
			}
		}
	}
}

// An interval is never a point where a value has differed, and always one where none has.
func TestWidthIsZeroForConstantsOnly(t *testing.T) {
	fives, late, zeros := make([]float64, 60), make([]float64, 60), make([]float64, 60)
	for i := range fives {
		fives[i], late[i] = 5, 5
	}
	late[57], late[58], late[59] = 9, 2, 8
	zeros[12] = 7
	for name, c := range map[string]struct {
		values []float64
		wide   bool
	}{"57 fives and 3 others": {late, true}, "59 zeros and a 7": {zeros, true},
		"fives": {fives, false}} {
		for _, p := range forecastOf(t, c.values, Options{Values: new(amp.Support)}).Points {
			if wide := p.Hi-p.Lo > 0.01; wide != c.wide {
				t.Errorf("%s, horizon %d: [%g, %g]", name, p.Horizon, p.Lo, p.Hi)
			}
		}
	}
}

// A higher level has wider intervals, also above what the earlier origins can tell.
func TestLevelsAreNested(t *testing.T) {
	last := 0.0
	for _, level := range []float64{0.5, 0.9, 0.92, 0.99, 0.9999} {
		width := forecastOf(t, monthly(7), Options{Level: level}).width()
		if !(width > last) {
			t.Errorf("level %g has the width %g, a lower one %g", level, width, last)
		}
		last = width
	}
}

// The forecast of a step does not depend on how far the forecast reaches.
func TestStepsDoNotDependOnTheHorizon(t *testing.T) {
	longest := forecastOf(t, monthly(8), Options{Horizon: 15})
	for _, horizon := range []int{5, 13} {
		f := forecastOf(t, monthly(8), Options{Horizon: horizon})
		if !slices.EqualFunc(f.Points, longest.Points[:horizon], func(a, b Point) bool {
			return a.Value == b.Value && a.Lo == b.Lo && a.Hi == b.Hi
		}) || len(f.Points) != horizon {
			t.Errorf("horizon %d: %v, want %v", horizon, f.Points, longest.Points[:horizon])
		}
	}
}

// Limits are possible values: counts have no negative ones.
func TestLimitsArePossibleValues(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 1))
	y := make([]float64, 60)
	for i := range y {
		y[i] = float64(random.IntN(4) * random.IntN(2))
	}
	for _, p := range forecastOf(t, y, Options{}).Points {
		if p.Lo < 0 || p.Hi != math.Round(p.Hi) || p.Value < 0 {
			t.Errorf("%+v", p)
		}
	}
	half := amp.Support{HasMin: true, Min: 48, HasMax: true, Max: 52}
	for _, p := range forecastOf(t, monthly(1), Options{Values: &half}).Points {
		if p.Lo < 48 || p.Hi > 52 {
			t.Errorf("%+v", p)
		}
	}
}
