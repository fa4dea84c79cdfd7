package tabicl

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// ridge is a table of features, decomposed for ridge regressions of several targets on it. Penalties
// have the least generalised cross-validation score (Golub, Heath & Wahba 1979) of those on a grid.
type ridge struct {
	centre []float64 // of every feature
	u, v   mat.Dense // singular vectors of the centred features
	s      []float64 // singular values
}

const (
	penalties      = 33   // on the grid
	leastPenalty   = 1e-6 // times the number of rows
	largestPenalty = 1e2  // times the number of rows
	mostFreedom    = 0.9  // degrees of freedom, times the number of rows
	leastLeft      = 0.1  // 1 - leverage
)

// newRidge decomposes features z [N, H].
func newRidge(z matrix.Matrix) *ridge {
	r := &ridge{centre: make([]float64, z.Cols)}
	centred := mat.NewDense(z.Rows, z.Cols, nil)
	for j := range z.Cols {
		for i := range z.Rows {
			r.centre[j] += z.Data[i*z.Cols+j] / float64(z.Rows)
		}
		for i := range z.Rows {
			centred.Set(i, j, z.Data[i*z.Cols+j]-r.centre[j])
		}
	}
	var svd mat.SVD
	if svd.Factorize(centred, mat.SVDThin) { // otherwise there are no singular values, and no slopes
		svd.UTo(&r.u)
		svd.VTo(&r.v)
		r.s = svd.Values(nil)
	}
	return r
}

// fit returns the slopes for a target of mean zero and the residuals of leaving one row out,
// (y_i - f(x_i)) / (1 - h_i), where the leverage h_i of a row begins at the given number: 1/N if its
// mean is left out as well. Without a penalty that leaves enough degrees of freedom all slopes are zero.
func (r *ridge) fit(y []float64, leverage float64) (slope, left []float64) {
	slope, left = make([]float64, len(r.centre)), slices.Clone(y)
	along := make([]float64, len(r.s)) // of the target, in every direction
	for k := range along {
		for i, target := range y {
			along[k] += r.u.At(i, k) * target
		}
	}
	shrink := r.bestShrinkage(along, y)
	for k, f := range shrink {
		for j := range slope {
			slope[j] += r.v.At(j, k) * (f / max(r.s[k], 1e-12) * along[k])
		}
	}
	for i := range left {
		fit, h := 0.0, leverage
		for k, f := range shrink {
			fit += r.u.At(i, k) * (f * along[k])
			h += r.u.At(i, k) * r.u.At(i, k) * f
		}
		left[i] = (left[i] - fit) / max(1-h, leastLeft)
	}
	return slope, left
}

// bestShrinkage returns the factors s^2/(s^2 + penalty) of the best penalty, or nil.
func (r *ridge) bestShrinkage(along, y []float64) []float64 {
	n, least := float64(len(y)), math.Inf(1)
	var best []float64
	step := math.Log(largestPenalty/leastPenalty) / (penalties - 1)
	for g := range penalties {
		penalty := n * math.Exp(math.Log(leastPenalty)+float64(g)*step)
		shrink, freedom := make([]float64, len(r.s)), 1.0
		for k, v := range r.s {
			shrink[k] = v * v / (v*v + penalty)
			freedom += shrink[k]
		}
		if freedom >= mostFreedom*n {
			continue
		}
		squares := 0.0
		for i, target := range y {
			rest := target
			for k, f := range shrink {
				rest -= r.u.At(i, k) * (f * along[k])
			}
			squares += rest * rest
		}
		if score := n * squares / ((n - freedom) * (n - freedom)); score < least {
			least, best = score, shrink
		}
	}
	return best
}

// linear returns offset + (z - centre) slope of every row of z.
func linear(z matrix.Matrix, centre, slope []float64, offset float64) []float64 {
	values := make([]float64, z.Rows)
	for i := range values {
		for j, w := range slope {
			values[i] += w * (z.Data[i*z.Cols+j] - centre[j])
		}
		values[i] += offset
	}
	return values
}
