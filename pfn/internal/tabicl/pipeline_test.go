package tabicl

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

var nan = math.NaN()

// near compares within a tolerance relative to max(1, |want|).
func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= 1e-7*max(1, math.Abs(w))) {
			t.Errorf("%s: value %d is %.12g, want %.12g", what, i, got[i], w)
		}
	}
}

func TestEncoder(t *testing.T) {
	x := matrix.Matrix{Rows: 4, Cols: 5, Data: []float64{
		1, 0, nan, 7, nan,
		nan, 1, nan, 7, 2,
		3, nan, nan, 7, 2,
		5, 1, nan, 7, 2}}
	e := FitEncoder(x, []bool{false, true, false, false, false}, false)
	if e.Width() != 2 {
		t.Fatalf("%d columns, want the categorical one and the first", e.Width())
	}
	near(t, "encoded", e.Encode(x).Data, []float64{0, 1, 1, 3, -1, 3, 1, 5})
	query := matrix.Matrix{Rows: 1, Cols: 5, Data: []float64{nan, nan, 1, 2, 3}}
	near(t, "encoded query", e.Encode(query).Data,
		[]float64{-1, 3})
	one := FitEncoder(matrix.Matrix{Rows: 1, Cols: 3, Data: []float64{1, 2, nan}},
		make([]bool, 3), false)
	if one.Width() != 3 {
		t.Errorf("one row keeps %d of 3 columns", one.Width())
	}
	flat := matrix.Matrix{Rows: 2, Cols: 1, Data: []float64{3, 3}}
	if tr, _ := Fit(flat, []bool{false}, nil, Preset{}); tr != nil {
		t.Error("a table that does not vary has a transformer")
	}
}

func TestTarget(t *testing.T) {
	target := FitTarget([]float64{1, 2, 3, 6})
	if target.Mean != 3 || math.Abs(target.SD-math.Sqrt(3.5)) > 1e-15 || target.Constant {
		t.Errorf("mean %g, deviation %g", target.Mean, target.SD)
	}
	for _, scale := range []float64{1e300, 1e-300, math.SmallestNonzeroFloat64, 1e-160} {
		y := []float64{1 * scale, -2 * scale, 4 * scale}
		target := FitTarget(y)
		z := target.Standardize(y)
		for i, want := range FitTarget([]float64{1, -2, 4}).Standardize([]float64{1, -2, 4}) {
			if math.Abs(float64(z[i]-want)) > 1e-6 {
				t.Errorf("scale %g: value %d is %g, want %g", scale, i, z[i], want)
			}
		}
	}
	for _, y := range [][]float64{{5}, {0.1, 0.1, 0.1}, {1e9, 1e9 * (1 + 1e-16)}, {0, 0}} {
		if target := FitTarget(y); !target.Constant || target.Mean != y[0] || target.SD != 1 {
			t.Errorf("%v is not constant: %+v", y, target)
		}
	}
	if FitTarget([]float64{1e9, 1e9 + 1}).Constant || FitTarget([]float64{1e-9, 2e-9}).Constant {
		t.Error("a target that varies is constant")
	}
}

// A large offset of the target does not matter as long as float64 has digits for the rest.
func TestTargetOffset(t *testing.T) {
	var near, far []float64
	for i := range 200 {
		near = append(near, float64(i*i%97)/8)
		far = append(far, 1e15+near[i])
	}
	moved := FitTarget(far)
	for i, want := range FitTarget(near).Standardize(near) {
		if got := moved.Standardize(far)[i]; math.Abs(float64(got-want)) > 1e-6 {
			t.Fatalf("value %d is %g, want %g", i, got, want)
		}
	}
	if math.Abs(moved.Mean-1e15) > 13 || moved.Constant {
		t.Errorf("mean %g, constant %v", moved.Mean, moved.Constant)
	}
	for i := range far {
		far[i] = 1e17 + 16*near[i] // neighbouring numbers are 16 apart
	}
	if target := FitTarget(far); !target.Constant {
		t.Errorf("too few digits: %+v", target)
	}
}

// Finite input of any magnitude gives finite tensors, also for query values far from the context.
func TestExtremeFeatures(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	scales := []float64{0, 5e-324, 1e-300, 1e-9, 1, 1e9, 1e200, 1e300, math.MaxFloat64}
	x, query := matrix.New(40, len(scales)), matrix.New(20, len(scales))
	for i := range x.Data {
		x.Data[i] = (2*r.Float64() - 1) * scales[i%len(scales)]
	}
	for i := range query.Data {
		query.Data[i] = math.Copysign(scales[r.IntN(len(scales))], r.NormFloat64())
	}
	tr, _ := Fit(x, make([]bool, x.Cols), nil, classPreset(4, 42, 0))
	if tr.Width() != len(scales)-1 {
		t.Errorf("%d columns are left, want all but the constant one", tr.Width())
	}
	for _, table := range []matrix.Matrix{x, query} {
		for i, v := range slices.Concat(tr.Queries(table)...) {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				t.Fatalf("value %d is %g", i, v)
			}
		}
	}
}

// The unit of a feature does not matter, down to units in which its deviation is far below 1e-6.
func TestUnitsOfFeatures(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	x, small := matrix.New(50, 1), matrix.New(50, 1)
	for i := range x.Data {
		x.Data[i] = r.ExpFloat64()
		small.Data[i] = 1e-12 * x.Data[i]
	}
	for _, norm := range bothNorms {
		a, b := FitPipeline(x, norm, 4, nil).Apply(x), FitPipeline(small, norm, 4, nil).Apply(small)
		for i := range a.Data {
			if math.Abs(a.Data[i]-b.Data[i]) > 1e-5*max(1, math.Abs(a.Data[i])) {
				t.Errorf("%s: row %d is %g, in small units %g", norm, i, a.Data[i], b.Data[i])
			}
		}
	}
}
