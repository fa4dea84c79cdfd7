package paper

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
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

// Predict implements [evaluate.Model]. It fails if J exceeds the features or a feature is outside
// [0, 1].
func (m Ideal) Predict(
	ctx context.Context, train evaluate.Data, query evaluate.Matrix,
) (p evaluate.Prediction, err error) {
	if m.Signals < 1 || m.Signals > train.Cols {
		return p, errors.New("the exact model needs 1 to d features that matter")
	}
	if !insideUnit(train.Data) || !insideUnit(query.Data) {
		return p, errors.New("the exact model needs features in [0, 1]")
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
		return p, err
	}
	var root mat.Cholesky
	if !root.Factorize(precision) {
		return p, errors.New("the exact model's precision is not positive definite")
	}
	var mean mat.VecDense
	if err := root.SolveVecTo(&mean, moment); err != nil {
		return p, err
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
func (m Ideal) at(
	root *mat.Cholesky, mean *mat.VecDense, query evaluate.Matrix,
) (evaluate.Prediction, error) {
	p := evaluate.Prediction{PPDs: make([]evaluate.PPD, query.Rows),
		Own: make([]amp.Own, query.Rows), Sizes: make([]float64, query.Rows)}
	dense := mat.NewVecDense(mean.Len(), nil)
	var solved mat.VecDense
	for i := range query.Rows {
		index, value := m.basis(query.Row(i))
		dense.Zero()
		for a, k := range index {
			dense.SetVec(k, value[a])
		}
		if err := root.SolveVecTo(&solved, dense); err != nil {
			return p, err
		}
		v, mu := mat.Dot(dense, &solved), mat.Dot(dense, mean)
		p.Own[i] = function{evaluate.Normal{Mu: mu, Sigma: math.Sqrt(v)}}
		p.PPDs[i] = evaluate.Normal{Mu: mu, Sigma: math.Sqrt(v + noiseVariance)}
		p.Sizes[i] = noiseVariance / v
	}
	return p, nil
}

func insideUnit(x []float64) bool {
	for _, v := range x {
		if !(v >= 0 && v <= 1) {
			return false
		}
	}
	return true
}
