package evaluate

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/amp"
)

// Ideal is the exact Bayesian solution of [Additive]: it knows the basis, the prior, which
// features matter and the noise variance. With Φ the basis values of the training rows,
//
//	A = ΦᵀΦ/σ² + I/τ²,  E θ = A^-1 Φᵀy/σ²,  cov θ = A^-1,  σ² = 1,  τ² = 2
//
// (Rasmussen and Williams 2006, section 2.1), so that at a row with basis values b the mean
// function is N(bᵀEθ, v) with v = bᵀA^-1 b, and the label N(bᵀEθ, v+1). Its posteriors of
// quantiles and of the mean are the optimal credible intervals, and 1/v is the local effective
// sample size.
type Ideal struct {
	Signals int // J, the first features, which matter
}

// Predict implements [Model]. It fails if J exceeds the features or a feature is outside [0, 1].
func (m Ideal) Predict(ctx context.Context, train Data, query Matrix) (Prediction, error) {
	if m.Signals < 1 || m.Signals > train.Cols {
		return Prediction{}, errors.New("the exact model needs 1 to d features that matter")
	}
	if !insideUnit(train.X) || !insideUnit(query.X) {
		return Prediction{}, errors.New("the exact model needs features in [0, 1]")
	}
	size := m.Signals * splineSize
	precision, moment := mat.NewSymDense(size, nil), mat.NewVecDense(size, nil)
	for i := range size {
		precision.SetSym(i, i, 1/priorVariance)
	}
	for i, y := range train.Y {
		m.accumulate(precision, moment, train.Row(i), y)
	}
	if err := ctx.Err(); err != nil {
		return Prediction{}, err
	}
	var root mat.Cholesky
	if !root.Factorize(precision) {
		return Prediction{}, errors.New("the exact model's precision is not positive definite")
	}
	var mean mat.VecDense
	if err := root.SolveVecTo(&mean, moment); err != nil {
		return Prediction{}, err
	}
	return m.at(&root, &mean, query)
}

// accumulate adds one training row to the precision and to Φᵀy.
func (m Ideal) accumulate(precision *mat.SymDense, moment *mat.VecDense, row []float64, y float64) {
	index, value := m.basis(row)
	for a, i := range index {
		moment.SetVec(i, moment.AtVec(i)+value[a]*y/noiseVariance)
		for b, j := range index {
			if j >= i {
				precision.SetSym(i, j, precision.At(i, j)+value[a]*value[b]/noiseVariance)
			}
		}
	}
}

// basis returns the coefficients that a row depends on and their weights.
func (m Ideal) basis(row []float64) (index []int, value []float64) {
	for j := range m.Signals {
		s := splineAt(row[j])
		for k, b := range s.values {
			index = append(index, j*splineSize+s.first+k)
			value = append(value, b)
		}
	}
	return index, value
}

// at predicts the query rows.
func (m Ideal) at(root *mat.Cholesky, mean *mat.VecDense, query Matrix) (Prediction, error) {
	p := Prediction{PPDs: make([]PPD, query.Rows), Sizes: make([]float64, query.Rows),
		Own: make([]amp.Own, query.Rows)}
	dense := mat.NewVecDense(mean.Len(), nil)
	var solved mat.VecDense
	for i := range query.Rows {
		index, value := m.basis(query.Row(i))
		dense.Zero()
		for a, k := range index {
			dense.SetVec(k, value[a])
		}
		if err := root.SolveVecTo(&solved, dense); err != nil {
			return Prediction{}, err
		}
		v, mu := mat.Dot(dense, &solved), mat.Dot(dense, mean)
		p.Own[i] = function{Normal{mu, math.Sqrt(v)}}
		p.PPDs[i] = Normal{mu, math.Sqrt(v + noiseVariance)}
		p.Sizes[i] = noiseVariance / v
	}
	return p, nil
}

// function is the posterior of the mean function at a row, which knows those of all functionals of
// the label that are shifted means.
type function struct{ mean Normal }

// Of implements [amp.Own].
func (p function) Of(f amp.Functional) amp.Marginal {
	shift, ok := noiseShift(f)
	if !ok {
		return nil
	}
	return shifted{p.mean, shift}
}

// shifted is a normal distribution moved to the right.
type shifted struct {
	Normal
	by float64
}

// Quantile implements [amp.Marginal].
func (s shifted) Quantile(p float64) float64 { return s.Normal.Quantile(p) + s.by }

// noiseShift is the functional of the noise: the distance of the functional of a label's
// distribution from its mean. There is none for probabilities.
func noiseShift(f amp.Functional) (shift float64, ok bool) {
	switch f := f.(type) {
	case amp.Mean:
		return 0, true
	case amp.Quantile:
		return math.Sqrt(noiseVariance) * distuv.UnitNormal.Quantile(f.Level), true
	}
	return 0, false
}

func insideUnit(x []float64) bool {
	for _, v := range x {
		if !(v >= 0 && v <= 1) {
			return false
		}
	}
	return true
}
