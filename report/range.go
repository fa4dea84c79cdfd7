package report

import "math"

// ShareRange gives the panels of a row the range that all their series need.
func ShareRange(row []Panel) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range row {
		for _, s := range p.Series {
			for _, list := range [][]float64{s.Y, s.Lo, s.Hi} {
				for _, y := range drawable(list) {
					if !math.IsNaN(y) {
						lo, hi = min(lo, y), max(hi, y)
					}
				}
			}
		}
	}
	lo, hi = told(lo, hi)
	for i := range row {
		row[i].Range = []float64{lo, hi}
	}
}

// told widens a range whose ends are the same in the twelve digits of a mark on an axis.
func told(lo, hi float64) (float64, float64) {
	size := max(math.Abs(lo), math.Abs(hi))
	if math.IsInf(size, 0) || hi-lo > 1e-12*size {
		return lo, hi
	}
	pad := max(1, 1e-6*size)
	return lo - pad, hi + pad
}
