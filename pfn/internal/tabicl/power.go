package tabicl

import "math"

// powerTransform is the Yeo-Johnson transform with parameter lambda, then standardisation with
// the moments of the transformed context rows.
type powerTransform struct {
	lambda   float64
	lo, hi   float64 // range of the context rows
	standard moments
}

// fitPower chooses lambda by maximum likelihood. A column that does not vary keeps lambda 1.
func fitPower(values []float64) *powerTransform {
	p := &powerTransform{lambda: 1, lo: math.Inf(1), hi: math.Inf(-1)}
	for _, v := range values {
		p.lo, p.hi = min(p.lo, v), max(p.hi, v)
	}
	if !FitTarget(values).Constant {
		p.lambda = yeoJohnsonLambda(values)
	}
	transformed := make([]float64, len(values))
	for i, v := range values {
		transformed[i] = yeoJohnson(v, p.lambda)
	}
	p.standard = measure(transformed)
	if p.standard.sd == 0 || FitTarget(transformed).Constant {
		p.standard.sd = 1
	}
	return p
}

// apply transforms one value. Where the transform leaves the range of float64 the value is first
// moved into the range of the context rows, for which it is known to be finite.
func (p *powerTransform) apply(z float64) float64 {
	t := p.standard.scale(yeoJohnson(z, p.lambda))
	if math.IsInf(t, 0) || math.IsNaN(t) {
		t = p.standard.scale(yeoJohnson(min(max(z, p.lo), p.hi), p.lambda))
	}
	z = (t - p.standard.mean) / p.standard.sd
	return min(max(z, -math.MaxFloat64), math.MaxFloat64)
}

// yeoJohnson is the transform
//
//	z >= 0: ((1+z)^lambda - 1)/lambda,              ln(1+z) at lambda = 0
//	z <  0: -((1-z)^(2-lambda) - 1)/(2-lambda),     -ln(1-z) at lambda = 2
//
// Source: Yeo and Johnson, "A new family of power transformations to improve normality or
// symmetry", Biometrika 87 (2000) 954-959.
func yeoJohnson(z, lambda float64) float64 {
	if z >= 0 {
		return boxCoxLog(math.Log1p(z), lambda)
	}
	return -boxCoxLog(math.Log1p(-z), 2-lambda)
}

// boxCoxLog is (e^(lambda l) - 1)/lambda, and l at lambda = 0.
func boxCoxLog(l, lambda float64) float64 {
	if math.Abs(lambda) < 0x1p-52 {
		return l
	}
	return math.Expm1(lambda*l) / lambda
}

// yeoJohnsonLambda maximises the profile likelihood of lambda,
//
//	-n/2 ln var(t) + (lambda - 1) sum sign(z) ln(1+|z|),  t = yeoJohnson(z, lambda),
//
// by bounded Brent search between bounds that keep the transform of values up to 20 times the
// largest one within half the exponent range, as scipy.stats.yeojohnson_normmax does.
func yeoJohnsonLambda(values []float64) float64 {
	logs := make([]float64, len(values)) // sign(z) ln(1+|z|)
	var sum, largest float64
	negative := 0
	for i, z := range values {
		logs[i] = math.Copysign(math.Log1p(math.Abs(z)), z)
		sum += logs[i]
		largest = max(largest, math.Abs(z))
		if z < 0 {
			negative++
		}
	}
	lo, hi := lambdaBounds(largest, negative, len(values))
	transformed := make([]float64, len(values))
	return minimize(func(lambda float64) float64 {
		for i, l := range logs {
			if l >= 0 {
				transformed[i] = boxCoxLog(l, lambda)
			} else {
				transformed[i] = -boxCoxLog(-l, 2-lambda)
			}
		}
		m := measure(transformed)
		if !(m.sd > 0) || math.IsInf(m.sd, 0) {
			return math.Inf(1)
		}
		logSD := math.Log(m.sd) + float64(m.exp)*math.Ln2
		return float64(len(values))*logSD - (lambda-1)*sum
	}, lo, hi)
}

// lambdaBounds are the bounds of scipy.stats.yeojohnson_normmax.
func lambdaBounds(largest float64, negative, n int) (lo, hi float64) {
	const logEps, logTiny, logMax = -36.04365338911715, -708.3964185322641, 709.782712893384
	reach := math.Log1p(20 * largest)
	lo, hi = (logTiny-logEps)/2/reach, (logMax+logEps)/2/reach
	switch {
	case negative == n:
		return 2 - hi, 2 - lo
	case negative > 0:
		return max(2-hi, lo), min(2-lo, hi)
	}
	return lo, hi
}
