package tabpfn

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// What follows are steps that pipelines of other families share with those of TabPFN.

// Distinct returns the values that occur, ascending, and how often. All NaN are one value, last.
func Distinct(values []float64) (unique []float64, counts []int) { return distinct(values) }

// Columns returns the columns below n that are not listed, ascending.
func Columns(n int, listed []int) []int { return others(n, listed) }

// Percentile interpolates linearly between order statistics; percent is within 0..100. It is NaN
// without values.
func Percentile(sorted []float64, percent float64) float64 { return atPercent(sorted, percent) }

// Moments returns mean and population variance of the finite values, 0 if there are none, and
// whether the variance is no larger than the rounding error of computing it.
func Moments(values []float64) (mean, variance float64, constant bool) {
	count := 0
	for _, v := range values {
		if v-v == 0 {
			count++
		}
	}
	mean, variance = moments(values)
	return mean, variance, indistinct(mean, variance, count)
}

// Positions learns so many quantiles of the context rows of one column, at least 1 and at most one
// for each row. The function maps a value to its position in [0, 1] among them, or to the standard
// normal quantile of that position; NaN stays NaN.
func Positions(values []float64, count int, normal bool) func(v float64) float64 {
	p := fitPosition(values, count)
	if normal {
		return normalPosition{p}.apply
	}
	return p.apply
}

// Products divides every column by its scale and appends this number of products of two columns, at
// most all. round is applied to every number. The second factor is drawn among the columns from the
// first factor on, in their order.
func Products(
	scales []float64, most int, seed uint64, round func(float64) float64,
) func(matrix.Matrix) matrix.Matrix {
	p, columns := &products{scales: scales, round: round}, len(scales)
	ascending := func(from, to int, taken []int) (free []int) {
		for j := from; j < to; j++ {
			if !slices.Contains(taken, j) {
				free = append(free, j)
			}
		}
		return free
	}
	p.draw(columns, productCount(columns, most), seed, ascending)
	return p.apply
}

// Scale divides a number by a deviation; a missing one becomes Fill first.
type Scale struct {
	Fill, By float64
	Round    func(float64) float64 // of the result
}

func (s Scale) apply(v float64) float64 {
	if math.IsNaN(v) {
		v = s.Fill
	}
	return s.Round(v / s.By)
}

// Components projects a row on the leading right singular vectors of the scaled context rows. The
// row of largest magnitude along every vector is on its positive side. There are no components if
// numbers overflow float64, because then there are no singular vectors.
func Components(x matrix.Matrix, scales []Scale, k int) func(matrix.Matrix) matrix.Matrix {
	c := &components{}
	for _, s := range scales {
		c.scalers = append(c.scalers, s)
	}
	c.fit(x, k, true)
	return c.apply
}

// CommonCategories replaces, among the candidates, the values of very common categories by permuted
// codes, in front of the other columns. A missing or unseen value becomes NaN.
func CommonCategories(
	x matrix.Matrix, candidates []int, seed uint64,
) func(matrix.Matrix) matrix.Matrix {
	return fitOrdinals(x, candidates, ordinalRule{veryCommon: true, shuffled: true}, seed).apply
}

// SaltedHash appends a column with a hash of every row in [0, 1). Context rows have different
// hashes; a query row has another one than an equal context row.
type SaltedHash struct{ saltedHash }

// NewSaltedHash draws the salt.
func NewSaltedHash(seed uint64) SaltedHash { return SaltedHash{newSaltedHash(seed)} }

// Append adds the column to context rows, or to query rows.
func (h SaltedHash) Append(x matrix.Matrix, context bool) matrix.Matrix {
	if context {
		return h.context(x)
	}
	return h.query(x)
}

// YeoJohnsonPower is the most likely parameter of the Yeo-Johnson transform for the values that
// are not NaN: see yeojohnson.Transform. A column without variation has 1, or NaN if values are
// missing.
func YeoJohnsonPower(values []float64) float64 { return yeoJohnsonLambda(values, true) }
