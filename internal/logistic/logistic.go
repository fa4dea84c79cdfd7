// Package logistic fits logistic regressions with a ridge penalty.
package logistic

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const (
	steps     = 30   // of Newton's method, at most
	leastGain = 1e-9 // of a step, by row
	leastBend = 1e-9 // of the intercept, beside that of the rows
	leastLeft = 0.01 // least value of 1 - leverage
)

// Fit returns the coefficients with the smallest penalised loss by Newton's method, halving steps
// that do not help. It begins at those given, or at 0.
//
//	min -Σ_i log p(label_i | x_i) + ½ λ |b|²
//
// The first column of x is that of ones, and has no penalty.
func Fit(x *mat.Dense, label []bool, penalty float64, start []float64) []float64 {
	w := make([]float64, x.RawMatrix().Cols)
	copy(w, start)
	now := loss(x, label, penalty, w)
	for range steps {
		b, ok := bentAt(x, label, penalty, w)
		var step mat.VecDense
		if !ok || b.factor.SolveVecTo(&step, b.slope) != nil {
			return w
		}
		next, size, improved := make([]float64, len(w)), 1.0, now
		for range 20 {
			floats.AddScaledTo(next, w, -size, step.RawVector().Data)
			if improved = loss(x, label, penalty, next); improved <= now {
				break
			}
			size /= 2
		}
		if !(improved < now-leastGain*float64(len(label))) {
			return w
		}
		w, now = next, improved
	}
	return w
}

// LeaveOut returns the log odds of every row by a regression with coefficients w that has not read
// it. With the leverage h_i they are nearly
//
//	z_i + h_i / (1 - h_i) (p_i - y_i) / (p_i (1 - p_i)).
//
// Source: Rahnama Rad & Maleki (2020), A scalable estimate of the out-of-sample prediction error
// via approximate leave-one-out cross-validation, Journal of the Royal Statistical Society B 82.
func LeaveOut(x *mat.Dense, label []bool, penalty float64, w []float64) []float64 {
	b, ok := bentAt(x, label, penalty, w)
	if !ok {
		return b.odds
	}
	var root mat.TriDense
	var leverages mat.Dense // the squares of a column sum to the leverage of a row
	b.factor.LTo(&root)
	if leverages.Solve(&root, b.scaled.T()) != nil {
		return b.odds
	}
	for i, off := range b.off {
		length := mat.Norm(leverages.ColView(i), 2)
		bend := b.scaled.At(i, 0) * b.scaled.At(i, 0)
		b.odds[i] += length * length / max(1-length*length, leastLeft) * off / max(bend, leastBend)
	}
	return b.odds
}

// Loss returns the log loss of log odds.
func Loss(odds float64, label bool) float64 {
	if label {
		odds = -odds
	}
	return math.Max(odds, 0) + math.Log1p(math.Exp(-math.Abs(odds)))
}

// loss is the function that is minimised.
func loss(x *mat.Dense, label []bool, penalty float64, w []float64) float64 {
	var odds mat.VecDense
	odds.MulVec(x, mat.NewVecDense(len(w), w))
	sum := penalty * floats.Dot(w[1:], w[1:]) / 2
	for i, in := range label {
		sum += Loss(odds.AtVec(i), in)
	}
	return sum
}

// bent is the loss near some coefficients.
type bent struct {
	odds, off []float64  // by row: x w and p - y
	scaled    *mat.Dense // rows times the roots of p (1 - p)
	slope     *mat.VecDense
	factor    mat.Cholesky // of the second derivatives
}

func bentAt(x *mat.Dense, label []bool, penalty float64, w []float64) (b *bent, ok bool) {
	n, m := x.Dims()
	b = &bent{make([]float64, n), make([]float64, n), mat.NewDense(n, m, nil),
		mat.NewVecDense(m, nil), mat.Cholesky{}}
	mat.NewVecDense(n, b.odds).MulVec(x, mat.NewVecDense(m, w))
	for i, in := range label {
		p := 1 / (1 + math.Exp(-b.odds[i]))
		floats.ScaleTo(b.scaled.RawRowView(i), math.Sqrt(p*(1-p)), x.RawRowView(i))
		if b.off[i] = p; in {
			b.off[i]--
		}
	}
	b.slope.MulVec(x.T(), mat.NewVecDense(n, b.off))
	var bends mat.SymDense
	bends.SymOuterK(1, b.scaled.T())
	bends.SetSym(0, 0, bends.At(0, 0)+leastBend)
	for k := 1; k < m; k++ {
		b.slope.SetVec(k, b.slope.AtVec(k)+penalty*w[k])
		bends.SetSym(k, k, bends.At(k, k)+penalty)
	}
	return b, b.factor.Factorize(&bends)
}
