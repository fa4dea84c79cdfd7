package drift

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// The area is the share of pairs, and its probability that of Mann and Whitney.
func TestArea(t *testing.T) {
	r := area([]float64{1, 2, 3, 4}, []float64{2.5, 4, 5})
	if want := (2 + 3.5 + 4) / 12; math.Abs(r.AUC-want) > 1e-12 {
		t.Errorf("%v, want %v", r.AUC, want)
	}
	if flat := area([]float64{1, 1}, []float64{1, 1, 1}); flat.AUC != 0.5 || flat.P != 1 {
		t.Errorf("equal scores: %+v", flat)
	}
	random, low := rand.New(rand.NewPCG(2, 2)), 0
	for range 4000 {
		a, b := make([]float64, 12), make([]float64, 30)
		for i := range a {
			a[i] = float64(random.IntN(8))
		}
		for i := range b {
			b[i] = float64(random.IntN(8))
		}
		if area(a, b).P <= 0.05 {
			low++
		}
	}
	if low < 120 || low > 240 {
		t.Errorf("p is at most 0.05 in %d of 4000 samples that are alike", low)
	}
}

// The column that moves is named, with its size; the others are not. Weights by the odds make the
// context look like the batch.
func TestCompareNamesTheColumn(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	a, categorical := draw(random, 800, 0)
	b, _ := draw(random, 600, 1)
	for i := range b.Rows { // and half of the cells of a column are lost
		if i%2 == 0 {
			b.Row(i)[2] = math.NaN()
		}
	}
	r := compare(t, a, b, categorical, 1)
	if r.P > 1e-6 || r.Drift < 0.4 || r.Lo > r.AUC || r.Hi < r.AUC || r.Supported > 0.985 {
		t.Errorf("%+v", r)
	}
	if c := r.Columns[0]; c.P > 1e-6 || math.Abs(c.Shift-1) > 0.2 {
		t.Errorf("the column that moved: %+v", c)
	}
	if c := r.Columns[2]; c.P > 1e-6 || c.Missing != [2]float64{0, 0.5} {
		t.Errorf("the column that lost cells: %+v", c)
	}
	for _, j := range []int{1, 3, 4, 6, 8, 9} {
		if r.Columns[j].P < 0.01 {
			t.Errorf("column %d: %+v", j, r.Columns[j])
		}
	}
	if alike := compare(t, a, a, categorical, 1); alike.Drift != 0 || alike.Effective < 600 ||
		alike.Supported < 0.97 {
		t.Errorf("a copy: %+v", alike)
	}
	again := compare(t, a, b, categorical, 1)
	if again.AUC != r.AUC || again.P != r.P {
		t.Error("the same seed gives another result")
	}
}

// A category that is new, or whose share changes, is seen.
func TestCompareCategories(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	make1 := func(weights []float64) Matrix {
		x := Matrix{Rows: 400, Cols: 1, Data: make([]float64, 400)}
		for i := range x.Data {
			u, code := random.Float64(), 0
			for u > weights[code] {
				u -= weights[code]
				code++
			}
			x.Data[i] = float64(code) - 1 // the first one is missing or new
		}
		return x
	}
	a := make1([]float64{0, 0.5, 0.3, 0.2})
	for name, b := range map[string]Matrix{
		"new": make1([]float64{0.1, 0.45, 0.27, 0.18}), "shares": make1([]float64{0, 0.3, 0.3, 0.4}),
	} {
		if r := compare(t, a, b, []bool{true}, 1); r.Columns[0].P > 1e-4 || r.Drift == 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r := compare(t, a, make1([]float64{0, 0.5, 0.3, 0.2}), []bool{true}, 1); r.Drift != 0 {
		t.Errorf("the same shares: %+v", r)
	}
	var few *RowsError
	if _, err := Compare(a, a.Take([]int{1, 2, 3}), []bool{true}, 1); !errors.As(err, &few) ||
		few.Batch != 3 {
		t.Error(err)
	}
}

// Columns that say nothing are no difference.
func TestCompareConstants(t *testing.T) {
	x := Matrix{Rows: 50, Cols: 3, Data: make([]float64, 150)}
	for i := range x.Rows {
		x.Row(i)[1] = math.NaN()
		x.Row(i)[2] = 7
	}
	r := compare(t, x, x, []bool{false, false, true}, 1)
	if r.Drift != 0 || r.AUC != 0.5 || r.P != 1 || r.Supported != 1 {
		t.Errorf("%+v", r)
	}
}

// Fisher's exact test has the p-values of scipy.stats.fisher_exact (1.15).
func TestFisher(t *testing.T) {
	for _, c := range []struct {
		missing, rows [2]float64
		want          float64
	}{
		{[2]float64{0, 15}, [2]float64{354, 88}, 1.0989223953245077e-11},
		{[2]float64{3, 2}, [2]float64{500, 40}, 0.04641009466872881},
		{[2]float64{9, 0}, [2]float64{100, 40}, 0.05990184354255665},
		{[2]float64{100, 36}, [2]float64{100, 40}, 0.005961663094604787},
		{[2]float64{1, 1}, [2]float64{100, 100}, 1},
		{[2]float64{0, 0}, [2]float64{100, 100}, 1},
	} {
		if got := fisher(c.missing, c.rows); math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("%v of %v: %v, want %v", c.missing, c.rows, got, c.want)
		}
	}
}

// A batch much smaller than the context loses cells, or has a new category: too few of them are
// expected for χ², and the column is named all the same.
func TestCompareFewMissing(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	a, categorical := draw(random, 354, 0)
	b, _ := draw(random, 88, 0)
	for i := range 15 {
		b.Row(5 * i)[2], b.Row(5 * i)[8] = math.NaN(), -1
	}
	r := compare(t, a, b, categorical, 1)
	for _, j := range []int{2, 8} {
		if c := r.Columns[j]; c.P > 1e-8 {
			t.Errorf("column %d: %+v", j, c)
		}
	}
}
