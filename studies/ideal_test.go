package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/must"
)

// The basis sums to one, is not negative, and a spline with coefficients at the Greville points
// is the identity.
func TestSplineBasis(t *testing.T) {
	for _, x := range []float64{0, 1e-9, 0.2, 1. / 17, 0.5, 0.93, 1} {
		s := splineAt(x)
		sum, line := 0.0, 0.0
		for k, b := range s.values {
			i := s.first + k // between the knots i-2 .. i of its inner ones
			greville := (splineKnot(i-2) + splineKnot(i-1) + splineKnot(i)) / 3
			sum += b
			line += b * greville
			if b < 0 {
				t.Errorf("x = %v: value %v", x, b)
			}
		}
		if math.Abs(sum-1) > 1e-14 || math.Abs(line-x) > 1e-14 {
			t.Errorf("x = %v: sum %v, identity %v", x, sum, line)
		}
		if s.first < 0 || s.first+splineDegree >= splineSize {
			t.Errorf("x = %v: first function %d", x, s.first)
		}
	}
}

// One feature without repetition: the posterior is that of a Gaussian process with the basis'
// covariance, computed from the labels' covariance matrix instead of the coefficients'.
func TestIdealIsAGaussianProcess(t *testing.T) {
	law, random := additive{features: 2, signals: 2}, rand.New(rand.NewPCG(1, 2))
	q := law.points(random, 1)
	train, _ := law.draw(random, 3, q)
	kernel := func(a, b []float64) float64 {
		sum := 0.0
		for j := range 2 {
			s, u := splineAt(a[j]), splineAt(b[j])
			for k, x := range s.values {
				for l, y := range u.values {
					if s.first+k == u.first+l {
						sum += priorVariance * x * y
					}
				}
			}
		}
		return sum
	}
	p, err := ideal{2}.Predict(t.Context(), train, q)
	must.Succeed(t, err)
	k, cross := mat.NewDense(3, 3, nil), mat.NewVecDense(3, nil)
	for i := range 3 {
		for j := range 3 {
			k.Set(i, j, kernel(train.X.Row(i), train.X.Row(j)))
		}
		k.Set(i, i, k.At(i, i)+noiseVariance)
		cross.SetVec(i, kernel(q.Row(0), train.X.Row(i)))
	}
	var w mat.VecDense
	must.Succeed(t, w.SolveVec(k, cross))
	mean := mat.Dot(&w, mat.NewVecDense(3, train.Y))
	variance := kernel(q.Row(0), q.Row(0)) - mat.Dot(&w, cross)
	if got := p[0].PPD.(evaluate.Normal); math.Abs(got.Mu-mean) > 1e-9 ||
		math.Abs(got.Sigma-math.Sqrt(variance+1)) > 1e-9 {
		t.Errorf("predictive distribution %v, want N(%v, %v)", got, mean, variance+1)
	}
}
