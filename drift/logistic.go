package drift

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// penalty is the weight of the squared coefficients, a row of evidence each; the intercept has
// none.
const penalty = 4

// logistic fits a logistic regression with a ridge penalty by Newton's method, halving steps that
// do not help:
//
//	min -Σ_i log p(label_i | x_i) + ½ λ |b|²
//
// The first column of x is that of ones.
func logistic(x *mat.Dense, label []bool) []float64 {
	n, p := x.Dims()
	w := make([]float64, p)
	loss := logisticLoss(x, label, w)
	gradient, hessian := mat.NewVecDense(p, nil), mat.NewSymDense(p, nil)
	for range 30 {
		logisticSlope(x, label, w, gradient, hessian)
		var factor mat.Cholesky
		var step mat.VecDense
		if !factor.Factorize(hessian) || factor.SolveVecTo(&step, gradient) != nil {
			return w
		}
		next, size, improved := make([]float64, p), 1.0, loss
		for range 20 {
			for k := range next {
				next[k] = w[k] - size*step.AtVec(k)
			}
			if improved = logisticLoss(x, label, next); improved <= loss {
				break
			}
			size /= 2
		}
		if !(improved < loss-1e-9*float64(n)) {
			return w
		}
		copy(w, next)
		loss = improved
	}
	return w
}

// linear is the log-odds of a row.
func linear(row, w []float64) float64 {
	sum := 0.0
	for k, v := range row {
		sum += v * w[k]
	}
	return sum
}

// logisticLoss is the function that is minimised.
func logisticLoss(x *mat.Dense, label []bool, w []float64) float64 {
	sum := 0.0
	for i, in := range label {
		z := linear(x.RawRowView(i), w)
		if in {
			z = -z
		}
		sum += math.Max(z, 0) + math.Log1p(math.Exp(-math.Abs(z)))
	}
	for _, b := range w[1:] {
		sum += penalty * b * b / 2
	}
	return sum
}

// logisticSlope sets its gradient and second derivatives.
func logisticSlope(x *mat.Dense, label []bool, w []float64, g *mat.VecDense, h *mat.SymDense) {
	p := len(w)
	slope, curve := make([]float64, p), make([]float64, p*p)
	for i, in := range label {
		row := x.RawRowView(i)
		q := 1 / (1 + math.Exp(-linear(row, w)))
		off := q
		if in {
			off--
		}
		for k, v := range row {
			slope[k] += off * v
			s := q * (1 - q) * v
			to := curve[k*p:]
			for l := k; l < p; l++ {
				to[l] += s * row[l]
			}
		}
	}
	for k := range p {
		add := 1e-9
		if k > 0 {
			slope[k] += penalty * w[k]
			add = penalty
		}
		g.SetVec(k, slope[k])
		curve[k*p+k] += add
		for l := k; l < p; l++ {
			h.SetSym(k, l, curve[k*p+l])
		}
	}
}
