package explain

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/tabular"
)

// Value is a value of a column at a point of an effect.
type Value struct {
	Text   string
	Number float64 // as the model reads it: the number, of a date or category too
	Plain  bool    // a number that is not a date
	cells  []cell
}

// Short is the text of a sentence or an axis: a number with few digits.
func (v Value) Short() string {
	if v.Plain {
		return fmt.Sprintf("%.4g", v.Number)
	}
	return v.Text
}

// cell is what an encoded row gets.
type cell struct {
	at int
	v  float64
}

// Bounds of the values of a column.
const (
	mostValues     = 12 // of numbers: columns with no more different ones show them all
	mostCategories = 20 // the most frequent ones
	edge           = 0.02
)

// column is a feature of the schema with the values that it is given.
type column struct {
	*tabular.Column
	at     int   // in encoded rows
	parts  []int // its calendar columns, likewise
	values []Value
	left   int // categories that are not shown
}

// findColumn finds a feature. The error is a *tabular.Error with the nearest name.
func findColumn(s *tabular.Schema, name string) (*column, error) {
	c := &column{at: -1}
	for i, e := range s.Encoded() {
		switch {
		case e.Name != name:
		case e.Part == "":
			c.Column, c.at = e.Column, i
		default:
			c.parts = append(c.parts, i)
		}
	}
	if c.at < 0 {
		return nil, s.NoFeature(name)
	}
	return c, nil
}

// lacks reports whether a cell of the column is missing.
func (c *column) lacks(v float64) bool { return math.IsNaN(v) || c.Categories != nil && v < 0 }

// lend is the value that a row of the context has.
func (c *column) lend(row []float64) Value {
	v := Value{Text: c.Text(row[c.at]), Number: row[c.at], Plain: c.Kind == tabular.Numeric,
		cells: []cell{{c.at, row[c.at]}}}
	for _, part := range c.parts {
		v.cells = append(v.cells, cell{part, row[part]})
	}
	if c.Categories != nil {
		v.Text = c.Categories[int(row[c.at])]
	}
	return v
}

// fill chooses the values of a column: of categories the most frequent ones, of few numbers all, of
// many so many quantiles of those that rows have, from the 2 % quantile to the 98 % quantile. Of 0
// points there are as many as usual.
func (c *column) fill(f *pfnamp.Fitted, points int) {
	x, most := f.ContextRows().X, points
	if points == 0 {
		points, most = DefaultPoints, mostValues
	}
	var rows []int // with a value
	for i := range x.Rows {
		if !c.lacks(x.Row(i)[c.at]) {
			rows = append(rows, i)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		return cmp.Compare(x.Row(a)[c.at], x.Row(b)[c.at])
	})
	counts := map[float64]int{}
	var first []int // row of every different value
	for _, i := range rows {
		v := x.Row(i)[c.at]
		if counts[v]++; counts[v] == 1 {
			first = append(first, i)
		}
	}
	if c.Categories == nil && len(first) > most {
		first = quantileRows(rows, points, func(i int) float64 { return x.Row(i)[c.at] })
	}
	if c.Categories != nil {
		kept := frequent(first, func(i int) int {
			return counts[x.Row(i)[c.at]]
		}, max(points, mostCategories))
		c.left, first = len(first)-len(kept), kept
	}
	for _, i := range first {
		c.values = append(c.values, c.lend(x.Row(i)))
	}
	if c.Categories != nil {
		slices.SortStableFunc(c.values, func(a, b Value) int { return cmp.Compare(a.Text, b.Text) })
	}
}

// quantileRows are rows, sorted by their value, at evenly spaced ranks, one of every value.
func quantileRows(rows []int, points int, value func(row int) float64) (kept []int) {
	for k := range points {
		share := edge + (1-2*edge)*float64(k)/float64(max(1, points-1))
		row := rows[int(math.Round(share*float64(len(rows)-1)))]
		if len(kept) == 0 || value(kept[len(kept)-1]) != value(row) {
			kept = append(kept, row)
		}
	}
	return kept
}

// nearest is the place of the value that is nearest to an encoded one, of categories the same; -1
// for none.
func (c *column) nearest(v float64) int {
	best := -1
	for k, value := range c.values {
		apart := math.Abs(value.cells[0].v - v)
		switch {
		case math.IsNaN(apart) || c.Categories != nil && apart > 0:
		case best < 0 || apart < math.Abs(c.values[best].cells[0].v-v):
			best = k
		}
	}
	return best
}

// frequent leaves at most so many rows, those of the most frequent values, in their order.
func frequent(rows []int, count func(row int) int, most int) []int {
	if len(rows) <= most {
		return rows
	}
	bySize := slices.Clone(rows)
	slices.SortStableFunc(bySize, func(a, b int) int { return count(b) - count(a) })
	bySize = bySize[:most]
	return slices.DeleteFunc(slices.Clone(rows), func(i int) bool {
		return !slices.Contains(bySize, i)
	})
}

// CheckColumn checks that a feature has the given name. The error is a *tabular.Error that suggests
// the nearest name.
func CheckColumn(s *tabular.Schema, name string) error {
	_, err := findColumn(s, name)
	return err
}
