package rows

import (
	"cmp"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Alone returns the first complete column that determines the targets of a table alone, -1 if there
// is none: a line on it leaves less than 1/10,000 of the variance of numbers, or rows with equal
// values have equal targets, in one order or, of labels and categories, one to one. There is none
// if chance gives an order like that of the targets with a probability of 1e-6 or more.
func Alone(x matrix.Matrix, categorical []bool, y []float64, labels bool) int {
	ways, _ := math.Lgamma(float64(len(y)) + 1)
	times := map[float64]int{}
	for _, v := range y {
		times[v]++
	}
	for _, m := range times {
		same, _ := math.Lgamma(float64(m) + 1)
		ways -= same
	}
	if ways < math.Log(1e6) {
		return -1
	}
	for j := range x.Cols {
		column := x.Column(nil, j)
		unordered := labels || j < len(categorical) && categorical[j]
		few := min(500, len(y)) // which rule out nearly all columns
		if !slices.ContainsFunc(column, math.IsNaN) &&
			(!unordered && line(column, y) ||
				determined(column[:few], y[:few], unordered) && determined(column, y, unordered) &&
					(!unordered || 2*len(times) <= len(y))) {
			return j
		}
	}
	return -1
}

// determined reports whether rows with equal values have equal targets: one to one if they are
// unordered, else in one order.
func determined(x, y []float64, unordered bool) bool {
	order, of := make([]int, len(x)), map[float64]float64{} // of: the value of a target
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	rising, falling := true, true
	for k, i := range order {
		last := order[max(0, k-1)]
		first, known := of[y[i]]
		if x[last] == x[i] && y[last] != y[i] || unordered && known && first != x[i] {
			return false
		}
		of[y[i]] = x[i]
		rising, falling = rising && y[last] <= y[i], falling && y[last] >= y[i]
	}
	return unordered || rising || falling
}

// line reports whether a line on x leaves less than 1/10,000 of the variance of y.
func line(x, y []float64) bool {
	mx, my, xx, yy, xy := 0.0, 0.0, 0.0, 0.0, 0.0
	for i, v := range y {
		mx, my = mx+x[i]/float64(len(y)), my+v/float64(len(y))
	}
	for i, v := range y {
		a, b := x[i]-mx, v-my
		xx, yy, xy = xx+a*a, yy+b*b, xy+a*b
	}
	return xy*xy > 0.9999*xx*yy && xx > 0 && yy > 0
}
