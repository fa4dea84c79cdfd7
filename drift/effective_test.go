package drift

import (
	"math/rand/v2"
	"testing"
)

// The effective sample size is near the size of the context for a batch that is like it, falls as
// the batch moves away, and ends near 0.
func TestEffectiveFallsWithTheShift(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 1))
	a, categorical := draw(random, 300, 0)
	last := 300.0
	for _, shift := range []float64{0, 0.5, 1, 2, 5, 1000} {
		b, _ := draw(random, 300, shift)
		r := compare(t, a, b, categorical, 1)
		t.Logf("shift %g: %.1f", shift, r.Effective)
		switch {
		case shift == 0 && r.Effective < 240, shift >= 5 && r.Effective > 1, r.Effective > last+1:
			t.Errorf("shift %g: %.1f of 300 rows, after %.1f", shift, r.Effective, last)
		}
		last = r.Effective
	}
}
