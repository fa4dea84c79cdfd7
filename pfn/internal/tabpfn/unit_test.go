package tabpfn

import (
	"math"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/models"
)

func TestMembersOfSeeds(t *testing.T) {
	// tabpfn 2.0.9: seeds of TabPFNRegressor(n_estimators=n, random_state=r) after fit
	cases := []struct {
		count int
		seed  uint64
		seeds []uint64
	}{
		{8, 0, []uint64{1167425778, 1202413557, 2008052738, 595598245, 1752032165, 1440696407,
			5880883, 846428919}},
		{4, 0, []uint64{1746484539, 1394609702, 1960127675, 1081530686}},
		{2, 42, []uint64{1497586438, 432652533}},
		{1, 0, []uint64{661058651}},
	}
	for _, c := range cases {
		var seeds []uint64
		for _, m := range (Preset{Members: c.count, Seed: c.seed}).composed() {
			seeds = append(seeds, m.Seed)
		}
		if !slices.Equal(seeds, c.seeds) {
			t.Errorf("%d members, seed %d: %v, want %v", c.count, c.seed, seeds, c.seeds)
		}
	}
	if m := (Preset{Members: 2, Seed: 42}).composed(); m[0].Pipeline != Quantile ||
		!m[0].PowerTarget ||
		m[1].Pipeline != Power || !m[1].PowerTarget {
		t.Errorf("2 members, seed 42: %+v, want the pairs 1 and 3", m)
	}
	if m := (Preset{Members: 1}).composed()[0]; m.Pipeline != Power || m.PowerTarget {
		t.Errorf("1 member, seed 0: %+v, want the pair 2", m)
	}
}

func TestPositionsOfTies(t *testing.T) {
	// sklearn.preprocessing.QuantileTransformer(n_quantiles=4)
	p := position{[]float64{1, 2, 7, 9}}
	for x, want := range map[float64]float64{1: 0, 2: 1. / 3, 5: 0.53333333333, 7: 2. / 3, 9: 1,
		0: 0, 3: 0.4, 8: 0.83333333333, 20: 1} {
		if got := p.apply(x); math.Abs(got-want) > 1e-10 {
			t.Errorf("position of %g is %g, want %g", x, got, want)
		}
	}
	tied := position{[]float64{0, 2, 2, 2, 5}}
	if got := tied.apply(2); math.Abs(got-0.5) > 1e-15 {
		t.Errorf("position of a tie is %g, want the middle of its levels, 0.5", got)
	}
	if !math.IsNaN(p.apply(nan)) || !math.IsNaN((position{[]float64{nan, nan}}).apply(1)) {
		t.Error("a missing value, or a column of them, has no position")
	}
}

func TestPowerOfColumnsWithoutVariation(t *testing.T) {
	for name, column := range map[string][]float64{
		"empty": {nan, nan, nan}, "constant": {5, 5, 5}, "constant or missing": {nan, 5, 5, nan},
	} {
		p := fitPower(column, false)
		for _, x := range column {
			if z := p.apply(x); z != 0 {
				t.Errorf("%s: %g maps to %g, want 0", name, x, z)
			}
		}
	}
	if z := fitPower([]float64{1e300, 2e300, 5e300}, false).apply(9e307); z-z != 0 {
		t.Errorf("a huge value maps to %g", z)
	}
}

func TestBordersOfUnusableTransforms(t *testing.T) {
	z := []float32{-100, -10, 0, 10, 100}
	steep := power{lambda: 8, scaler: scaler{sd: 1e30}}
	if _, _, ok := mapBorders(z, steep); ok {
		t.Error("borders without an image were accepted")
	}
	identity := power{lambda: nan, scaler: scaler{sd: 50}}
	mapped, cancelled, ok := mapBorders(z, identity)
	if want := []float32{-501, -500, 0, 500, 501}; !ok || !slices.Equal(mapped, want) {
		t.Errorf("mapped %v, want %v", mapped, want)
	}
	if want := []bool{true, false, false, true}; !slices.Equal(cancelled, want) {
		t.Errorf("cancelled %v, want %v", cancelled, want)
	}
}

func sameBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool {
		return math.Float32bits(x) == math.Float32bits(y)
	})
}

func TestMissingCategories(t *testing.T) {
	x := matrix.Matrix{Rows: 3, Cols: 2, Data: []float64{0, -1, -1, 0, 1, 2}}
	l := fitLayout(x, []bool{true, false})
	got := l.read(matrix.Matrix{Rows: 1, Cols: 2, Data: []float64{-1, -1}})
	if !math.IsNaN(got.Data[0]) || got.Data[1] != -1 {
		t.Errorf("codes -1 of an encoded and a numeric column became %v, want NaN and -1", got.Data)
	}
	x.Data[1] = 0
	l = fitLayout(x, []bool{false, true})
	if got = l.read(matrix.Matrix{Rows: 1, Cols: 2, Data: []float64{5, -1}}); got.Data[0] != -1 {
		t.Errorf("a code -1 that the context does not have became %v, want -1", got.Data[0])
	}
}

// Members with the power pipeline of package 2.0.9 read categories as indicators.
func TestUnseenCategoryOfPowers(t *testing.T) {
	x, flags := matrix.New(20, 2), []bool{true, false}
	y := make([]float64, x.Rows)
	for i := range x.Rows {
		x.Row(i)[0], x.Row(i)[1], y[i] = float64(i%2), float64(i*i), float64(i)
	}
	made := Fit(x, y, flags, Preset{Members: 1, Parts: bars(models.TabPFN{}),
		Borders: []float32{-1, 0, 1}})
	got := made.Queries(matrix.Matrix{Rows: 1, Cols: 2, Data: []float64{2, 9}})[0]
	if at := slices.Index(made.Permutation(0), 0); made.Members[0].Pipeline != Power || got[at] != 0 {
		t.Errorf("the unseen category 2 is read as %v", got)
	}
}

// A target in a unit that is a power of two has the same scores as in its own, however small or
// large that is; in usual units 1e-20 is part of the deviation.
func TestTargetsInAnyUnit(t *testing.T) {
	y := []float64{3, 1, 4, 1, 5, 9, 2, 6}
	want := FitTarget(y)
	if want.SD != math.Sqrt(52.875/8)+1e-20 {
		t.Errorf("deviation %v", want.SD)
	}
	for _, exp := range []int{-960, -500, -70, -50, -30, 300, 390, 410, 700, 990} {
		scaled := make([]float64, len(y))
		for i, v := range y {
			scaled[i] = math.Ldexp(v, exp)
		}
		got := FitTarget(scaled)
		if gap := worst(got.Standardize(scaled), want.Standardize(y)); !(gap < 1e-10) {
			t.Errorf("unit 2^%d: scores off by %g", exp, gap)
		}
	}
}

func TestHashesOfRowsThatStayEqual(t *testing.T) {
	for name, rows := range map[string][]float64{
		"missing": {nan, nan, nan, nan}, "huge": {1e30, nan, 1e30, nan}, "tiny": {1e-30, 2, 1e-30, 2},
	} {
		h := newSaltedHash(0).context(matrix.Matrix{Rows: 2, Cols: 2, Data: rows})
		if same := h.Row(0)[2] == h.Row(1)[2]; same != (name != "tiny") {
			t.Errorf("%s: hashes %v and %v", name, h.Row(0)[2], h.Row(1)[2])
		}
	}
}
