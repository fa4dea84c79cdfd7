package amp

import "testing"

// A surface of the size of the embedded model's, and the levels at which labels are held to it.
func benchmarkSurface() (*Surface, []float64) {
	s := normalSurface(0, 1, 0.4)
	levels := make([]float64, 199)
	for i := range levels {
		levels[i] = float64(i+1) / 200
	}
	return s, levels
}

func BenchmarkNewCoherence(b *testing.B) {
	s, levels := benchmarkSurface()
	for b.Loop() {
		NewCoherence(s, levels)
	}
}

// The bounds of one row.
func BenchmarkCoherence(b *testing.B) {
	s, levels := benchmarkSurface()
	c := NewCoherence(s, levels)
	least, most := make([]float64, len(levels)), make([]float64, len(levels))
	for b.Loop() {
		c.Bounds(s, least, most)
	}
}
