package pfn

import (
	"reflect"
	"testing"
)

// TestFitFreesTheContextGraph counts native handles around Fit: without Refit the context graph
// is gone after it, and a second Fit gives what the first one gave.
func TestFitFreesTheContextGraph(t *testing.T) {
	train := Training{X: Matrix{Rows: 4, Cols: 1, Data: []float64{1, 2, 3, 4}},
		Y: []float64{1, 3, 2, 5}}
	query := Matrix{Rows: 1, Cols: 1, Data: []float64{2.5}}
	for _, refit := range []bool{false, true} {
		m := open(t, Options{Members: 2, Refit: refit})
		before := LiveHandles()
		first := predict(t, fit(t, m, train), query)
		if freed := before - LiveHandles(); (freed > 0) == refit {
			t.Errorf("refit %v: Fit frees %d handles", refit, freed)
		}
		if second := predict(t, fit(t, m, train), query); !reflect.DeepEqual(first, second) {
			t.Errorf("refit %v: a second Fit gives another distribution", refit)
		}
	}
}
