package tabpfn

import "github.com/pfnamp/pfnamp/internal/matrix"

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
