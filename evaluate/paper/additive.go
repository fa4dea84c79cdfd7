package paper

import (
	"math"
	"math/rand/v2"

	"github.com/pfnamp/pfnamp/evaluate"
)

// Additive is the data-generating process of the paper's simulation study (section 5.1):
//
//	Y | x ~ N(Σ_{j<=J} B(x_j)ᵀ θ_j, 1),  θ_j ~ N(0, 2 I),  x uniform on [0, 1]^d
//
// with a cubic B-spline basis B of 20 functions for each of the first J features; the other
// features are noise.
type Additive struct {
	Features int // d, at least 1
	Signals  int // J, 1 to d
}

const (
	priorVariance = 2.0 // of a spline coefficient
	noiseVariance = 1.0 // of a label
)

// Draw is one simulated data set.
type Draw struct {
	Train evaluate.Data
	Query evaluate.Matrix
	Mean  []float64 // the true conditional mean and median of the query rows; the noise is N(0, 1)
}

// Draw simulates a training table of rows with fresh coefficients, and the truth at query rows.
func (a Additive) Draw(stream *rand.Rand, rows int, query evaluate.Matrix) Draw {
	theta := make([]float64, a.Signals*splineSize)
	for i := range theta {
		theta[i] = math.Sqrt(priorVariance) * stream.NormFloat64()
	}
	d := Draw{Query: query}
	d.Train.Matrix = a.Points(stream, rows)
	d.Train.Y = a.means(theta, d.Train.Matrix)
	for i := range d.Train.Y {
		d.Train.Y[i] += math.Sqrt(noiseVariance) * stream.NormFloat64()
	}
	d.Mean = a.means(theta, d.Query)
	return d
}

// Points draws rows of features.
func (a Additive) Points(stream *rand.Rand, rows int) evaluate.Matrix {
	m := evaluate.Matrix{Rows: rows, Cols: a.Features, Data: make([]float64, rows*a.Features)}
	for i := range m.Data {
		m.Data[i] = stream.Float64()
	}
	return m
}

// means returns Σ_j B(x_j)ᵀ θ_j of every row.
func (a Additive) means(theta []float64, m evaluate.Matrix) []float64 {
	means := make([]float64, m.Rows)
	for i := range means {
		for j := range a.Signals {
			s := splineAt(m.Row(i)[j])
			for k, b := range s.values {
				means[i] += b * theta[j*splineSize+s.first+k]
			}
		}
	}
	return means
}
