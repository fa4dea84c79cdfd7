package amp

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestRankGrid: a place keeps its rank, up to the rounding of the fraction and the ends of the
// grid.
func TestRankGrid(t *testing.T) {
	g := newRankGrid()
	if !slices.IsSorted(g[:]) || len(slices.Compact(slices.Clone(g[:]))) != len(g) {
		t.Fatal("nodes do not ascend")
	}
	if math.Abs(g[tailSteps+32]-0.1) > 1e-12 || math.Abs(g[gridSteps/2]-0.5) > 1e-12 {
		t.Errorf("nodes %v and %v, want 0.1 and 0.5", g[tailSteps+32], g[gridSteps/2])
	}
	var l lines
	origin := l.fill(g, 1)
	rapid.Check(t, func(t *rapid.T) {
		u := rank(t, "u")
		want := math.Max(g[0], math.Min(g[gridSteps], u))
		for name, got := range map[string]float64{
			"sum":      origin + l.sum([]uint32{g.place(u)}),
			"weighted": origin + l.weighted([]uint32{g.place(u)}, []float64{1}),
		} {
			if math.Abs(got-want) > 0.004/fractions { // the widest step is 0.0035
				t.Fatalf("%s: %v is placed at %v", name, u, got)
			}
		}
	})
	all := []float64{0.001, 0.2, 0.5, 0.81, 0.9999}
	places := make([]uint32, len(all))
	want := 0.0
	for i, u := range all {
		places[i] = g.place(u)
		want += u - origin
	}
	if got := l.sum(places); math.Abs(got-want) > 1e-6 {
		t.Errorf("sum %v, want %v", got, want)
	}
	for u, want := range map[float64]uint32{0: 0, 1e-300: 0, 1: gridSteps*fractions - 1} {
		if got := g.place(u); got != want {
			t.Errorf("place(%v) = %d, want %d", u, got, want)
		}
	}
}
