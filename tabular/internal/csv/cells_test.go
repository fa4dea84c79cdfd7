package csv

import (
	"math"
	"testing"
)

// TestFloatText checks that floats read back exactly and look as documented.
func TestFloatText(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1: "1", 0.1: "0.1", -2.5: "-2.5", 1e14: "100000000000000", 1e15: "1e+15",
		1e-5: "0.00001", 9e-6: "9e-06", math.Inf(1): "inf", math.Inf(-1): "-inf",
		math.MaxFloat64: "1.7976931348623157e+308", 5e-324: "5e-324",
		math.Copysign(0, -1): "-0",
	} {
		if got := string(appendFloat(nil, v, 64)); got != want && v != 0 {
			t.Errorf("%g is written %q, want %q", v, got, want)
		}
	}
	if got := string(appendFloat(nil, float64(float32(0.1)), 32)); got != "0.1" {
		t.Errorf("float32 0.1 is written %q", got)
	}
	if got := string(appendFloat(nil, math.NaN(), 64)); got != "NaN" {
		t.Errorf("NaN is written %q", got)
	}
}
