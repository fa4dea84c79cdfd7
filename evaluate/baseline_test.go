package evaluate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/pfn"
)

// line is y = 3 + 2 x₁ - x₂ + noise of a fixed pattern.
func line(noise float64) pfn.Training {
	d := pfn.Training{X: matrix.New(40, 2), Y: make([]float64, 40)}
	for i := range d.Y {
		x1, x2 := math.Sin(float64(3*i)), math.Cos(float64(5*i*i))
		d.X.Data[2*i], d.X.Data[2*i+1] = x1, x2
		d.Y[i] = 3 + 2*x1 - x2 + noise*math.Sin(float64(11*i*i+1))
	}
	return d
}

// For the λ that it chooses, ridge solves the normal equations, and its variance is that of its
// documentation.
func TestRidgeSolvesTheNormalEquations(t *testing.T) {
	d := line(1.5)
	x := newDesign(d).matrix(d.X)
	f, err := fitRidge(x, d.Y)
	must.Succeed(t, err)
	var svd mat.SVD
	svd.Factorize(x, mat.SVDThin)
	first := svd.Values(nil)[0]
	lambda := 1/f.shrunk[0] - first*first
	gram := mat.NewDense(2, 2, nil)
	gram.Mul(x.T(), x)
	for j := range 2 {
		gram.Set(j, j, gram.At(j, j)+lambda)
	}
	var right, beta mat.VecDense
	right.MulVec(x.T(), mat.NewVecDense(len(d.Y), d.Y))
	must.Succeed(t, beta.SolveVec(gram, &right))
	for j, b := range f.beta {
		if math.Abs(b-beta.AtVec(j)) > 1e-9 {
			t.Errorf("β%d = %g, want %g", j, b, beta.AtVec(j))
		}
	}
	var solved mat.VecDense
	row := mat.NewVecDense(2, x.RawRowView(7))
	must.Succeed(t, solved.SolveVec(gram, row))
	want := f.sigma * math.Sqrt(1+1.0/40+mat.Dot(row, &solved))
	if got := f.at(x.RawRowView(7)).Sigma; math.Abs(got-want) > 1e-9 {
		t.Errorf("σ = %g, want %g", got, want)
	}
}

// What does not vary and what is missing is no obstacle; a category has its own mean.
func TestRidgeOfOddFeatures(t *testing.T) {
	nan := math.NaN()
	train := pfn.Training{X: Matrix{Rows: 6, Cols: 3, Data: []float64{
		0, 5, nan, 0, 5, nan, 0, 5, nan, 1, 5, nan, 1, 5, nan, 1, 5, nan}},
		Categorical: []bool{true, false, false}, Y: []float64{1, 1.1, 0.9, 9, 9.1, 8.9}}
	query := Matrix{Rows: 3, Cols: 3, Data: []float64{0, nan, 1, 1, 7, nan, -1, 5, nan}}
	p, err := Ridge{}.Predict(t.Context(), train, query)
	must.Succeed(t, err)
	for i, want := range []float64{1, 9} {
		if got := p[i].PPD.Mean(); math.Abs(got-want) > 0.1 {
			t.Errorf("row %d: %g, want %g", i, got, want)
		}
	}
	none := pfn.Training{X: Matrix{Rows: 3}, Y: []float64{1, 2, 6}}
	if p, err = (Ridge{}).Predict(t.Context(), none, Matrix{Rows: 1}); err != nil ||
		math.Abs(p[0].PPD.Mean()-3) > 1e-12 {
		t.Errorf("without features: %v, %v, want the mean", p, err)
	}
}

// The scores of a sample are those of its definition.
func TestEmpirical(t *testing.T) {
	e := NewEmpirical([]float64{1, 0})
	for _, c := range []struct{ got, want float64 }{
		{e.CRPS(0), 0.25}, {e.CRPS(0.5), 0.25}, {e.CRPS(3), 2.25}, {e.Mean(), 0.5},
		{e.CDF(-1), 0}, {e.CDF(0), 0.5}, {e.CDF(1), 1}, {e.Quantile(0.5), 0}, {e.Quantile(0.51), 1},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%g, want %g", c.got, c.want)
		}
	}
	sum, step := 0.0, 0.001
	for y := -10.0; y < 11; y += step {
		sum += step * math.Exp(e.LogDensity(y))
	}
	if math.Abs(sum-1) > 1e-6 {
		t.Errorf("the density integrates to %g", sum)
	}
}

func TestNormalWithoutSpread(t *testing.T) {
	for y, want := range map[float64]float64{3: 2, 1: 0, -4: 5} {
		if got := (Normal{Mu: 1}).CRPS(y); got != want {
			t.Errorf("CRPS of %g: %g, want %g", y, got, want)
		}
	}
}
