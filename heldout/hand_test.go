package heldout

import (
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
)

func TestMain(m *testing.M) { orttest.Main(m, "^Example") }

// Intervals are those of CV+ by its definition, from networks that are fitted here: every row is
// scored by the network without its fold, which then proposes an end at the query row. A query row
// of a group is compared with the rows of the group, one of no group with all.
func TestConformalByItsDefinition(t *testing.T) {
	orttest.Library(t)
	bundle, err := models.Load("../testdata/tiny") // of labels alone
	must.Succeed(t, err)
	model, err := pfn.Open(bundle, pfn.Options{Members: 1})
	must.Succeed(t, err)
	defer model.Close()
	const n, level, count = 24, 0.75, 3
	rows, groups := pfn.Training{X: pfn.Matrix{Rows: n, Cols: 1}}, Groups{Column: "g",
		Names: []string{"a", "b"}}
	for i := range n {
		rows.X.Data = append(rows.X.Data, float64(i*i%29))
		rows.Y = append(rows.Y, float64((1+40*(i%2))*(i*7%11))) // group b varies far more
		groups.Of = append(groups.Of, i%2)
	}
	table := Table{Model: model, Rows: rows, Target: Numbers{}}
	plan := folds.Plan{Count: count, Seed: 2, Strata: groups.Of}
	c, err := table.Conformal(t.Context(), Promise{Level: level, Groups: groups, Plan: plan})
	must.Succeed(t, err)
	defer c.Close()
	query := pfn.Matrix{Rows: 3, Cols: 1, Data: []float64{3, 12, 28}}
	parts, err := plan.Folds()
	must.Succeed(t, err)
	lows, highs := [3][3][]float64{}, [3][3][]float64{} // by group, 2 all rows, and query row
	for _, part := range parts {
		fitted, err := model.Fit(t.Context(), rows.Take(part.Read))
		must.Succeed(t, err)
		defer fitted.Close()
		central := func(x pfn.Matrix) []distr.Interval {
			said, err := (*reading.Donors)(nil).Predictions(t.Context(), fitted, x, false)
			must.Succeed(t, err)
			return reading.CentralIntervals(said, level)
		}
		held := central(rows.X.Take(part.Held))
		for at, in := range central(query) {
			for i, row := range part.Held {
				miss := max(held[i].Lo-rows.Y[row], rows.Y[row]-held[i].Hi)
				for _, g := range []int{groups.Of[row], 2} {
					lows[g][at] = append(lows[g][at], in.Lo-miss)
					highs[g][at] = append(highs[g][at], in.Hi+miss)
				}
			}
		}
	}
	for g, name := range []string{"a", "b", "c"} {
		group := c.Group(name)
		got, err := c.Intervals(t.Context(), query, []int{group, group, group})
		must.Succeed(t, err)
		for at, in := range got {
			slices.Sort(lows[g][at])
			slices.Sort(highs[g][at])
			last := map[int]int{12: 10, 24: 19}[len(highs[g][at])] // ⌈0.75 (n+1)⌉
			want := distr.Interval{Lo: lows[g][at][len(lows[g][at])-last], Hi: highs[g][at][last-1]}
			if in != want {
				t.Errorf("group %s, query row %d: %v, want %v", name, at, in, want)
			}
		}
	}
}
