package forecast

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A line with a season and no noise goes on exactly, over a gap and on logarithms too.
func TestSmoothingOfALine(t *testing.T) {
	season := []float64{3, -1, 0, -2}
	line := func(i int) float64 { return 10 + 0.5*float64(i) + season[i%4] }
	for _, logs := range []bool{false, true} {
		s := &Series{Season: 4}
		for i := range 40 {
			v := line(i)
			if logs {
				v = math.Exp(v / 5)
			}
			s.Values = append(s.Values, v)
		}
		s.Values[17] = math.NaN()
		_, made, log := s.tamed()
		if log != logs {
			t.Errorf("logarithms %v, want %v", log, logs)
		}
		_, now := made.errors(made.weights, made.start, scaled(s.Values, log), false)
		for h := 1; h <= 8; h++ {
			want := line(39 + h)
			if logs {
				want /= 5
			}
			if got := now.ahead(made.weights, 39+h, h); math.Abs(got-want) > 1e-4 {
				t.Errorf("logarithms %v, horizon %d: %v, want %v", logs, h, got, want)
			}
		}
	}
}

// The weight of a level is found again: a random walk has 1, noise around a constant 0, and a local
// level between them its own.
func TestWeightOfALevel(t *testing.T) {
	for _, want := range []float64{0, 0.5, 1} {
		random := rand.New(rand.NewPCG(3, uint64(10*want)))
		level, y := 0.0, make([]float64, 400)
		for i := range y {
			e := random.NormFloat64()
			y[i] = level + e
			level += want * e
		}
		made, ok := form{period: 1}.fit(y)
		if !ok || math.Abs(made.level-want) > 0.12 {
			t.Errorf("weight %v, want %v", made.level, want)
		}
	}
}

// A season is chosen where there is one, and no parts that noise alone would pay for.
func TestChosenForm(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	noise, seasonal := &Series{Season: 6}, &Series{Season: 6}
	for i := range 90 {
		e := random.NormFloat64()
		noise.Values = append(noise.Values, e)
		seasonal.Values = append(seasonal.Values, e+4*math.Sin(2*math.Pi*float64(i)/6))
	}
	if _, made, logs := noise.tamed(); made.period != 1 || made.trend || logs {
		t.Errorf("noise has %+v", made.form)
	}
	if _, made, _ := seasonal.tamed(); made.period != 6 || made.trend {
		t.Errorf("a season has %+v", made.form)
	}
}
