package tabicl

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

const (
	maxCentres  = 256  // rows of the context on which a kernel is projected
	jitter      = 1e-6 // added to the kernel of a row with itself
	length      = 3.0  // of the kernel of a column, in standard deviations
	interaction = 4.0  // the larger, the more a kernel sees of columns together
)

// centres are the rows of z on which a kernel is projected: all, or so many evenly spaced ones.
func centres(z matrix.Matrix) matrix.Matrix {
	rows := make([]int, min(z.Rows, maxCentres))
	for i := range rows {
		rows[i] = i * z.Rows / len(rows)
	}
	return z.Take(rows)
}

// kernelValues returns the kernel of all rows x of a and z of b, [rows of a, rows of b]:
//
//	k(x, z) = x.z/H + exp(4 (mean_j m(|x_j - z_j|) - 1)),  m(r) = (1 + t) exp(-t),  t = sqrt(3) r/3
//
// The exponential of a sum of Matérn kernels of single columns has parts of every order of
// interaction, the lower the larger.
func kernelValues(a, b matrix.Matrix) matrix.Matrix {
	out, h := matrix.New(a.Rows, b.Rows), a.Cols
	upA, downA := exponentials(a)
	upB, downB := exponentials(b)
	for i := range a.Rows {
		x, up, down, to := a.Row(i)[:h], upA.Row(i)[:h], downA.Row(i)[:h], out.Row(i)
		for k := range to {
			z, upZ, downZ := b.Row(k)[:h], upB.Row(k)[:h], downB.Row(k)[:h]
			dot, total := 0.0, 0.0
			for j, v := range x {
				// exp(-|t|) is the lesser of exp(t) and exp(-t), and both are products.
				t := math.Abs(v-z[j]) * (math.Sqrt(3) / length)
				dot += v * z[j]
				total += (1 + t) * min(up[j]*downZ[j], down[j]*upZ[j])
			}
			to[k] = dot/float64(h) + math.Exp(interaction*(total/float64(h)-1))
		}
	}
	return out
}

// exponentials returns exp(t) and exp(-t) of the cells of z, where t = sqrt(3) z/3.
func exponentials(z matrix.Matrix) (up, down matrix.Matrix) {
	up, down = matrix.New(z.Rows, z.Cols), matrix.New(z.Rows, z.Cols)
	for i, v := range z.Data {
		up.Data[i] = math.Exp(v * (math.Sqrt(3) / length))
		down.Data[i] = math.Exp(-v * (math.Sqrt(3) / length))
	}
	return up, down
}

// kernelFeatures returns features [N, M] of the rows z [N, H] whose inner products are the kernel, as
// far as the centres [M, H] show it (Williams & Seeger 2001), and the triangular root L of the
// kernel of the centres: a row's features are L^-1 k with its kernel values k. It returns false if the
// numbers of z are not finite.
func kernelFeatures(z, centres matrix.Matrix) (matrix.Matrix, *mat.TriDense, bool) {
	own := kernelValues(centres, centres)
	for k := range own.Rows {
		own.Row(k)[k] += jitter
	}
	var factor mat.Cholesky
	if !factor.Factorize(mat.NewSymDense(own.Rows, own.Data)) {
		return matrix.Matrix{}, nil, false
	}
	var root mat.TriDense
	factor.LTo(&root)
	values := kernelValues(z, centres)
	var features mat.Dense
	if features.Solve(&root, mat.NewDense(z.Rows, centres.Rows, values.Data).T()) != nil {
		return matrix.Matrix{}, nil, false
	}
	out := mat.DenseCopyOf(features.T())
	return matrix.Matrix{Rows: z.Rows, Cols: centres.Rows, Data: out.RawMatrix().Data}, &root, true
}
