package tabicl

import "github.com/pfnamp/pfnamp/internal/matrix"

// Shares are linear predictions of the shares of classes: ridge regressions of the classes'
// indicators on the features of the norm None. A member with a trend of a classifier reads them as
// columns after the features, one for every class, or that of the second class alone of two.
//
// A context row reads what is predicted of it with slopes learned without the row. The mean is that of all
// rows: one without the row would tell the row's class.
type Shares struct {
	Centre []float64   // of every feature
	Slopes [][]float64 // of every column, of every feature
	Means  []float64   // of every column
}

// maxShares is the most classes for which there are shares.
const maxShares = 10

// shareColumns is the number of columns of so many classes.
func shareColumns(classes int) int {
	if classes == 2 {
		return 1
	}
	return classes
}

// fitShares learns shares from features z [N, H] and classes 0..K-1, and returns with them the
// columns [N, K or 1] of the context rows.
func fitShares(z matrix.Matrix, y []float64, classes int) (*Shares, matrix.Matrix) {
	r, columns := newRidge(z), matrix.New(z.Rows, shareColumns(classes))
	s, first := &Shares{Centre: r.centre}, classes-columns.Cols
	for k := range columns.Cols {
		mean, centred := 0.0, make([]float64, len(y))
		for i, class := range y {
			if int(class) == k+first {
				centred[i] = 1
				mean += 1 / float64(len(y))
			}
		}
		for i := range centred {
			centred[i] -= mean
		}
		slope, left := r.fit(centred, 0)
		for i, e := range left {
			columns.Data[i*columns.Cols+k] = mean + centred[i] - e
		}
		s.Slopes, s.Means = append(s.Slopes, slope), append(s.Means, mean)
	}
	return s, columns
}

// at returns the columns of every row of features [rows, H].
func (s *Shares) at(z matrix.Matrix) matrix.Matrix {
	columns := matrix.New(z.Rows, len(s.Means))
	for k, slope := range s.Slopes {
		for i, v := range linear(z, s.Centre, slope, s.Means[k]) {
			columns.Data[i*columns.Cols+k] = v
		}
	}
	return columns
}

// beside returns the columns of a, then those of b.
func beside(a, b matrix.Matrix) matrix.Matrix {
	out := matrix.New(a.Rows, a.Cols+b.Cols)
	for i := range a.Rows {
		copy(out.Row(i), a.Row(i))
		copy(out.Row(i)[a.Cols:], b.Row(i))
	}
	return out
}
