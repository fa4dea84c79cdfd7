package yeojohnson

import (
	"math"
	"testing"
)

func TestTransform(t *testing.T) {
	for _, lambda := range []float64{-3, -1e-9, 0, 1e-17, 1e-9, 0.7, 1, 2 - 1e-9, 2, 2 + 1e-9, 5} {
		for _, x := range []float64{-3, -0.4, 0, 1e-12, 0.4, 3} {
			y := Transform(x, lambda)
			if back := Inverse(y, lambda); math.Abs(back-x) > 1e-12 {
				t.Errorf("lambda %g: %g goes to %g and back to %g", lambda, x, y, back)
			}
		}
	}
	if v := Inverse(-2, 3); v-v == 0 && v < -1e3 {
		t.Errorf("outside of the range: %g", v)
	}
}

func TestMinimizeWithin(t *testing.T) {
	walls := func(x float64) float64 {
		if math.Abs(x) > 3 {
			return math.Inf(1)
		}
		return math.Abs(x - 0.5)
	}
	// scipy.optimize.fminbound(f, low, high, xtol=1.48e-8)
	for name, c := range map[string]struct {
		f               func(float64) float64
		low, high, want float64
	}{
		"quartic": {func(x float64) float64 { x -= 1.25; return x*x*x*x + x*x }, -10, 30,
			1.2499999995295703},
		"line":  {func(x float64) float64 { return x }, -2, 7, -1.9999999363608252},
		"lost":  {walls, -100, 90, 89.99999782618156},
		"found": {walls, -10, 9, 0.49999999567808834},
	} {
		if x := MinimizeWithin(c.f, c.low, c.high); math.Abs(x-c.want) > 1e-12 {
			t.Errorf("%s: minimum at %.17g, want %.17g", name, x, c.want)
		}
	}
}

func TestTransformLimits(t *testing.T) {
	for _, z := range []float64{-3, -0.1, 0, 0.2, 5} {
		for _, lambda := range []float64{0, 1, 2} {
			at, beside := Transform(z, lambda), Transform(z, lambda+1e-9)
			if math.Abs(at-beside) > 1e-7 {
				t.Errorf("transform of %g jumps at lambda %g: %g, %g", z, lambda, at, beside)
			}
		}
		if got := Transform(z, 1); math.Abs(got-z) > 1e-12 {
			t.Errorf("lambda 1 maps %g to %g", z, got)
		}
	}
}
