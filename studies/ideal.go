package main

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/pfn"
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
	ctx context.Context, train pfn.Training, query evaluate.Matrix,
) (rows []amp.Prediction, err error) {
	phi := m.design(train.X)
	var precision mat.SymDense
	precision.SymOuterK(1/noiseVariance, phi.T())
	for i := range precision.SymmetricDim() {
		precision.SetSym(i, i, precision.At(i, i)+1/priorVariance)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var root mat.Cholesky
	if !root.Factorize(&precision) {
		return nil, errors.New("the exact model's precision is not positive definite")
	}
	var moment, mean, solved mat.VecDense
	moment.MulVec(phi.T(), mat.NewVecDense(len(train.Y), train.Y))
	moment.ScaleVec(1/noiseVariance, &moment)
	if err := root.SolveVecTo(&mean, &moment); err != nil {
		return nil, err
	}
	asked := m.design(query)
	for i := range query.Rows {
		b := asked.RowView(i)
		if err := root.SolveVecTo(&solved, b); err != nil {
			return nil, err
		}
		v, mu := mat.Dot(b, &solved), mat.Dot(b, &mean)
		rows = append(rows, amp.Prediction{Own: function{evaluate.Normal{Mu: mu, Sigma: math.Sqrt(v)}},
			PPD: evaluate.Normal{Mu: mu, Sigma: math.Sqrt(v + noiseVariance)}})
	}
	return rows, nil
}

// design has the basis values of rows.
func (m ideal) design(x evaluate.Matrix) *mat.Dense {
	phi := mat.NewDense(x.Rows, m.signals*splineSize, nil)
	for i := range x.Rows {
		index, value := basis(x.Row(i), m.signals)
		for a, k := range index {
			phi.Set(i, k, value[a])
		}
	}
	return phi
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
