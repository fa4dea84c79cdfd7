package evaluate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/pfn"
)

// design turns features into the columns of a linear model, centred and scaled as in the training
// rows.
type design struct{ columns []designColumn }

// designColumn is a number, or the indicator of a category.
type designColumn struct {
	feature     int
	category    float64 // NaN for a number
	mean, scale float64
}

func newDesign(train pfn.Training) design {
	var d design
	for j := range train.X.Cols {
		if train.Categorical == nil || !train.Categorical[j] {
			d.add(train, designColumn{feature: j, category: math.NaN()})
			continue
		}
		var codes []float64
		for i := range train.X.Rows {
			if code := train.X.Row(i)[j]; !math.IsNaN(code) {
				codes = append(codes, code)
			}
		}
		slices.Sort(codes)
		for _, code := range slices.Compact(codes) {
			d.add(train, designColumn{feature: j, category: code})
		}
	}
	if d.columns == nil {
		d.columns = []designColumn{{category: math.Inf(1), scale: 1}} // a column of zeros
	}
	return d
}

func (d *design) add(train pfn.Training, c designColumn) {
	c.scale = 1
	var m Moments
	for i := range train.X.Rows {
		if v := c.of(train.X.Row(i)[c.feature]); !math.IsNaN(v) {
			m.Add(v)
		}
	}
	if sd := m.SE() * math.Sqrt(float64(m.N())); sd > 0 && !math.IsInf(sd, 0) {
		c.mean, c.scale = m.Mean(), sd
		d.columns = append(d.columns, c)
	}
}

// of is the value of the column for a value of its feature.
func (c designColumn) of(v float64) float64 {
	switch {
	case math.IsNaN(c.category):
		return (v - c.mean) / c.scale
	case v == c.category:
		return (1 - c.mean) / c.scale
	}
	return -c.mean / c.scale
}

// matrix has a row per row of x and a column per column of the design; what is missing is the mean.
func (d design) matrix(x Matrix) *mat.Dense {
	out := mat.NewDense(x.Rows, len(d.columns), nil)
	for i := range x.Rows {
		for k, c := range d.columns {
			if math.IsInf(c.category, 1) {
				continue
			}
			if v := c.of(x.Row(i)[c.feature]); !math.IsNaN(v) {
				out.Set(i, k, v)
			}
		}
	}
	return out
}
