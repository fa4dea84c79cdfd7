package half

import (
	"math"
	"testing"
)

// Every float16 is what it was; what lies between two is rounded to the nearer one, ties to even.
func TestRound(t *testing.T) {
	for h := range 1 << 16 {
		v := Value(uint16(h))
		bits, ok := Round(v)
		if finite := h>>10&31 != 31; ok != finite || finite && bits != uint16(h) {
			t.Fatalf("%04x is %g and becomes %04x, %v", h, v, bits, ok)
		}
	}
	for _, c := range []struct{ v, want float32 }{
		{1 + 1.0/2048, 1}, {1 + 3.0/2048, 1 + 2.0/1024}, {1 + 1.0/2047, 1 + 1.0/1024}, {65519, 65504},
		{-1e-8, 0}, {3e-8, 1.0 / (1 << 24)}, {-0.1, -0.0999755859375}, {2047.75, 2048},
	} {
		bits, ok := Round(c.v)
		if got := Value(bits); !ok || got != c.want {
			t.Errorf("%g becomes %g, wanted is %g", c.v, got, c.want)
		}
	}
	for _, v := range []float32{65520, -1e9, float32(math.Inf(1)), float32(math.NaN())} {
		if _, ok := Round(v); ok {
			t.Errorf("%g fits", v)
		}
	}
}

func TestValue(t *testing.T) {
	for bits, want := range map[uint16]float64{0: 0, 0x3c00: 1, 0xc000: -2, 0x3555: 0.333251953125,
		0x7bff: 65504, 1: math.Ldexp(1, -24), 0x8001: -math.Ldexp(1, -24), 0x7c00: math.Inf(1)} {
		if got := float64(Value(bits)); got != want {
			t.Errorf("%#x is %g, not %g", bits, got, want)
		}
	}
	if v := Value(0x7e00); v == v {
		t.Errorf("NaN is %g", v)
	}
}
