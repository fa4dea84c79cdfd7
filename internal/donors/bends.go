package donors

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// bends are functions of several cells together, with inner products that approximate the kernel
//
//	k(x, z) = exp(-Σ_b r_b (x_b - z_b)²/(2 l²))
//
// of functions of cells x_b, by some rows, the centres (Williams & Seeger 2001). The relevance r_b
// is the function's share of the sum of squared correlations with the targets.
type bends struct {
	relevance []float64
	centres   matrix.Matrix
	root      mat.TriDense // Cholesky factor of the kernel of the centres
}

const (
	mostCentres = 64
	length      = 1 // l
	jitter      = 1e-6
)

// newBends prepares the bends for rows z. It returns nil if the functions do not correlate with the
// targets.
func newBends(z matrix.Matrix, scores []float64) *bends {
	total := 0.0
	for _, s := range scores {
		total += s
	}
	if !(total > 0) {
		return nil
	}
	b := &bends{relevance: make([]float64, len(scores))}
	for k, s := range scores {
		b.relevance[k] = s / total
	}
	at := make([]int, min(z.Rows, mostCentres))
	for k := range at {
		at[k] = k * z.Rows / len(at)
	}
	b.centres = z.Take(at)
	own := b.kernel(b.centres)
	for k := range at {
		own.Row(k)[k] += jitter
	}
	var factor mat.Cholesky
	if !factor.Factorize(mat.NewSymDense(len(at), own.Data)) {
		return nil
	}
	factor.LTo(&b.root)
	return b
}

// kernel returns the kernel of rows and the centres.
func (b *bends) kernel(z matrix.Matrix) matrix.Matrix {
	out := matrix.New(z.Rows, b.centres.Rows)
	for i := range z.Rows {
		row := z.Row(i)
		for k := range b.centres.Rows {
			sum, centre := 0.0, b.centres.Row(k)
			for j, r := range b.relevance {
				d := row[j] - centre[j]
				sum += r * d * d
			}
			out.Row(i)[k] = math.Exp(-sum / (2 * length * length))
		}
	}
	return out
}

// beside returns the functions of rows, followed by the bends.
func (b *bends) beside(z matrix.Matrix) matrix.Matrix {
	if b == nil {
		return z
	}
	values := b.kernel(z)
	var out mat.Dense
	if out.Solve(&b.root, mat.NewDense(z.Rows, b.centres.Rows, values.Data).T()) != nil {
		return matrix.Beside(z, matrix.New(z.Rows, b.centres.Rows))
	}
	return matrix.Beside(z, matrix.Matrix{Rows: z.Rows, Cols: b.centres.Rows,
		Data: mat.DenseCopyOf(out.T()).RawMatrix().Data})
}

// pulls are the slopes of the kernel of the centres that stand for slopes of the bends.
func (b *bends) pulls(slopes []float64) []float64 {
	var out mat.VecDense
	if out.SolveVec(b.root.T(), mat.NewVecDense(len(slopes), slopes)) != nil {
		return make([]float64, len(slopes))
	}
	return out.RawVector().Data
}
