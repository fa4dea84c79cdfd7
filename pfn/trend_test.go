package pfn

import (
	"math"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
)

// What a law leaves is not lost beside the trend in float32, and a plain member keeps its place.
func TestLittleLeftIsKept(t *testing.T) {
	law := trends{members: []memberTrend{{at: []float64{1.5}, scale: 1e-9}, {}}}
	said := [][]float32{{-1, 0, 1}, {1, 1.5, 2}}
	law.add(0, said)
	w := law.weigh(0, said)
	w.weights = []float64{0.5, 0.5}
	got := quantileHead{levels: 3}.combiner(none{}, target{})(said, w).(*distr.Quantiles).Knots
	for k, want := range []float64{1.25 - 0.5e-9, 1.5, 1.75 + 0.5e-9} {
		if math.Abs(got[k]-want) > 1e-15 {
			t.Errorf("knot %d: %v, want %v", k, got[k], want)
		}
	}
}
