package pfn

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/boost"
	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/must"
)

// grown is a table with trees that have read all of it.
func grown(t Training) Training {
	classes, rows := 0, matrix.Upto(t.X.Rows)
	if slices.Max(t.Y) == 2 && slices.Min(t.Y) == 0 {
		classes = 3
	}
	var err error
	t.Trees, _, err = boost.Fit(context.Background(), boost.Table{X: t.X, Categorical: t.Categorical,
		Y: t.Y, Classes: classes}, []boost.Fold{{Read: rows, Held: rows}}, 200)
	if err != nil {
		panic(err)
	}
	return t
}

// TestTreesWiden reads the same numbers with trees whose error is unknown and with some that have
// none.
func TestTreesWiden(t *testing.T) {
	m := embedded(t, "default")
	exact := grown(synthetic(3, 300, 3))
	doubted, sure := exact, *exact.Trees
	sure.Scores = slices.Clone(sure.Scores)
	sure.Scores[0].Doubt = 0
	exact.Trees, doubted.Trees.Scores[0].Doubt = &sure, 0.5
	x := exact.X.Span(0, 8)
	var widths [2]float64
	for k, table := range []Training{exact, doubted} {
		for _, s := range surfaces(results(t, fit(t, m, table), x)) {
			widths[k] += s.Mean[len(s.Mean)-1] - s.Mean[0]
		}
	}
	if widths[1] < 1.2*widths[0] {
		t.Errorf("posteriors are %.3g wide with doubt, and %.3g without", widths[1], widths[0])
	}
	if _, err := fit(t, m, exact).Results(t.Context(), Matrix{Rows: 1, Cols: 5,
		Data: make([]float64, 5)}, false); err == nil {
		t.Error("a row with too many columns was read")
	}
}

// TestTreesOfFolds reads steps, of which trees tell more than lines and kernels do, and a plane.
func TestTreesOfFolds(t *testing.T) {
	table := synthetic(9, 600, 4)
	plane := table
	plane.Y, table.Y = make([]float64, 600), make([]float64, 600)
	for i := range 600 {
		row, noise := table.X.Row(i), math.Mod(float64(i)*math.Pi, 1)
		plane.Y[i] = row[0] - row[1] + noise
		if (row[0] > 0) != (row[1] > 0.3) && row[2] < 0.5 {
			table.Y[i] = 8
		}
		table.Y[i] += noise
	}
	m := embedded(t, "default")
	for k, given := range []Training{plane, table} {
		c := fit(t, m, given)
		if (c.trees != nil) != (k == 1) {
			t.Fatalf("table %d has trees: %v", k, c.trees != nil)
		}
	}
}

// TestTreesOfClasses reads steps, and classes that no feature tells. Half of the members read what
// trees say, in a state too.
func TestTreesOfClasses(t *testing.T) {
	m := embedded(t, "classifier")
	table := synthetic(9, 500, 4)
	chance := table
	chance.Y, table.Y = make([]float64, 500), make([]float64, 500)
	for i := range 500 {
		row := table.X.Row(i)
		chance.Y[i] = float64(i % 2)
		if (row[0] > 0) != (row[1] > 0.3) {
			table.Y[i] = 1
		}
	}
	if c := fit(t, m, chance); c.trees != nil || c.Members() != m.Members() {
		t.Errorf("classes by chance have trees and %d members", c.Members())
	}
	c := fit(t, m, table)
	if c.trees == nil || c.Members() != 2*m.Members() {
		t.Fatalf("steps have %d members, and trees: %t", c.Members(), c.trees != nil)
	}
	checkRestored(t, c, table.X.Span(0, 8))
}

// checkRestored compares the answers of a context with those of its state.
func checkRestored(t *testing.T, c *Context, x Matrix) {
	t.Helper()
	want := results(t, c, x)
	got := results(t, restored(t, c.Model(), saved(t, c, "")), x)
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%v of a state, want %v", got, want)
	}
}

// TestFoldsOf keeps equal rows together.
func TestFoldsOf(t *testing.T) {
	x := Matrix{Rows: 12, Cols: 1, Data: []float64{1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6}}
	for k, fold := range foldsOf(x) {
		if len(fold.Read)+len(fold.Held) != 12 || len(fold.Held)%2 != 0 {
			t.Errorf("fold %d holds %v and reads %v", k, fold.Held, fold.Read)
		}
	}
}

// TestFewerClasses reads two of the three classes that the trees know.
func TestFewerClasses(t *testing.T) {
	table := grown(classTable(5, 60, 4, 3))
	var rows []int
	for i, y := range table.Y {
		if y < 2 {
			rows = append(rows, i)
		}
	}
	c := fit(t, embedded(t, "classifier"), table.Take(rows))
	if rows := results(t, c, table.X.Span(0, 4)); len(rows[0].Classes) != 2 {
		t.Errorf("%v", rows)
	}
}

// TestMixed joins probabilities with log odds.
func TestMixed(t *testing.T) {
	for _, c := range []struct{ p, odds, want []float64 }{
		{[]float64{0.9, 0.1}, []float64{math.Log(4)}, []float64{0.4522, 0.5478}},
		{[]float64{0.2, 0.8}, nil, []float64{0.2, 0.8}},
		{[]float64{0.25, 0.25, 0.5}, []float64{0, 0, 0}, []float64{0.3067, 0.3067, 0.3865}},
	} {
		for k, got := range mixed(slices.Clone(c.p), c.odds, treeShare) {
			if math.Abs(got-c.want[k]) > 1e-4 {
				t.Errorf("%v with %v: class %d has %.4f, want %.4f", c.p, c.odds, k, got, c.want[k])
			}
		}
	}
}

// TestStretch adds a variance to the quantiles of a standard normal distribution.
func TestStretch(t *testing.T) {
	levels := []float64{0.05, 0.5, 0.95}
	row := []float64{3 - 1.6448536269514722, 3, 3 + 1.6448536269514722}
	middleOf(levels).stretch(row, 3)
	for j, want := range []float64{3 - 2*1.6448536269514722, 3, 3 + 2*1.6448536269514722} {
		if math.Abs(row[j]-want) > 1e-12 {
			t.Errorf("quantile %g is %g, want %g", levels[j], row[j], want)
		}
	}
	point := []float64{2, 2, 2}
	if middleOf(levels).stretch(point, 1); point[0] != 2 {
		t.Error("a point was stretched")
	}
}

// TestBareMember reads trees that tell nothing: one member does not read them, in a state too.
func TestBareMember(t *testing.T) {
	table := synthetic(3, 200, 3)
	noise := table
	noise.Y = make([]float64, 200)
	for i, row := range table.Y {
		noise.Y[i], table.Y[i] = math.Mod(float64(i)*math.Pi, 1), row+math.Sin(2*table.X.Row(i)[0])
	}
	table.Trees = grown(noise).Trees
	m := embedded(t, "default")
	c := fit(t, m, table)
	read, err := c.trees.Beside(table.X)
	must.Succeed(t, err)
	widths := map[int]int{}
	for _, tensor := range c.ensemble.queries(read) {
		widths[int(tensor.Shape[2])]++
	}
	if widths[3] != 1 || widths[4] != c.Members()-1 {
		t.Errorf("members by width: %v", widths)
	}
	checkRestored(t, c, table.X.Span(0, 8))
}
