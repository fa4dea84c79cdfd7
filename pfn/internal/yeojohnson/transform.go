// Package yeojohnson has the power transform that makes a column more normal, and the search for
// its parameter. The searches are those of SciPy, point by point, so that columns are transformed
// like by scikit-learn's PowerTransformer.
package yeojohnson

import "math"

// epsilon is the distance from 0 and 2 within which a parameter counts as these.
const epsilon = 0x1p-52

// Transform returns
//
//	x >= 0: ((1+x)^lambda - 1)/lambda,              ln(1+x) at lambda = 0
//	x <  0: -((1-x)^(2-lambda) - 1)/(2-lambda),     -ln(1-x) at lambda = 2
//
// in a form that keeps its digits for lambda near 0 and 2, and x for lambda = NaN. It may overflow.
//
// Source: Yeo and Johnson, "A new family of power transformations to improve normality or
// symmetry", Biometrika 87 (2000) 954-959.
func Transform(x, lambda float64) float64 {
	if math.IsNaN(lambda) || math.IsNaN(x) {
		return x
	}
	return OfLog(Log(x), lambda)
}

// Log returns sign(x) ln(1+|x|).
func Log(x float64) float64 { return math.Copysign(math.Log1p(math.Abs(x)), x) }

// OfLog returns Transform of the value whose Log is l.
func OfLog(l, lambda float64) float64 {
	if l >= 0 {
		return boxCox(l, lambda)
	}
	return -boxCox(-l, 2-lambda)
}

// boxCox returns (e^(lambda l) - 1)/lambda, or l at lambda = 0.
func boxCox(l, lambda float64) float64 {
	if math.Abs(lambda) < epsilon {
		return l
	}
	return math.Expm1(lambda*l) / lambda
}

// Inverse returns the inverse of Transform, NaN outside its range.
func Inverse(t, lambda float64) float64 {
	switch {
	case math.IsNaN(lambda):
		return t
	case t >= 0:
		return math.Expm1(inverseBoxCox(t, lambda))
	}
	return -math.Expm1(inverseBoxCox(-t, 2-lambda))
}

func inverseBoxCox(t, lambda float64) float64 {
	if math.Abs(lambda) < epsilon {
		return t
	}
	return math.Log1p(t*lambda) / lambda
}

// Bounds returns the range of parameters for which the variance of the transformed values neither
// overflows nor underflows, for values up to 20 times the largest magnitude in x. The bounds are
// half of float64's exponents, divided by the logarithm of that value. If all values are negative,
// the bounds are mirrored about 1; if some are negative, both pairs hold.
//
// Source: scipy.stats.yeojohnson_normmax, and the discussion of scipy's change 18852.
func Bounds(x []float64) (low, high float64) {
	least, most, largest := math.Inf(1), math.Inf(-1), 0.0
	for _, v := range x {
		least, most = math.Min(least, v), math.Max(most, v)
		largest = math.Max(largest, math.Abs(v))
	}
	const tiny = 0x1p-1022
	reach := math.Log1p(20 * largest)
	low = (math.Log(tiny) - math.Log(epsilon)) / 2 / reach
	high = (math.Log(math.MaxFloat64) + math.Log(epsilon)) / 2 / reach
	switch {
	case most < 0:
		return 2 - high, 2 - low
	case least < 0:
		return math.Max(2-high, low), math.Min(2-low, high)
	}
	return low, high
}
