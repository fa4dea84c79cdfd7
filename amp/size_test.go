package amp

import (
	"math"
	"testing"
)

// With noise variance 1 and epistemic variance v the size is 1/v.
func TestLocalSize(t *testing.T) {
	v := 0.25
	for _, c := range []struct {
		ppd, median normalPPD
		want        float64
	}{
		{normalPPD{0, math.Sqrt(1 + v)}, normalPPD{0, math.Sqrt(v)}, 4},
		{normalPPD{0, 1}, normalPPD{0, 2}, 0},
		{normalPPD{0, 1}, normalPPD{3, 0}, math.MaxFloat64},
		{normalPPD{0, 1}, normalPPD{0, 1e-300}, math.MaxFloat64},
		{normalPPD{0, 2e-170}, normalPPD{0, 1e-170}, 3},
		{normalPPD{0, 2e170}, normalPPD{0, 1e170}, 3},
		{normalPPD{0, 0}, normalPPD{3, 0}, math.MaxFloat64},
	} {
		if m := LocalSize(c.ppd, c.median); !(math.Abs(m-c.want) <= 1e-9*c.want) {
			t.Errorf("%v beside %v: m = %v, want %v", c.median, c.ppd, m, c.want)
		}
	}
}
