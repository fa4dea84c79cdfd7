package tabicl

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Trend is a linear function of the features, and the scale of what it leaves of the target. A
// member with a trend reads
//
//	r_i = (y_i - f_{-i}(x_i) - Shift) / Scale
//
// where f_{-i} is the trend learned without row i, and what the network says of r at a row x is
// Scale r + Shift + f(x). Targets and f are in standardised units.
//
// f is a ridge regression on the features of the norm None. Its penalty has the least generalised
// cross-validation score (Golub, Heath & Wahba 1979) of those on a grid. The residuals are those of
// leaving one row out, (y_i - f(x_i)) / (1 - h_i) with the leverage h_i, so that they are as large as
// the errors at new rows, which those of the fit are not.
type Trend struct {
	Centre []float64 // of every feature
	Slope  []float64 // of every feature
	Shift  float64   // mean of the residuals
	Scale  float64   // their standard deviation, at least minResidual
}

const (
	penalties      = 33   // on the grid
	leastPenalty   = 1e-6 // times the number of rows
	largestPenalty = 1e2  // times the number of rows
	mostFreedom    = 0.9  // degrees of freedom of the trend, times the number of rows
	leastLeft      = 0.1  // 1 - leverage
	minResidual    = 1e-6 // standard deviations of the target
)

// fitTrend learns a trend from features z [N, H] and a standardised target, and returns with it what
// a member reads of the target.
func fitTrend(z matrix.Matrix, y []float64) (*Trend, []float32) {
	n := len(y)
	t := &Trend{Centre: make([]float64, z.Cols), Slope: make([]float64, z.Cols)}
	centred := mat.NewDense(n, z.Cols, nil)
	for j := range z.Cols {
		for i := range n {
			t.Centre[j] += z.Data[i*z.Cols+j] / float64(n)
		}
		for i := range n {
			centred.Set(i, j, z.Data[i*z.Cols+j]-t.Centre[j])
		}
	}
	left := t.regress(centred, y)
	for _, r := range left {
		t.Shift += r / float64(n)
	}
	variance := 0.0
	for _, r := range left {
		variance += (r - t.Shift) * (r - t.Shift) / float64(n)
	}
	t.Scale = max(math.Sqrt(variance), minResidual)
	target := make([]float32, n)
	for i, r := range left {
		target[i] = float32((r - t.Shift) / t.Scale)
	}
	return t, target
}

// regress finds the slopes for centred features and returns the residuals of leaving one row out.
// Without a penalty that leaves enough degrees of freedom there is no trend.
func (t *Trend) regress(z *mat.Dense, y []float64) []float64 {
	left := append([]float64(nil), y...)
	var svd mat.SVD
	if !svd.Factorize(z, mat.SVDThin) {
		return left
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	s := svd.Values(nil)
	along := make([]float64, len(s)) // of the target, in every direction
	for k := range along {
		for i, target := range y {
			along[k] += u.At(i, k) * target
		}
	}
	shrink := bestShrinkage(&u, s, along, y)
	if shrink == nil {
		return left
	}
	for k, f := range shrink {
		for j := range t.Slope {
			t.Slope[j] += v.At(j, k) * (f / max(s[k], 1e-12) * along[k])
		}
	}
	for i := range left {
		fit, leverage := 0.0, 1/float64(len(y))
		for k, f := range shrink {
			fit += u.At(i, k) * (f * along[k])
			leverage += u.At(i, k) * u.At(i, k) * f
		}
		left[i] = (left[i] - fit) / max(1-leverage, leastLeft)
	}
	return left
}

// bestShrinkage returns the factors s^2/(s^2 + penalty) of the best penalty, or nil.
func bestShrinkage(u *mat.Dense, s, along, y []float64) []float64 {
	n, least := float64(len(y)), math.Inf(1)
	var best []float64
	step := math.Log(largestPenalty/leastPenalty) / (penalties - 1)
	for g := range penalties {
		penalty := n * math.Exp(math.Log(leastPenalty)+float64(g)*step)
		shrink, freedom := make([]float64, len(s)), 1.0
		for k, v := range s {
			shrink[k] = v * v / (v*v + penalty)
			freedom += shrink[k]
		}
		if freedom >= mostFreedom*n {
			continue
		}
		squares := 0.0
		for i, target := range y {
			r := target
			for k, f := range shrink {
				r -= u.At(i, k) * (f * along[k])
			}
			squares += r * r
		}
		if score := n * squares / ((n - freedom) * (n - freedom)); score < least {
			least, best = score, shrink
		}
	}
	return best
}

// at returns f of every row of features [rows, H].
func (t *Trend) at(z matrix.Matrix) []float64 {
	values := make([]float64, z.Rows)
	for i := range values {
		for j, slope := range t.Slope {
			values[i] += slope * (z.Data[i*z.Cols+j] - t.Centre[j])
		}
	}
	return values
}
