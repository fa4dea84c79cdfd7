package report

import "testing"

// No figure reads 0 that is not 0, and splits that agree have no error.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		value, errors float64
		want          string
	}{
		{0.935, 0.041, "0.94 ± 0.04"},
		{1, 0, "1.00"},
		{0.812, 0.004, "0.81 ± <0.01"},
		{0.003, 0.002, "<0.01"},
		{0, 0, "0.00"},
		{-0.05, 0.051, "-0.05 ± 0.05"},
	} {
		if got := spread(c.value, c.errors, 2); got != c.want {
			t.Errorf("%g, %g: %q, want %q", c.value, c.errors, got, c.want)
		}
	}
}
