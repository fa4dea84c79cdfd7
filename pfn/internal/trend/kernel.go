package trend

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

const (
	maxCentres = 256  // context rows on which a kernel is projected
	jitter     = 1e-6 // added to the diagonal of the kernel
)

// spaced returns the rows of z, or most evenly spaced ones.
func spaced(z matrix.Matrix, most int) matrix.Matrix { return z.Take(spacedRows(z.Rows, most)) }

// spacedRows returns the numbers below rows, or most evenly spaced ones.
func spacedRows(rows, most int) []int {
	at := make([]int, min(rows, most))
	for i := range at {
		at[i] = i * rows / len(at)
	}
	return at
}

// kernel is the kernel of two rows x and z, for columns with weights w that sum to one,
//
//	k(x, z) = sum_j w_j x_j z_j + exp(a (sum_j w_j m(|x_j - z_j|) - 1))
//	m(r)    = (1 + t) exp(-t),  t = sqrt(3) r/l
//
// The exponential of a sum of Matérn kernels of single columns has parts of every order of
// interaction, larger ones for lower orders.
type kernel struct {
	weights []float64
	shape
}

// shape holds the parameters that all columns share.
type shape struct {
	length      float64 // l, the length of bends, in standard deviations
	interaction float64 // a; a larger value gives interactions of columns more weight
}

func (s shape) rate() float64 { return math.Sqrt(3) / s.length }

// values returns the kernel of all rows of a and of b, [rows of a, rows of b].
func (c kernel) values(a, b matrix.Matrix) matrix.Matrix {
	out := matrix.New(a.Rows, b.Rows)
	c.each(a, b, func(i, k int, _ []float64, dot, curved float64) { out.Row(i)[k] = dot + curved })
	return out
}

// each calls f with the linear and the other part of the kernel of row i of a and row k of b, and
// with exp(-t) of every column.
func (c kernel) each(a, b matrix.Matrix, f func(i, k int, decays []float64, dot, curved float64)) {
	upA, downA := c.exponentials(a)
	upB, downB := c.exponentials(b)
	h, rate := len(c.weights), c.rate()
	decays := make([]float64, h)
	for i := range a.Rows {
		x, up, down := a.Row(i)[:h], upA.Row(i)[:h], downA.Row(i)[:h]
		for k := range b.Rows {
			z, upZ, downZ := b.Row(k)[:h], upB.Row(k)[:h], downB.Row(k)[:h]
			dot, total := 0.0, 0.0
			for j, weight := range c.weights {
				// exp(-|t|) is the smaller of exp(t) and exp(-t), and both are products.
				t := math.Abs(x[j]-z[j]) * rate
				decays[j] = min(up[j]*downZ[j], down[j]*upZ[j])
				dot += weight * x[j] * z[j]
				total += weight * (1 + t) * decays[j]
			}
			f(i, k, decays, dot, math.Exp(c.interaction*(total-1)))
		}
	}
}

// slopes returns the slopes of f(z) = sum_m alpha_m k(z, centre_m) at the rows of z, along every
// column.
func (c kernel) slopes(z, centres matrix.Matrix, alpha []float64) matrix.Matrix {
	out, h := matrix.New(z.Rows, z.Cols), len(c.weights)
	steep := c.interaction * 3 / (c.length * c.length)
	c.each(z, centres, func(i, k int, decays []float64, _, curved float64) {
		x, centre, slope := z.Row(i)[:h], centres.Row(k)[:h], out.Row(i)[:h]
		pull := alpha[k] * curved * steep
		for j, weight := range c.weights {
			slope[j] += weight * (alpha[k]*centre[j] - pull*(x[j]-centre[j])*decays[j])
		}
	})
	return out
}

// unprojected converts coefficients of the features into coefficients of the kernel's values.
func unprojected(root *mat.TriDense, slope []float64) []float64 {
	var w mat.VecDense
	if w.SolveVec(root.T(), mat.NewVecDense(len(slope), slope)) != nil {
		return slope
	}
	return w.RawVector().Data
}

// exponentials returns exp(t) and exp(-t) of the cells of z, where t = sqrt(3) z/l.
func (s shape) exponentials(z matrix.Matrix) (up, down matrix.Matrix) {
	up, down = matrix.New(z.Rows, z.Cols), matrix.New(z.Rows, z.Cols)
	for i, v := range z.Data {
		up.Data[i] = math.Exp(v * s.rate())
		down.Data[i] = math.Exp(-v * s.rate())
	}
	return up, down
}

// kernelFeatures returns features [N, M] of the rows z [N, H] whose inner products approximate the
// kernel by centres [M, H] (Williams & Seeger 2001), at most most rows of z. It also returns the
// triangular root L of the kernel of the centres: with the kernel values k of a row, its features
// are L^-1 k. It returns false, without features and root, if the numbers of z are not finite.
func kernelFeatures(c kernel, z matrix.Matrix, most int) (
	features, centres matrix.Matrix, root *mat.TriDense, ok bool,
) {
	at := spacedRows(z.Rows, most)
	centres = z.Take(at)
	values := c.values(z, centres)
	if root = choleskyRoot(values.Take(at), jitter); root == nil {
		return features, centres, nil, false
	}
	var solved mat.Dense
	if solved.Solve(root, mat.NewDense(z.Rows, len(at), values.Data).T()) != nil {
		return features, centres, nil, false
	}
	out := mat.DenseCopyOf(solved.T())
	return matrix.Matrix{Rows: z.Rows, Cols: len(at), Data: out.RawMatrix().Data}, centres, root, true
}

// choleskyRoot adds a number to the diagonal of a kernel matrix, in place, and returns its
// triangular root; nil if numbers are not finite.
func choleskyRoot(gram matrix.Matrix, added float64) *mat.TriDense {
	for k := range gram.Rows {
		gram.Row(k)[k] += added
	}
	var factor mat.Cholesky
	if !factor.Factorize(mat.NewSymDense(gram.Rows, gram.Data)) {
		return nil
	}
	root := new(mat.TriDense)
	factor.LTo(root)
	return root
}
