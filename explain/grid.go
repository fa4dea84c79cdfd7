package explain

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/pfn"
)

// grid are the points of an effect.
type grid struct {
	columns []*column
	points  []gridPoint
}

type gridPoint struct {
	values []Value
	rows   int // of the context that are nearest to this point
}

// grid finds the columns and their values; of two columns all pairs of fewer values.
func (p *Population) grid(points int, names []string) (*grid, error) {
	f, g := p.predictor.Fitted(), &grid{points: []gridPoint{{}}}
	for _, name := range names {
		c, err := findColumn(f.Schema(), name)
		if err != nil {
			return nil, err
		}
		c.fill(f, points)
		g.columns = append(g.columns, c)
		var next []gridPoint
		for _, before := range g.points {
			for _, v := range c.values {
				next = append(next, gridPoint{values: append(slices.Clone(before.values), v)})
			}
		}
		g.points = next
	}
	for i := range p.rows.X.Rows {
		if at := g.nearest(p.rows.X.Row(i)); at >= 0 {
			g.points[at].rows++
		}
	}
	return g, nil
}

// nearest is the point that is nearest to an encoded row, -1 for none.
func (g *grid) nearest(row []float64) int {
	at := 0
	for _, c := range g.columns {
		k := c.nearest(row[c.at])
		if k < 0 {
			return -1
		}
		at = at*len(c.values) + k
	}
	return at
}

// cells are what rows get at a point.
func (g gridPoint) cells() (all []cell) {
	for _, v := range g.values {
		all = append(all, v.cells...)
	}
	return all
}

// rows are encoded rows with the cells of every point: point by point.
func (g *grid) rows(x pfn.Matrix, rows []int) pfn.Matrix {
	all := pfn.Matrix{Rows: len(g.points) * len(rows), Cols: x.Cols}
	for _, point := range g.points {
		cells := point.cells()
		for _, i := range rows {
			from := len(all.Data)
			all.Data = append(all.Data, x.Row(i)...)
			for _, c := range cells {
				all.Data[from+c.at] = c.v
			}
		}
	}
	return all
}

// interpolate is the value of a function of the points at an encoded row: linear in a column of
// numbers, otherwise that of the nearest point; the mean where there is none.
func (g *grid) interpolate(values []float64, row []float64) float64 {
	at := g.nearest(row)
	switch {
	case at < 0:
		return floats.Sum(values) / float64(len(values))
	case len(g.columns) > 1 || g.columns[0].Categories != nil:
		return values[at]
	}
	c := g.columns[0]
	v := row[c.at]
	place := func(k int) float64 { return c.values[k].cells[0].v }
	next := at + 1
	if v < place(at) {
		next = at - 1
	}
	if next < 0 || next >= len(values) {
		return values[at]
	}
	share := (v - place(at)) / (place(next) - place(at))
	return values[at] + share*(values[next]-values[at])
}
