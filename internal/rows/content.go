package rows

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Classes returns the place of every class in an order that does not depend on how classes are
// numbered: by the number of rows, most first, then by what these rows hold.
func Classes(x matrix.Matrix, categorical []bool, y []float64, classes int) []int {
	return Places(y, classes, Moments(x, categorical, make([]float64, len(y))))
}

// Places returns the place of every code in the order of the number of rows that have it, most
// first, then of sums of their moments. Rows with a negative code have none.
func Places(codes []float64, n int, moments [][]float64) []int {
	keys, places := make([][]float64, n), make([]int, n)
	for k := range keys {
		keys[k] = make([]float64, 1+len(moments))
	}
	for i, k := range codes {
		if !(k >= 0) {
			continue
		}
		keys[int(k)][0]--
		for m, values := range moments {
			keys[int(k)][m+1] += values[i]
		}
	}
	for place, k := range ByKeys(keys) {
		places[k] = place
	}
	return places
}

// ByKeys lists the places of keys in the order of the keys, number by number.
func ByKeys(keys [][]float64) []int {
	const alike = 1e-8 // relative difference of keys that are equal but for rounding
	order := matrix.Upto(len(keys))
	slices.SortStableFunc(order, func(a, b int) int {
		for i, x := range keys[a] {
			if y := keys[b][i]; math.Abs(x-y) > alike*(1+math.Abs(x)+math.Abs(y)) {
				return cmp.Compare(x, y)
			}
		}
		return 0
	})
	return order
}

// Renumbered returns the places of the classes of rows.
func Renumbered(y []float64, places []int) []float64 {
	out := make([]float64, len(y))
	for i, k := range y {
		out[i] = float64(places[int(k)])
	}
	return out
}

// Moments describes every row of a labelled table without regard to the order of columns and to
// codes: by the target and sums of powers of standardised numbers. The number of a category is how
// many rows have it.
func Moments(x matrix.Matrix, categorical []bool, y []float64) [][]float64 {
	const powers = 3 // sums of powers, from squares
	moments := [][]float64{Standardised(y)}
	for range powers {
		moments = append(moments, make([]float64, x.Rows))
	}
	for j := range x.Cols {
		values := x.Column(nil, j)
		if j < len(categorical) && categorical[j] {
			values = counts(values)
		}
		for i, v := range Standardised(values) {
			power := v
			for p := range powers {
				power *= v
				moments[p+1][i] += power
			}
		}
	}
	return moments
}

// counts returns how often the code of every row occurs, NaN where it is missing.
func counts(codes []float64) []float64 {
	rows, out := map[float64]float64{}, make([]float64, len(codes))
	for _, k := range codes {
		rows[k]++
	}
	for i, k := range codes {
		if out[i] = rows[k]; !(k >= 0) {
			out[i] = math.NaN()
		}
	}
	return out
}

// Standardised returns numbers minus their mean, divided by their deviation; missing ones are 0.
func Standardised(values []float64) []float64 {
	known := slices.DeleteFunc(slices.Clone(values), func(v float64) bool {
		return math.IsNaN(v) || math.IsInf(v, 0)
	})
	out, n := make([]float64, len(values)), float64(len(known))
	mean := floats.Sum(known) / n
	floats.AddConst(-mean, known)
	spread := floats.Norm(known, 2) / math.Sqrt(n)
	for i, v := range values {
		if z := (v - mean) / spread; !math.IsNaN(z) && !math.IsInf(z, 0) {
			out[i] = z
		}
	}
	return out
}

// Scale is the mean and the standard deviation of a numeric feature over the rows of the context
// that have it. The deviation is 0 if the feature does not vary. Both are 0 for a category.
type Scale struct {
	Center float64 `json:"center"`
	Spread float64 `json:"spread"`
}

// Scales measures the features of a context.
func Scales(x matrix.Matrix, categorical []bool) []Scale {
	scales := make([]Scale, x.Cols)
	for j := range scales {
		if j < len(categorical) && categorical[j] {
			continue
		}
		n, mean, square := 0.0, 0.0, 0.0
		for i := range x.Rows {
			v := x.Data[i*x.Cols+j]
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			n++
			step := (v - mean) / n
			square += (v - mean) * (v - mean - step)
			mean += step
		}
		if spread := math.Sqrt(square / n); spread > 0 && spread < math.Inf(1) {
			scales[j] = Scale{mean, spread}
		}
	}
	return scales
}
