package donors

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/rows"
)

// table has a yes/no column and a number that tell nothing, twice and a half a number, a category
// that tells the sign of that number, and a target.
func table(n int) (x matrix.Matrix, categorical []bool, y []float64) {
	r := rand.New(rand.NewPCG(1, 2))
	x = matrix.New(n, 5)
	for i := range n {
		row := x.Row(i)
		row[0] = float64(r.IntN(4) / 3)
		row[1] = r.NormFloat64()
		row[2] = 5 + r.NormFloat64()
		row[3] = 2.5 * row[2]
		if row[2] > 5 {
			row[4] = 1
		}
		y = append(y, row[0]+3*row[1]+row[2]+0.1*r.NormFloat64())
	}
	return x, []bool{true, false, false, false, true}, y
}

// complete completes a row of the table that lacks cells.
func complete(t *testing.T, d *Table, row []float64, lacking []int, most int) Completed {
	t.Helper()
	row = slices.Clone(row)
	for _, j := range lacking {
		if row[j] = math.NaN(); d.columns[j].categorical {
			row[j] = -1
		}
	}
	c := d.Lender(lacking).Complete(row, most, 7)
	sum := 0.0
	for i, w := range c.Weights {
		sum += w
		for j, v := range c.Rows.Row(i) {
			if !slices.Contains(lacking, j) && v != row[j] || d.columns[j].isMissing(v) {
				t.Fatalf("column %d of %v became %v", j, row, v)
			}
		}
	}
	if math.Abs(sum-1) > 1e-9 || len(c.Weights) != c.Rows.Rows || len(c.Weights) > most {
		t.Fatalf("%d weights with sum %v for %d rows, at most %d", len(c.Weights), sum, c.Rows.Rows, most)
	}
	return c
}

// What tells nothing of a cell does not choose its donors: they are all, and their shares are
// exact.
func TestUnrelatedCells(t *testing.T) {
	x, categorical, y := table(300)
	d := New(x, categorical, y, 0)
	yes := 0.0
	for i := range x.Rows {
		yes += x.Row(i)[0] / float64(x.Rows)
	}
	c := complete(t, d, []float64{0, 3, 5, 12.5, 0}, []int{0}, 16)
	if c.Rows.Rows != 2 ||
		math.Abs(c.Weights[0]*c.Rows.Row(0)[0]+c.Weights[1]*c.Rows.Row(1)[0]-yes) > 0.03 {
		t.Errorf("%v with weights %v, want the share %v", c.Rows.Data, c.Weights, yes)
	}
	if c.Donors < 200 {
		t.Errorf("%v donors of %d", c.Donors, x.Rows)
	}
}

// A new category is one more of those that donors have, of which each counts alike, however many
// rows it has. A missing or unknown one is that of a row.
func TestNewCategories(t *testing.T) {
	sizes := []int{1, 4, 15, 80}
	x, y := matrix.New(100, 2), make([]float64, 100)
	i := 0
	for k, n := range sizes {
		for range n {
			x.Row(i)[0], x.Row(i)[1] = float64(k), 5
			i++
		}
	}
	l := New(x, []bool{true, false}, y, 0).Lender([]int{0})
	for _, test := range []struct {
		cell   float64
		shares []float64
		donors float64
	}{
		{math.NaN(), []float64{0.25, 0.25, 0.25, 0.25}, 4},
		{-1, []float64{0.01, 0.04, 0.15, 0.8}, 100},
		{rows.Unknown, []float64{0.01, 0.04, 0.15, 0.8}, 100},
	} {
		c := l.Complete([]float64{test.cell, 5}, 16, 7)
		if !floats.EqualApprox(c.Weights, test.shares, 0.005) || math.Abs(c.Donors-test.donors) > 0.01 {
			t.Errorf("%v: weights %v of %v donors", test.cell, c.Weights, c.Donors)
		}
	}
}

// What determines a cell tells it: a number by a line, a category by a bend.
func TestDeterminedCells(t *testing.T) {
	x, categorical, y := table(300)
	d := New(x, categorical, y, 0)
	for _, at := range []float64{3.5, 6.5} {
		row := []float64{1, 0, at, 2.5 * at, float64(int(at / 5))}
		c := complete(t, d, row, []int{3}, 16)
		for i := range c.Weights {
			if got := c.Rows.Row(i)[3]; math.Abs(got-2.5*at) > 0.1 {
				t.Errorf("%v beside %v", got, at)
			}
		}
		sure := 0.0
		c = complete(t, d, row, []int{4}, 16)
		for i, w := range c.Weights {
			if c.Rows.Row(i)[4] == row[4] {
				sure += w
			}
		}
		if sure < 0.95 {
			t.Errorf("the category beside %v has the weight %v", at, sure)
		}
	}
}

