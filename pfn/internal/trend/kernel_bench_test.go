package trend

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The kernel of 1,200 query rows of 8 features and 256 rows of the context.
func BenchmarkKernelValues(b *testing.B) {
	z, _ := linearTable(1200, 8, 0)
	at, c := spaced(z.Span(0, 300), maxCentres), straightColumns(mat.NewSymDense(8, nil), usual)
	for b.Loop() {
		c.values(z, at)
	}
}

// What 300 rows of 8 features cost to learn a trend from.
func BenchmarkKernelTrend(b *testing.B) {
	z, y := linearTable(300, 8, 0.5)
	for b.Loop() {
		fitKind(Kernel, z, y)
	}
}
