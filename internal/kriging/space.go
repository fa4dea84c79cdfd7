package kriging

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Space gives rows coordinates. A number becomes a coordinate with the standard deviation of
// uniform numbers from 0 to 1. If its column has missing cells, a second coordinate marks them. A
// category becomes a coordinate of its own, which is 1 in its rows. The code -1 of missing
// categories is one more category. A category that no row of [NewSpace] has, or NaN for one that
// the schema lacks, is 0 in all coordinates of its column.
//
// Every coordinate has a length of its own, so one category can differ from all others. Only the
// categories of a column with more than mostLevels of them share one length.
type Space struct {
	columns []column
	size    int   // coordinates
	length  []int // of every coordinate, from 0
	lengths int   // their number
}

// column holds the coordinates of a column.
type column struct {
	first       int // coordinate
	center      float64
	unit        float64 // 0 where the column does not vary
	gaps        bool    // a second coordinate marks missing cells
	levels      []float64
	categorical bool
}

// mostLevels is the largest number of categories that have lengths of their own.
const mostLevels = 10

// NewSpace measures the columns of all rows, measured or not. NaN is a missing number.
func NewSpace(x matrix.Matrix, categorical []bool) *Space {
	s := &Space{}
	for j := range x.Cols {
		c := column{first: s.size}
		values := x.Column(nil, j)
		known := slices.DeleteFunc(slices.Clone(values), func(v float64) bool {
			return math.IsNaN(v) || math.IsInf(v, 0)
		})
		slices.Sort(known) // sums do not depend on the order of rows
		if j < len(categorical) && categorical[j] {
			c.categorical, c.levels = true, slices.Compact(known)
			s.add(len(c.levels), len(c.levels) > mostLevels)
		} else {
			c.measure(known)
			s.add(1, false)
			if c.gaps = len(known) > 0 && len(known) < len(values); c.gaps {
				s.add(1, false)
			}
		}
		s.columns = append(s.columns, c)
	}
	return s
}

// add adds coordinates.
func (s *Space) add(coordinates int, together bool) {
	for k := range coordinates {
		if k == 0 || !together {
			s.lengths++
		}
		s.length = append(s.length, s.lengths-1)
	}
	s.size += coordinates
}

// measure finds the center and the unit of numbers: √12 standard deviations are the width of a
// uniform distribution.
func (c *column) measure(known []float64) {
	if len(known) == 0 {
		return
	}
	n, squares := float64(len(known)), 0.0
	for _, v := range known {
		c.center += v / n
	}
	for _, v := range known {
		squares += (v - c.center) * (v - c.center) / n
	}
	if spread := math.Sqrt(12 * squares); spread > 0 && !math.IsInf(spread, 0) {
		c.unit = 1 / spread
	}
}

// farthest bounds coordinates: rows so far away are uncorrelated with all others.
const farthest = 1e6

// place returns the coordinates of a row.
func (s *Space) place(row []float64) []float64 {
	at := make([]float64, s.size)
	for j, c := range s.columns {
		v := row[j]
		switch {
		case c.categorical:
			if k, found := slices.BinarySearch(c.levels, v); found {
				at[c.first+k] = 1
			}
		case !math.IsNaN(v):
			if c.unit > 0 {
				at[c.first] = max(-farthest, min(farthest, (v-c.center)*c.unit))
			}
		case c.gaps:
			at[c.first+1] = 1
		}
	}
	return at
}

// places are the coordinates of rows.
func (s *Space) places(x matrix.Matrix) [][]float64 {
	all := make([][]float64, x.Rows)
	for i := range all {
		all[i] = s.place(x.Row(i))
	}
	return all
}

// squares adds the squared differences of two places to those of each length.
func (s *Space) squares(dst, a, b []float64) {
	for k, v := range a {
		dst[s.length[k]] += (v - b[k]) * (v - b[k])
	}
}
