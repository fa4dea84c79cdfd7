package tabpfn

import "math"

// stableYeoJohnson is yeoJohnson in a form that keeps its digits for powers near 0 and 2.
func stableYeoJohnson(x, lambda float64) float64 {
	switch {
	case math.IsNaN(lambda) || math.IsNaN(x):
		return x
	case x >= 0 && math.Abs(lambda) < epsilon:
		return math.Log1p(x)
	case x >= 0:
		return math.Expm1(lambda*math.Log1p(x)) / lambda
	case math.Abs(lambda-2) > epsilon:
		return -math.Expm1((2-lambda)*math.Log1p(-x)) / (2 - lambda)
	}
	return -math.Log1p(-x)
}

// stableUnYeoJohnson is the inverse of stableYeoJohnson, NaN outside its range.
func stableUnYeoJohnson(t, lambda float64) float64 {
	switch {
	case math.IsNaN(lambda):
		return t
	case t >= 0 && math.Abs(lambda) < epsilon:
		return math.Expm1(t)
	case t >= 0:
		return math.Expm1(math.Log1p(t*lambda) / lambda)
	case math.Abs(lambda-2) > epsilon:
		return -math.Expm1(math.Log1p(-(2-lambda)*t) / (2 - lambda))
	}
	return -math.Expm1(-t)
}

// powerBounds are the powers within which values up to 20 times the largest present one are
// transformed without overflow or underflow of their variance: half of the exponents of float64,
// over the logarithm of that value. Negative values mirror the bounds about 1.
//
// Source: the discussion of scipy's change 18852, which tabpfn follows since 2.1.1.
func powerBounds(present []float64) (low, high float64) {
	least, most, largest := math.Inf(1), math.Inf(-1), 0.0
	for _, x := range present {
		least, most = math.Min(least, x), math.Max(most, x)
		largest = math.Max(largest, math.Abs(x))
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
