package tabicl

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/pfn/internal/yeojohnson"
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

func TestYeoJohnson(t *testing.T) {
	cases := []struct {
		x      []float64
		lambda float64   // scipy.stats.yeojohnson_normmax(x), SciPy 1.17.1
		want   []float64 // scipy.stats.yeojohnson(x, lambda)
	}{
		{[]float64{-2, -1, 0, 1, 2, 3, 4}, 0.9192103636589214,
			[]float64{-2.10812858715, -1.03183213883, 0, 0.969397205065, 1.8985916616,
				2.80260483032, 3.68834334413}},
		{[]float64{0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 100}, -0.6189353446535432,
			[]float64{0.0925534389794, 0.172410769625, 0.303746899915, 0.492735090212,
				0.72131625168, 0.95101128073, 1.14755841498, 1.52282177228}},
		{[]float64{-9, -3, -2, -1.5, -1, -0.7, -0.1}, 2.4671459265714146,
			[]float64{-1.41052650854, -1.02045357687, -0.85932521035, -0.7454108104,
				-0.592118469505, -0.469975311958, -0.0932195384307}},
		{[]float64{-1, 1}, 0.9999999604685468, []float64{-1.00000001527, 0.999999984729}},
		{[]float64{0, 0, 0, 5}, -2.0055772516826216, []float64{0, 0, 0, 0.484897016545}},
		{[]float64{-0.5, -0.5, -0.5, -0.4, 4}, -1.7565169132195984,
			[]float64{-0.954764411398, -0.954764411398, -0.954764411398, -0.676004608653,
				0.535611200623}},
	}
	for _, c := range cases {
		lambda := yeoJohnsonLambda(c.x)
		if math.Abs(lambda-c.lambda) > 1e-6 {
			t.Errorf("%v: lambda %.12g, want %.12g", c.x, lambda, c.lambda)
		}
		var got []float64
		for _, x := range c.x {
			got = append(got, yeojohnson.Transform(x, c.lambda))
		}
		near(t, "transform", got, c.want)
	}
}

// Values of Pipeline(norm).fit(x).transform of scripts/reference/regression.py with scikit-learn.
func TestPipelines(t *testing.T) {
	x := matrix.Matrix{Rows: 6, Cols: 2, Data: []float64{1, 5, 2, 5.5, 4, 7, 8, -40, 16, 6, 300, 5}}
	query := matrix.Matrix{Rows: 2, Cols: 2, Data: []float64{3, 1e4, -50, 6}}
	none := FitPipeline(x, None, 4, nil)
	near(t, "none", none.Apply(x).Data, []float64{
		-0.49419441423619975, 0.40578669139668344, -0.4850708250503007, 0.43512066908800995,
		-0.46682364667850257, 0.5231226021619895, -0.43032928993490627, -2.234271300822703,
		-0.35734057644771366, 0.46445464677933646, 2.2337587523476232, 0.40578669139668344})
	near(t, "none, query", none.Apply(query).Data, []float64{
		-0.47594723586440163, 8.996900719812487, -0.9594974627170524, 0.46445464677933646})
	power := FitPipeline(x, Power, 4, nil)
	near(t, "power", power.Apply(x).Data, []float64{
		-0.7638917769865831, 0.1287812281226245, -0.6913764243666152, 0.32595149652893096,
		-0.5510819200646181, 1.0110731594376827, -0.28873945039183074, -2.1327641565920725,
		0.1683389421893842, 0.538177044380209, 2.1267506296202643, 0.1287812281226245})
	near(t, "power, query", power.Apply(query).Data, []float64{
		-0.6204482215145334, 24.727269608644768, -6.4907870531848735, 0.538177044380209})
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
	if tr, _ := Fit(flat, []bool{false}, nil, Preset{Members: 2}); tr != nil {
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

// A row is encoded alike wherever it stands.
func TestTransformIsByRow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	x := matrix.New(30, 4)
	for i := range x.Data {
		x.Data[i] = math.Exp(r.NormFloat64())
		if r.Float64() < 0.1 {
			x.Data[i] = nan
		}
	}
	tr, lesson := Fit(x, []bool{false, false, true, false}, nil, classPreset(4, 42, 0))
	h := tr.Width()
	for i := range x.Rows {
		for b, alone := range tr.Queries(x.Span(i, i+1)) {
			if !slices.Equal(lesson.Rows[b][i*h:(i+1)*h], alone) {
				t.Fatalf("row %d of member %d differs when alone", i, b)
			}
		}
	}
}

func BenchmarkFit(b *testing.B) {
	r := rand.New(rand.NewPCG(4, 4))
	x := matrix.New(1000, 20)
	for i := range x.Data {
		x.Data[i] = r.ExpFloat64()
	}
	for b.Loop() {
		Fit(x, make([]bool, 20), nil, classPreset(4, 42, 0))
	}
}
