package amp

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// What labels show of the values that they can take, and what they do not.
func TestSupportOf(t *testing.T) {
	source := rand.NewPCG(4, 2)
	r := rand.New(source)
	whole := func(f func() float64) func() float64 { return func() float64 { return math.Round(f()) } }
	normal := func(mu, sd float64) func() float64 {
		return func() float64 { return mu + sd*r.NormFloat64() }
	}
	amount := func() float64 { return math.Exp(r.NormFloat64()) }
	for _, c := range []struct {
		what, want string
		n          int
		label      func() float64
	}{
		{"counts", "whole,0:", 60, distuv.Poisson{Lambda: 2, Src: source}.Rand},
		{"counts without 0", "whole,0:", 60, func() float64 {
			return 1 + distuv.Poisson{Lambda: 3, Src: source}.Rand()
		}},
		{"large counts", "whole,0:", 150, func() float64 {
			return distuv.Poisson{Lambda: math.Exp(3 + r.NormFloat64()/2), Src: source}.Rand()
		}},
		{"many of a few", "whole,0:", 200, func() float64 {
			return math.Floor(math.Exp(6*r.Float64())) * float64(r.IntN(2))
		}},
		{"yes or no", "whole,0:1", 30, func() float64 { return float64(r.IntN(2)) }},
		{"grades", "whole,1:5", 150, func() float64 { return 1 + float64(r.IntN(5)) }},
		{"temperatures in whole degrees", "whole", 400, whole(normal(60, 12))},
		{"whole numbers below 0", "whole", 200, whole(normal(0, 9))},
		{"too large a range", "any", 200, whole(normal(5e4, 1e4))},
		{"too few", "any", 19, func() float64 { return float64(r.IntN(2)) }},
		{"shares", "0:1", 100, distuv.Beta{Alpha: 1.2, Beta: 1.2, Src: source}.Rand},
		{"small shares", "0:", 100, distuv.Beta{Alpha: 1.2, Beta: 20, Src: source}.Rand},
		{"large shares", ":1", 100, distuv.Beta{Alpha: 30, Beta: 1.2, Src: source}.Rand},
		{"rain", "0:", 100, func() float64 { return max(0, normal(0, 3)()) }},
		{"per cent with full ones", "0:100", 100, func() float64 {
			return max(0, min(100, normal(50, 60)()))
		}},
		{"amounts", "0:", 200, amount},
		{"an index below 100", "any", 60, func() float64 { return 70 + 29.9*r.Float64() }},
		{"numbers", "any", 200, normal(0, 1)},
		{"numbers far above 0", "any", 200, normal(20, 1)},
		{"one value", "any", 100, func() float64 { return 0 }},
	} {
		y := make([]float64, c.n)
		for i := range y {
			y[i] = c.label()
		}
		if got := SupportOf(y); got.String() != c.want {
			t.Errorf("%s: %v, want %s", c.what, got, c.want)
		}
	}
}
