package drift

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// mostCategories bounds the indicators of a column; rarer categories share one.
const mostCategories = 20

// design is what the classifier reads of rows. A number becomes its place u in the order of both
// samples, from -1 to 1, and u², so that shifts and spreads are seen and no tail decides; a
// category becomes indicators, and so does a missing cell. It does not depend on which row is of
// which sample.
type design struct {
	columns  []func(row []float64) float64
	mean, sd []float64 // of the columns; 0 of one that does not vary
}

// newDesign makes the design of rows of both samples.
func newDesign(all Matrix, categorical []bool) design {
	var d design
	values := make([]float64, 0, all.Rows)
	for j := range all.Cols {
		category, missing := isCategory(categorical, j), 0
		values = values[:0]
		for i := range all.Rows {
			if v := all.Row(i)[j]; known(category, v) {
				values = append(values, v)
			} else {
				missing++
			}
		}
		if missing > 0 && missing < all.Rows {
			d.columns = append(d.columns, func(row []float64) float64 {
				if known(category, row[j]) {
					return 0
				}
				return 1
			})
		}
		if category {
			d.addCategories(j, values)
		} else {
			d.addNumber(j, slices.Clone(values))
		}
	}
	d.measure(all)
	return d
}

// addNumber appends u and u² of a column.
func (d *design) addNumber(j int, values []float64) {
	slices.Sort(values)
	n := float64(len(values))
	if n == 0 || values[0] == values[len(values)-1] {
		return
	}
	u := func(row []float64) float64 {
		v := row[j]
		if math.IsNaN(v) {
			return 0
		}
		first, _ := slices.BinarySearch(values, v)
		past, _ := slices.BinarySearch(values, math.Nextafter(v, math.Inf(1)))
		return float64(first+past)/n - 1
	}
	d.columns = append(d.columns, u, func(row []float64) float64 {
		if math.IsNaN(row[j]) {
			return 0
		}
		at := u(row)
		return at*at - 1./3
	})
}

// addCategories appends indicators of the most frequent categories of a column.
func (d *design) addCategories(j int, values []float64) {
	counts := map[float64]int{}
	for _, v := range values {
		counts[v]++
	}
	codes := make([]float64, 0, len(counts))
	for v := range counts {
		codes = append(codes, v)
	}
	slices.SortFunc(codes, func(a, b float64) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for _, code := range codes[:min(len(codes), mostCategories)] {
		if counts[code] == len(values) {
			return
		}
		d.columns = append(d.columns, func(row []float64) float64 {
			if row[j] == code {
				return 1
			}
			return 0
		})
	}
}

// measure keeps the means and deviations of the columns over all rows.
func (d *design) measure(all Matrix) {
	d.mean, d.sd = make([]float64, len(d.columns)), make([]float64, len(d.columns))
	column := make([]float64, all.Rows)
	for k, of := range d.columns {
		for i := range column {
			column[i] = of(all.Row(i))
			d.mean[k] += column[i] / float64(all.Rows)
		}
		square := 0.0
		for _, v := range column {
			square += (v - d.mean[k]) * (v - d.mean[k]) / float64(all.Rows)
		}
		if square > 1e-12 {
			d.sd[k] = math.Sqrt(square)
		}
	}
}

// matrix has a column of ones, then the columns of the design, centred and scaled.
func (d design) matrix(rows Matrix) *mat.Dense {
	x := mat.NewDense(rows.Rows, 1+len(d.columns), nil)
	for i := range rows.Rows {
		x.Set(i, 0, 1)
		for k, of := range d.columns {
			if d.sd[k] > 0 {
				x.Set(i, 1+k, (of(rows.Row(i))-d.mean[k])/d.sd[k])
			}
		}
	}
	return x
}
