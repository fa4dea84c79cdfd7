package main

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/pfn"
)

// law is the distribution of the noise of a family.
type law interface {
	CDF(x float64) float64
	Quantile(p float64) float64
	Mean() float64
	StdDev() float64
}

// family is a kind of functions of d >= 2 features that the embedded network was not trained on,
// with its noise
//
//	y = f(x) + s(x) e,  e from the law.
type family struct {
	name   string
	law    law
	uneven bool // s(x) ∝ exp(x_1 / 2); otherwise s is constant
	draw   func(random *rand.Rand, features int) func(x []float64) float64
}

// families lists the families.
func families() []family {
	normal, logistic := distuv.UnitNormal, distuv.Logistic{S: 1}
	t5, gamma := distuv.StudentsT{Sigma: 1, Nu: 5}, distuv.Gamma{Alpha: 2, Beta: 1}
	return []family{
		{name: "linear", law: normal, draw: linear},
		{name: "nothing", law: normal, uneven: true, draw: nothing},
		{name: "quadratic", law: logistic, draw: quadratic},
		{name: "wave", law: t5, draw: wave},
		{name: "friedman", law: normal, draw: friedman},
		{name: "tiles", law: normal, draw: tiles},
		{name: "splines", law: normal, draw: splines},
		{name: "bumps", law: logistic, draw: bumps},
		{name: "growth", law: gamma, uneven: true, draw: growth},
		{name: "hinges", law: t5, draw: hinges},
	}
}

// world is one data set of a family with the truth at its query rows.
type world struct {
	train pfn.Training
	query evaluate.Matrix
	f, s  []float64 // of the query rows
	law   law
}

// points draws rows of features, which are normal, or uniform on [-1.7, 1.7].
func points(random *rand.Rand, rows, features int) evaluate.Matrix {
	x := evaluate.Matrix{Rows: rows, Cols: features, Data: make([]float64, rows*features)}
	uniform := random.Float64() < 0.5
	for i := range x.Data {
		if uniform {
			x.Data[i] = 1.7 * (2*random.Float64() - 1)
		} else {
			x.Data[i] = random.NormFloat64()
		}
	}
	return x
}

// world draws a data set. f has the standard deviation one over all rows, and the noise that of
// `noise`.
func (k family) world(random *rand.Rand, features, rows, queries int, noise float64) world {
	x := points(random, rows+queries, features)
	f, s := k.truth(k.draw(random, features), x, noise)
	y := make([]float64, rows)
	for i := range y {
		y[i] = f[i] + s[i]*k.law.Quantile(random.Float64())
	}
	train, query := divided(x, rows)
	return world{pfn.Training{X: train, Y: y}, query, f[rows:], s[rows:], k.law}
}

// divided are the first rows and the others.
func divided(x evaluate.Matrix, rows int) (train, query evaluate.Matrix) {
	cut := rows * x.Cols
	return evaluate.Matrix{Rows: rows, Cols: x.Cols, Data: x.Data[:cut]},
		evaluate.Matrix{Rows: x.Rows - rows, Cols: x.Cols, Data: x.Data[cut:]}
}

// truth returns f and s of the rows.
func (k family) truth(
	at func([]float64) float64, x evaluate.Matrix, noise float64,
) (f, s []float64) {
	f, s = make([]float64, x.Rows), make([]float64, x.Rows)
	for i := range f {
		f[i], s[i] = at(x.Row(i)), noise/k.law.StdDev()
		if k.uneven {
			s[i] *= math.Exp(x.Row(i)[0] / 2)
		}
	}
	mean, deviation := stat.MeanStdDev(f, nil)
	if deviation > 0 {
		for i := range f {
			f[i] = (f[i] - mean) / deviation
		}
	}
	return f, s
}

// mean, quantile and exceeds are the true functionals of query row i.
func (w world) mean(i int) float64 { return w.f[i] + w.s[i]*w.law.Mean() }

func (w world) quantile(i int, u float64) float64 { return w.f[i] + w.s[i]*w.law.Quantile(u) }

func (w world) exceeds(i int, t float64) float64 { return 1 - w.law.CDF((t-w.f[i])/w.s[i]) }
