package tabpfn

import (
	"math"

	"github.com/pfnamp/pfnamp/pfn/internal/yeojohnson"
)

// power is the Yeo-Johnson transform with the maximum-likelihood parameter, then standardisation.
// Missing values become the mean, 0.
type power struct {
	lambda float64 // NaN is the identity
	scaler scaler
	stable bool // see plan
}

func fitPower(values []float64, stable bool) power {
	p := power{lambda: yeoJohnsonLambda(values, stable), stable: stable}
	shaped := make([]float64, len(values))
	for i, v := range values {
		shaped[i] = p.shape(v)
	}
	p.scaler = fitScaler(shaped, true)
	return p
}

func (p power) apply(v float64) float64 { return p.scaler.apply(p.shape(v)) }

// shape returns the transform without the standardisation.
func (p power) shape(v float64) float64 {
	if p.stable {
		return yeojohnson.Transform(v, p.lambda)
	}
	return yeoJohnson(v, p.lambda)
}

// inverse maps a border back, like the reference in float32 with steps of float64.
func (p power) inverse(z float32) float32 {
	scaled := float32(float64(z) * p.scaler.sd)
	t := float64(float32(float64(scaled) + p.scaler.mean))
	if p.stable {
		return float32(yeojohnson.Inverse(t, p.lambda))
	}
	return float32(unYeoJohnson(t, p.lambda))
}

const epsilon = 0x1p-52

// yeoJohnson is yeojohnson.Transform with powers, rounded as in the package before version 2.1.1.
func yeoJohnson(x, lambda float64) float64 {
	switch {
	case math.IsNaN(lambda):
		return x
	case x >= 0 && math.Abs(lambda) < epsilon:
		return math.Log1p(x)
	case x >= 0:
		return (math.Pow(x+1, lambda) - 1) / lambda
	case math.Abs(lambda-2) > epsilon:
		return -(math.Pow(-x+1, 2-lambda) - 1) / (2 - lambda)
	}
	return -math.Log1p(-x)
}

// unYeoJohnson returns the inverse of yeoJohnson, NaN outside its range.
func unYeoJohnson(t, lambda float64) float64 {
	switch {
	case math.IsNaN(lambda):
		return t
	case t >= 0 && math.Abs(lambda) < epsilon:
		return math.Exp(t) - 1
	case t >= 0:
		return math.Pow(t*lambda+1, 1/lambda) - 1
	case math.Abs(lambda-2) > epsilon:
		return 1 - math.Pow(-(2-lambda)*t+1, 1/(2-lambda))
	}
	return 1 - math.Exp(-t)
}

// yeoJohnsonLambda maximises the profile likelihood of lambda over the values that are not missing,
//
//	-n/2 ln var(t) + (lambda - 1) sum sign(x) ln(1+|x|),  t = yeoJohnson(x, lambda).
//
// A column without variation has lambda 1, or NaN if values are missing. Lambda is also NaN if no
// maximum is found.
func yeoJohnsonLambda(values []float64, stable bool) float64 {
	var present []float64
	var sum float64
	for _, x := range values {
		if !math.IsNaN(x) {
			present = append(present, x)
			sum += yeojohnson.Log(x)
		}
	}
	if _, _, constant := moments(present); constant {
		if len(present) < len(values) {
			return math.NaN()
		}
		return 1
	}
	likelihood := profile(present, sum, stable)
	if stable {
		low, high := yeojohnson.Bounds(present)
		return yeojohnson.MinimizeWithin(likelihood, low, high)
	}
	lambda, ok := yeojohnson.Minimize(likelihood)
	if !ok {
		return math.NaN()
	}
	return lambda
}

// profile returns the negative profile likelihood, Inf if the variance vanishes. sum is the sum of
// sign(x) ln(1+|x|).
func profile(present []float64, sum float64, stable bool) func(lambda float64) float64 {
	shaped := make([]float64, len(present))
	return func(lambda float64) float64 {
		p := power{lambda: lambda, stable: stable}
		for i, x := range present {
			shaped[i] = p.shape(x)
		}
		spread := plainVariance(shaped)
		if spread < 0x1p-1022 {
			return math.Inf(1)
		}
		return float64(len(present))/2*math.Log(spread) - (lambda-1)*sum
	}
}

// plainVariance returns the population variance; it does not skip NaN and Inf.
func plainVariance(values []float64) float64 {
	var mean, sum float64
	for _, v := range values {
		mean += v
	}
	mean /= float64(len(values))
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return sum / float64(len(values))
}
