package joint

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/pfn"
)

func TestMain(m *testing.M) { orttest.Main(m, "^Example") }

var shared = map[string]*pfn.Model{}

// opened is a model that all tests share.
func opened(t *testing.T, name string) *pfn.Model {
	t.Helper()
	if shared[name] == nil {
		m, err := pfnamp.Open(name, pfn.Options{Library: orttest.Library(t), Members: 1, Refit: true})
		must.Succeed(t, err)
		shared[name] = m
	}
	return shared[name]
}

// flats are rows of two classes with a number and a category.
func flats(n int) []map[string]any {
	rows := make([]map[string]any, n)
	for i := range rows {
		area := float64(20 + i*i%37)
		rows[i] = map[string]any{"area": area, "town": []string{"Bath", "York", "Hull"}[i%3],
			"kind": map[bool]string{true: "house", false: "flat"}[area > 40]}
	}
	return rows
}

// Draws of two classes have the sum 1 at every row, so that averages over rows and their
// differences are those of the other class, turned round; and every row keeps its draws: with
// chains, and with the posterior of a network.
func TestTwoClassesTogether(t *testing.T) {
	for _, c := range []struct {
		name      string
		posterior pfnamp.Posterior
		tolerance float64 // 200 draws of a quantile function
	}{{"tabicl-classes", pfnamp.Limit, 0}, {"tabicl-classes", pfnamp.Companion, 0.005},
		{"tiny-classes", pfnamp.Direct, 0.005}} {
		t.Run(string(c.posterior), func(t *testing.T) {
			twoClassesTogether(t, opened(t, filepath.Join("..", "testdata", c.name)), c.posterior,
				c.tolerance)
		})
	}
}

func twoClassesTogether(
	t *testing.T, m *pfn.Model, posterior pfnamp.Posterior, tolerance float64,
) {
	table, err := pfnamp.Table("flats", flats(60))
	must.Succeed(t, err)
	f, err := pfnamp.Fit(t.Context(), m, table, pfnamp.FitOptions{Target: "kind"})
	must.Succeed(t, err)
	defer f.Close()
	p, err := f.Prepare(t.Context(), pfnamp.Question{Chains: 200, Seed: 3,
		Posteriors: []pfnamp.Posterior{posterior}})
	must.Succeed(t, err)
	a, err := p.Rows(t.Context(), flats(12))
	must.Succeed(t, err)
	c, err := Couple(p, 0)
	must.Succeed(t, err)
	rows, err := c.Rows(t.Context(), a, 0, a.Rows())
	must.Succeed(t, err)
	averages := NewAverages("", []Contrast{{Text: "d", Plus: RowSet{Row: 1}, Minus: RowSet{Row: 5}}})
	for i, row := range rows {
		for b := range row.Draws[0] {
			if sum := row.Draws[0][b] + row.Draws[1][b]; math.Abs(sum-1) > 1e-12 {
				t.Fatalf("row %d, draw %d: the sum is %v", i, b, sum)
			}
		}
		for k := range rows[i].Draws {
			lo, hi := amp.CredibleInterval(slices.Clone(row.Draws[k]), 0.9, amp.EqualTailed)
			held := amp.Estimate{Lo: lo, Hi: hi}.Holding(row.Points[k])
			if e := a.Posteriors[0].Estimates[k][i]; math.Abs(e.Lo-held.Lo) > tolerance ||
				math.Abs(e.Hi-held.Hi) > tolerance {
				t.Errorf("row %d, class %d: %v to %v alone, %v together", i, k, e.Lo, e.Hi, held)
			}
		}
		must.Succeed(t, averages.Add("", row))
	}
	effects, err := averages.Effects()
	must.Succeed(t, err)
	for i, total := range []float64{1, 0} { // of all rows, and of the difference
		first := effects[i].Estimate(0, 0.9, amp.EqualTailed)
		second := effects[i].Estimate(1, 0.9, amp.EqualTailed)
		if math.Abs(first.Lo+second.Hi-total) > 1e-9 || math.Abs(first.Hi+second.Lo-total) > 1e-9 ||
			math.Abs(first.Point+second.Point-total) > 1e-9 || !(first.Lo < first.Hi) {
			t.Errorf("%s: %+v and %+v", effects[i].Name, first, second)
		}
	}
	if above := effects[1].Above(0) + effects[1].Above(1); math.Abs(above-1) > 1e-9 {
		t.Errorf("the difference is above 0 in one or the other class with probability %v", above)
	}
	mean := 0.0 // mean of the rows' standard deviations; the average's is smaller
	for _, row := range rows {
		mean += stat.StdDev(row.Draws[1], nil) / float64(len(rows))
	}
	if sd := stat.StdDev(effects[0].Draws[1], nil); !(sd > 0 && sd < mean) {
		t.Errorf("the average has the standard deviation %v, a row %v", sd, mean)
	}
}
