package heldout

import (
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
)

// Classes that a part lacks have the probability 0, and nothing is unknown about that.
func TestPlacedPosterior(t *testing.T) {
	own := &amp.ClassPosterior{ClassPosterior: distr.ClassPosterior{Levels: []float64{0.1, 0.9},
		Quantiles: [][]float64{{0.2, 0.4}, {0.6, 0.8}}}}
	present, places := Present([]float64{2, 0, 2})
	if !slices.Equal(places, []float64{1, 0, 1}) {
		t.Errorf("places %v", places)
	}
	all := Reader{present: present, classes: 4}.placed(own)
	want := [][]float64{{0.2, 0.4}, {0, 0}, {0.6, 0.8}, {0, 0}}
	for k, row := range want {
		if !slices.Equal(all.Quantiles[k], row) {
			t.Errorf("class %d: %v, want %v", k, all.Quantiles[k], row)
		}
		if q := all.Of(amp.Class(k)).Quantile(0.9); q != row[1] {
			t.Errorf("class %d: the 0.9-quantile is %v, want %v", k, q, row[1])
		}
	}
}
