package main

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// ideal is the exact Bayesian solution of [additive]: it knows the basis, the prior, which
// features matter and the noise variance. With Φ the basis values of the training rows,
//
//	A = ΦᵀΦ/σ² + I/τ²,  E θ = A^-1 Φᵀy/σ²,  cov θ = A^-1,  σ² = 1,  τ² = 2
//
// (Rasmussen and Williams 2006, section 2.1), so that at a row with basis values b the mean
// function is N(bᵀEθ, v) with v = bᵀA^-1 b, and the label N(bᵀEθ, v+1). Its posteriors of
// quantiles and of the mean are the optimal credible intervals.
type ideal struct {
	signals int // J, the first features, which matter
}

// Predict fails if the precision is not positive definite. The first J features of all rows must be
// in [0, 1].
func (m ideal) Predict(
	ctx context.Context, train evaluate.Data, query evaluate.Matrix,
) (p evaluate.Prediction, err error) {
	size := m.signals * splineSize
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
func (m ideal) accumulate(precision *mat.SymDense, moment *mat.VecDense, row []float64, y float64) {
	index, value := basis(row, m.signals)
	for a, i := range index {
		moment.SetVec(i, moment.AtVec(i)+value[a]*y/noiseVariance)
		for b, j := range index {
			if j >= i {
				precision.SetSym(i, j, precision.At(i, j)+value[a]*value[b]/noiseVariance)
			}
		}
	}
}

// at predicts the query rows.
func (m ideal) at(
	root *mat.Cholesky, mean *mat.VecDense, query evaluate.Matrix,
) (p evaluate.Prediction, err error) {
	dense := mat.NewVecDense(mean.Len(), nil)
	var solved mat.VecDense
	for i := range query.Rows {
		index, value := basis(query.Row(i), m.signals)
		dense.Zero()
		for a, k := range index {
			dense.SetVec(k, value[a])
		}
		if err := root.SolveVecTo(&solved, dense); err != nil {
			return p, err
		}
		v, mu := mat.Dot(dense, &solved), mat.Dot(dense, mean)
		p.Own = append(p.Own, function{evaluate.Normal{Mu: mu, Sigma: math.Sqrt(v)}})
		p.PPDs = append(p.PPDs, evaluate.Normal{Mu: mu, Sigma: math.Sqrt(v + noiseVariance)})
	}
	return p, nil
}

// function is the posterior of the mean function at a row, an [amp.Own].
type function struct{ mean evaluate.Normal }

// Of returns the posterior of a mean or quantile, which is that of the mean function, moved.
func (p function) Of(f amp.Functional) amp.Marginal { return moved{p.mean, noiseShift(f)} }

// moved is a normal distribution moved to the right.
type moved struct {
	evaluate.Normal
	by float64
}

// Quantile returns the moved quantile.
func (m moved) Quantile(p float64) float64 { return m.Normal.Quantile(p) + m.by }

// noiseShift is the functional of the noise: the distance of a mean or quantile of a label's
// distribution from its mean.
func noiseShift(f amp.Functional) float64 {
	return f.Point(evaluate.Normal{Sigma: math.Sqrt(noiseVariance)})
}
