package heldout

import (
	"math"
	"testing"
)

// The bound of Barber and others, and the least rows of a level.
func TestPromise(t *testing.T) {
	for want, got := range map[float64]float64{
		1 - 0.2 - 0.9/11: guarantee(0.9, 100, 10),
		1 - 0.2:          guarantee(0.9, 50, 50), // the jackknife+
		0:                guarantee(0.4, 50, 10),
	} {
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("guarantee %v, want %v", got, want)
		}
	}
	for level, least := range map[float64]int{0.9: 9, 0.95: 19, 0.99: 99, 0.5: 4} {
		if got := leastRows(level); got != least {
			t.Errorf("level %v needs %d rows, got %d", level, least, got)
		}
	}
}