// Few completed rows tell the mean over all donors of what they add to the target.
func TestStrata(t *testing.T) {
	x, categorical, y := table(500)
	d := New(x, categorical, y, 0)
	lacking := []int{0, 1, 2, 3, 4}
	row := slices.Clone(x.Row(0))
	mean := func(most int) (sum float64) {
		c := complete(t, d, row, lacking, most)
		for i, w := range c.Weights {
			at := c.Rows.Row(i)
			sum += w * (at[0] + 3*at[1] + at[2])
		}
		return sum
	}
	// The standard deviation is 3.2, that of a mean of 16 draws 0.8.
	if all, few := mean(500), mean(16); math.Abs(all-few) > 0.25 {
		t.Errorf("the mean is %v over all and %v over 16", all, few)
	}
	first, again := complete(t, d, row, lacking, 16), complete(t, d, row, lacking, 16)
	if !reflect.DeepEqual(first, again) {
		t.Error("the same row and seed have other donors")
	}
}

// Classes have effects too, and donors of more columns than a regression reads.
func TestManyColumnsAndClasses(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	x, y := matrix.New(120, 60), make([]float64, 120)
	for i := range x.Rows {
		for j := range x.Cols {
			x.Row(i)[j] = r.NormFloat64()
		}
		x.Row(i)[59] = x.Row(i)[0] + 0.01*r.NormFloat64()
		y[i] = float64(i % 3)
	}
	d := New(x, nil, y, 3)
	for i := range 3 {
		c := complete(t, d, x.Row(i), []int{59}, 8)
		for k := range c.Weights {
			if off := c.Rows.Row(k)[59] - x.Row(i)[0]; math.Abs(off) > 0.5 {
				t.Errorf("row %d: off by %v", i, off)
			}
		}
	}
	complete(t, d, x.Row(0), []int{0, 5, 59}, 8)
}

// Donors have what they lend; a column that none of them has stays as it is, and one that never
// varies needs one row.
func TestDonorsThatLackCells(t *testing.T) {
	x, categorical, y := table(60)
	for i := range x.Rows {
		x.Row(i)[1] = 4
		if i%2 == 0 {
			x.Row(i)[2] = math.NaN()
			x.Row(i)[4] = -1
		}
	}
	d := New(x, categorical, y, 0)
	if d.Missing(2) != 30 || d.Missing(0) != 0 || !d.Lacks(4, -1) || d.Lacks(2, -1) {
		t.Errorf("%d and %d missing", d.Missing(2), d.Missing(0))
	}
	complete(t, d, x.Row(1), []int{2, 4}, 16)
	if c := complete(t, d, x.Row(1), []int{1}, 16); c.Rows.Rows != 1 || c.Rows.Row(0)[1] != 4 {
		t.Errorf("a constant column gives %v", c.Rows)
	}
	for i := range x.Rows {
		x.Row(i)[3] = math.NaN()
	}
	d = New(x, categorical, y, 0)
	c := d.Lender([]int{0, 3}).Complete([]float64{-1, 4, 5, math.NaN(), 0}, 16, 1)
	if c.Rows.Rows != 2 || !math.IsNaN(c.Rows.Row(0)[3]) {
		t.Errorf("%v", c.Rows)
	}
}

// A number of few values stays one of them, others stay in their range.
func TestAllowed(t *testing.T) {
	few := newColumn([]float64{1, 1, 1, 2, 2, 2, 5, 5, 5}, false, 1)
	many := newColumn([]float64{1, 2, 3}, false, 1)
	for _, at := range []struct{ v, few, many float64 }{
		{-3, 1, 1}, {1.4, 1, 1.4}, {1.6, 2, 1.6}, {3.6, 5, 3}, {9, 5, 3}, {2, 2, 2},
	} {
		if got := few.allowed(at.v); got != at.few {
			t.Errorf("%v of few values becomes %v", at.v, got)
		}
		if got := many.allowed(at.v); got != at.many {
			t.Errorf("%v of many values becomes %v", at.v, got)
		}
	}
}
