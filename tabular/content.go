package tabular

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/rows"
)

// ByContent returns the schema with another order of the columns of Features.Matrix and of the
// codes of categories. The order depends on what the training table holds, and not on the order of
// its columns or the names of categories. ByContent also returns the training table in this
// encoding. Columns keep their order in Columns. Categories are in the order of their frequency,
// then of what else their rows hold (rows.Moments), but not of the target: the code of a category
// that a single row has must not tell its label. y is the target, a number or the place of a class
// in an order that depends on content.
func (s *Schema) ByContent(x matrix.Matrix, y []float64) (*Schema, matrix.Matrix) {
	sorted := *s
	sorted.Columns = slices.Clone(s.Columns)
	moments := rows.Moments(x, s.Categorical(), y)
	x = matrix.Matrix{Rows: x.Rows, Cols: x.Cols, Data: slices.Clone(x.Data)}
	for j := range sorted.Columns {
		if c := &sorted.Columns[j]; c.Kind.categorical() {
			c.sort(x, s.place(j), moments[1:])
		}
	}
	keys := make([][]float64, len(s.Columns))
	for j, c := range sorted.Columns {
		keys[j] = columnKey(x.Column(nil, s.place(j)), c.Kind.categorical(), moments)
	}
	sorted.sequence = make([]int, len(s.Columns))
	for j := range sorted.sequence {
		sorted.sequence[j] = j
	}
	slices.SortStableFunc(sorted.sequence, func(a, b int) int {
		return rows.Compare(keys[a], keys[b])
	})
	place := map[string]int{}
	for at, e := range s.Encoded() {
		place[e.String()] = at
	}
	var columns []int
	for _, e := range sorted.Encoded() {
		columns = append(columns, place[e.String()])
	}
	return &sorted, x.Pick(columns)
}

// sort sorts the categories of a column, and renames its codes in a column of x.
func (c *Column) sort(x matrix.Matrix, at int, moments [][]float64) {
	keys := make([][]float64, len(c.Categories))
	for k := range keys {
		keys[k] = make([]float64, 1+len(moments))
	}
	for i := range x.Rows {
		if k := x.Row(i)[at]; k >= 0 {
			keys[int(k)][0]--
			for m, values := range moments {
				keys[int(k)][m+1] += values[i]
			}
		}
	}
	order := make([]int, len(keys))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return rows.Compare(keys[a], keys[b]) })
	code, texts := make([]float64, len(order)), make([]string, len(order))
	for to, from := range order {
		code[from], texts[to] = float64(to), c.Categories[from]
	}
	for i := range x.Rows {
		if k := x.Row(i)[at]; k >= 0 {
			x.Row(i)[at] = code[int(k)]
		}
	}
	c.Categories = texts
	c.index()
}

// columnKey describes a column without regard to its place and its unit: how many values it lacks,
// how many it has, its third and fourth moment, and its relations to the moments of rows.
func columnKey(values []float64, categorical bool, moments [][]float64) []float64 {
	missing, z := 0.0, rows.Standardised(values)
	for _, v := range values {
		if math.IsNaN(v) || categorical && v < 0 {
			missing++
		}
	}
	kind := 0.0
	if categorical {
		kind = 1
	}
	key := []float64{kind, missing, float64(rows.Distinct(values))}
	third, fourth := 0.0, 0.0
	for _, v := range z {
		third, fourth = third+v*v*v, fourth+v*v*v*v
	}
	key = append(key, third, fourth)
	for _, other := range moments {
		first, second, third := 0.0, 0.0, 0.0
		for i, v := range z {
			first, second, third = first+v*other[i], second+v*v*other[i], third+v*v*v*other[i]
		}
		key = append(key, first, second, third)
	}
	return key
}
