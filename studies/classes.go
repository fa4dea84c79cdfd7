package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/pfn"
)

// classCells measures credible intervals of the probabilities of classes where these are known: the
// ten families of functions, numbers of features, rows and classes.
func classCells(set setting) []evaluate.Cell {
	set.Refits = 0
	methods := set.Methods(true)
	var cells []evaluate.Cell
	for _, k := range families() {
		for _, d := range []int{2, 5, 10} {
			for _, n := range []int{50, 200, 800} {
				for _, classes := range []int{2, 4} {
					p := k.place(d, n, evaluate.Param{Name: "classes", Value: classes})
					p.key += fmt.Sprintf("-k%d", classes)
					p.stream = "classes/" + p.key
					p.draw = func(random *rand.Rand) sample {
						w := k.classWorld(random, [3]int{d, n, classes}, set.points)
						return sample{w.train, w.query, w.asked(), w.compare}
					}
					cells = append(cells, p.cell(set, func() []evaluate.Method { return methods }))
				}
			}
		}
	}
	return cells
}

// classWorld is one data set with the true probabilities at its query rows.
type classWorld struct {
	train pfn.Training
	query evaluate.Matrix
	p     [][]float64 // by query row
}

// classWorld draws a data set whose size is its features, rows and classes: with f_k functions of
// the family, of standard deviation one over all rows,
//
//	p_k(x) ∝ exp(c f_k(x) + o_k),  log c ~ U(0, log 5),  o_k ~ N(0, ½),
//
// of two classes with f_0 = o_0 = 0. Every class has a row: labels are drawn until it is so, and
// after 100 times the last rows are given to the classes that still lack one.
func (k family) classWorld(random *rand.Rand, size [3]int, queries int) classWorld {
	features, rows, classes := size[0], size[1], size[2]
	x := points(random, rows+queries, features)
	sharp := math.Exp(random.Float64() * math.Log(5))
	all := make([][]float64, x.Rows)
	for i := range all {
		all[i] = make([]float64, classes)
	}
	for c := range classes {
		offset := random.NormFloat64() * math.Sqrt(0.5)
		f, _ := k.truth(k.draw(random, features), x, 1)
		for i := range all {
			if c > 0 || classes > 2 {
				all[i][c] = sharp*f[i] + offset
			}
		}
	}
	for _, z := range all {
		total := floats.LogSumExp(z)
		for c := range z {
			z[c] = math.Exp(z[c] - total)
		}
	}
	train, query := divided(x, rows)
	return classWorld{pfn.Training{X: train, Y: labels(random, all[:rows])}, query, all[rows:]}
}

// labels draws labels of all classes.
func labels(random *rand.Rand, p [][]float64) []float64 {
	y := make([]float64, len(p))
	for range 100 {
		for i, row := range p {
			u := random.Float64()
			k := 0
			for ; k < len(row)-1 && u >= row[k]; k++ {
				u -= row[k]
			}
			y[i] = float64(k)
		}
		if lacking(y, len(p[0])) == nil {
			return y
		}
	}
	for i, k := range lacking(y, len(p[0])) {
		y[len(y)-1-i] = float64(k)
	}
	return y
}

// lacking lists the classes without a row.
func lacking(y []float64, classes int) (all []int) {
	for k := range classes {
		if !slices.Contains(y, float64(k)) {
			all = append(all, k)
		}
	}
	return all
}

// asked lists the probabilities under one name: of two classes the second one's, else all.
func (w classWorld) asked() (all []evaluate.Asked) {
	classes, name := len(w.p[0]), fmt.Sprintf("p of %d classes", len(w.p[0]))
	for k := range classes {
		if classes == 2 && k == 0 {
			continue
		}
		one := evaluate.Asked{Name: name, Functional: amp.Class(k), Unit: 1}
		for _, p := range w.p {
			one.Values = append(one.Values, p[k])
		}
		all = append(all, one)
	}
	return all
}

// compare counts how far predicted probabilities are from the true ones at every row: the mean
// absolute error, and the excess log loss Σ_k p_k log(p_k/q_k) (Kullback and Leibler 1951).
func (w classWorld) compare(tally *evaluate.Tally, t *evaluate.Task) {
	for row, said := range t.Predictions {
		q, off, excess := said.PPD.(distr.Classes), 0.0, 0.0
		for k, p := range w.p[row] {
			off += math.Abs(p-q[k]) / float64(len(q))
			if p > 0 {
				excess += p * math.Log(p/max(q[k], 1e-15))
			}
		}
		tally.Add(evaluate.MethodPPD, "", "error", off)
		tally.Add(evaluate.MethodPPD, "", "excess_log_loss", excess)
	}
}
