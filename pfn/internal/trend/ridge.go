package trend

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// ridge is a table of features, prepared for ridge regressions of several targets. The penalty has
// the smallest generalised cross-validation score (Golub, Heath & Wahba 1979) on a grid.
type ridge struct {
	centre  []float64  // of every feature
	x       *mat.Dense // centred features [N, M]
	systems []system   // one per penalty
}

// system is x'x + penalty, factorised.
type system struct {
	penalty float64
	factor  mat.Cholesky
	freedom float64 // degrees of freedom of the regression, with its mean
	usable  bool
}

const (
	leastPenalty   = 1e-6 // times the number of rows
	largestPenalty = 1e2  // times the number of rows
	mostFreedom    = 0.9  // largest degrees of freedom, times the number of rows
	tie            = 1e-9 // relative difference of equal scores
	leastLeft      = 0.01 // least value of 1 - leverage
)

// newRidge prepares features z [N, M] for this many penalties, evenly spaced in their logarithms.
func newRidge(z matrix.Matrix, penalties int) *ridge {
	r := &ridge{centre: make([]float64, z.Cols), systems: make([]system, penalties)}
	r.x = mat.NewDense(z.Rows, z.Cols, nil)
	for j := range z.Cols {
		for i := range z.Rows {
			r.centre[j] += z.Data[i*z.Cols+j] / float64(z.Rows)
		}
		for i := range z.Rows {
			r.x.Set(i, j, z.Data[i*z.Cols+j]-r.centre[j])
		}
	}
	var squares mat.SymDense
	squares.SymOuterK(1, r.x.T())
	together(penalties, func(g int) {
		at := float64(g) / float64(penalties-1)
		penalty := float64(z.Rows) * leastPenalty * math.Pow(largestPenalty/leastPenalty, at)
		r.systems[g] = newSystem(&squares, penalty, float64(z.Rows))
	})
	return r
}

func newSystem(squares *mat.SymDense, penalty, n float64) system {
	s := system{penalty: penalty}
	m := squares.SymmetricDim()
	a := mat.NewSymDense(m, nil)
	a.CopySym(squares)
	for j := range m {
		a.SetSym(j, j, a.At(j, j)+penalty)
	}
	if !s.factor.Factorize(a) {
		return s
	}
	// a = U'U, so that the trace of its inverse is the sum of the squares of U^-1
	var root mat.TriDense
	s.factor.UTo(&root)
	if root.InverseTri(&root) != nil {
		return s
	}
	norm := mat.Norm(&root, 2)
	s.freedom = 1 + float64(m) - penalty*norm*norm
	s.usable = s.freedom < mostFreedom*n
	return s
}

// regression is the regression of a target of mean zero on a ridge's features.
type regression struct {
	slope []float64
	left  []float64 // leave-one-out residuals e
	// penalty is infinite if all slopes are zero; noise is the variance of the target about the
	// regression, the mean of e_i^2 (1 - h_i) with the leverages h.
	penalty, noise float64
}

// fit finds the slopes for a target of mean zero, and the residuals of leaving one row out,
// (y_i - f(x_i)) / (1 - h_i). The leverage h_i of a row begins at the given number: 1/N if its mean
// is left out as well. Among equally good penalties fit takes the largest; for two rows all are
// equally good. If no penalty leaves enough degrees of freedom, all slopes are zero.
func (r *ridge) fit(y []float64, leverage float64) regression {
	n, least := float64(len(y)), math.Inf(1)
	slope, left := make([]float64, len(r.centre)), slices.Clone(y)
	found := regression{slope: slope, left: left, penalty: math.Inf(1)}
	target := mat.NewVecDense(len(y), slices.Clone(y))
	var along, w, rest mat.VecDense
	along.MulVec(r.x.T(), target)
	var best *system
	for g := range r.systems {
		s := &r.systems[len(r.systems)-1-g]
		if !s.usable || s.factor.SolveVecTo(&w, &along) != nil {
			continue
		}
		rest.MulVec(r.x, &w)
		rest.SubVec(target, &rest)
		score := n * mat.Dot(&rest, &rest) / ((n - s.freedom) * (n - s.freedom))
		if score < (1-tie)*least {
			least, best = score, s
			copy(slope, w.RawVector().Data)
			copy(left, rest.RawVector().Data)
		}
	}
	if best == nil {
		return found
	}
	var root mat.TriDense
	var scaled mat.Dense // the squares of a column sum to the leverage of a row
	best.factor.LTo(&root)
	if scaled.Solve(&root, r.x.T()) != nil {
		return found
	}
	found.penalty = best.penalty
	for i := range left {
		h := leverage
		for k := range slope {
			h += scaled.At(k, i) * scaled.At(k, i)
		}
		rest := max(1-h, leastLeft)
		left[i] /= rest
		found.noise += left[i] * left[i] * rest / n
	}
	return found
}
