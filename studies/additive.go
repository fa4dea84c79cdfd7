package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/pfn"
)

// additive is the data-generating process of the publication's simulation study (section 5.1):
//
//	Y | x ~ N(Σ_{j<=J} B(x_j)ᵀ θ_j, 1),  θ_j ~ N(0, 2 I),  x uniform on [0, 1]^d
//
// with a cubic B-spline basis B of 20 functions for each of the first J features; the other
// features are noise.
type additive struct {
	features int // d, at least 1
	signals  int // J, 1 to d
}

const (
	priorVariance = 2.0 // of a spline coefficient
	noiseVariance = 1.0 // of a label
)

// additiveLaws are the publication's: d ∈ {1, 10, 20}, J ∈ {⌈d/2⌉, d}.
var additiveLaws = []additive{{1, 1}, {10, 5}, {10, 10}, {20, 10}, {20, 20}}

// onGrid makes one cell per law and n ∈ {50, 100, 200, 400, 800} rows, with the methods of each.
func onGrid(methods func(setting, additive) []evaluate.Method) func(setting) []evaluate.Cell {
	return func(set setting) []evaluate.Cell {
		var cells []evaluate.Cell
		for _, a := range additiveLaws {
			for _, n := range []int{50, 100, 200, 400, 800} {
				p := a.place(n, medianAndQ90(), func(random *rand.Rand) evaluate.Matrix {
					return a.points(random, set.points)
				})
				p.key = p.stream
				p.params = []evaluate.Param{{Name: "d", Value: a.features},
					{Name: "J", Value: a.signals}, {Name: "n", Value: n}}
				cells = append(cells,
					p.cell(set, func() []evaluate.Method { return methods(set, a) }))
			}
		}
		return cells
	}
}

// effectPoints is the number of equidistant features at which an effect is drawn.
const effectPoints = 200

// effectCells is figure 1: one data set with one feature per number of rows, credible bands of the
// median, and their coverage and width along the feature.
func effectCells(set setting) []evaluate.Cell {
	query := evaluate.Matrix{Rows: effectPoints, Cols: 1}
	for i := range effectPoints {
		query.Data = append(query.Data, (float64(i)+0.5)/effectPoints)
	}
	a := additiveLaws[0]
	var cells []evaluate.Cell
	for _, n := range []int{50, 200, 800} {
		p := a.place(n, medianAndQ90()[:1], func(*rand.Rand) evaluate.Matrix { return query })
		p.key, p.stream, p.one = fmt.Sprintf("n%d", n), "effect/"+p.stream, true
		p.params = []evaluate.Param{{Name: "n", Value: n}}
		cells = append(cells,
			p.cell(set, func() []evaluate.Method { return simulationMethods(set, a) }))
	}
	return cells
}

// place is a cell whose data sets have query rows drawn before the n training rows. The functionals
// must be means or quantiles.
func (a additive) place(
	n int, functionals []amp.Functional, query func(*rand.Rand) evaluate.Matrix,
) place {
	stream := fmt.Sprintf("d%d-J%d-n%d", a.features, a.signals, n)
	return place{stream: stream, exact: a.signals, draw: func(random *rand.Rand) sample {
		s := sample{query: query(random)}
		var means []float64
		s.train, means = a.draw(random, n, s.query)
		for _, f := range functionals {
			one := evaluate.Asked{Name: f.String(), Functional: f, Unit: 1}
			for _, mean := range means {
				one.Values = append(one.Values, mean+noiseShift(f))
			}
			s.asked = append(s.asked, one)
		}
		return s
	}}
}

// draw simulates a training table of n rows with fresh coefficients, and returns the true
// conditional means of the query rows, which are the medians too.
func (a additive) draw(
	random *rand.Rand, n int, query evaluate.Matrix,
) (train pfn.Training, means []float64) {
	theta := make([]float64, a.signals*splineSize)
	for i := range theta {
		theta[i] = math.Sqrt(priorVariance) * random.NormFloat64()
	}
	train.X = a.points(random, n)
	train.Y = a.means(theta, train.X)
	for i := range train.Y {
		train.Y[i] += math.Sqrt(noiseVariance) * random.NormFloat64()
	}
	return train, a.means(theta, query)
}

// points draws rows of features.
func (a additive) points(random *rand.Rand, rows int) evaluate.Matrix {
	m := evaluate.Matrix{Rows: rows, Cols: a.features, Data: make([]float64, rows*a.features)}
	for i := range m.Data {
		m.Data[i] = random.Float64()
	}
	return m
}

// means returns Σ_j B(x_j)ᵀ θ_j of every row.
func (a additive) means(theta []float64, m evaluate.Matrix) []float64 {
	means := make([]float64, m.Rows)
	for i := range means {
		index, value := basis(m.Row(i), a.signals)
		for k, b := range value {
			means[i] += b * theta[index[k]]
		}
	}
	return means
}
