package tabicl

import (
	"math"

	"github.com/pfnamp/pfnamp/pfn/internal/yeojohnson"
)

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
	if !constantTarget(values).Constant {
		p.lambda = yeoJohnsonLambda(values)
	}
	transformed := make([]float64, len(values))
	for i, v := range values {
		transformed[i] = yeojohnson.Transform(v, p.lambda)
	}
	p.standard = measure(transformed)
	if p.standard.sd == 0 || constantTarget(transformed).Constant {
		p.standard.sd = 1
	}
	return p
}

// apply transforms one value. If the transform would leave the range of float64, it first moves the
// value into the range of the context rows, where the result is finite.
func (p *powerTransform) apply(z float64) float64 {
	t := p.standard.scale(yeojohnson.Transform(z, p.lambda))
	if math.IsInf(t, 0) || math.IsNaN(t) {
		t = p.standard.scale(yeojohnson.Transform(min(max(z, p.lo), p.hi), p.lambda))
	}
	z = (t - p.standard.mean) / p.standard.sd
	return min(max(z, -math.MaxFloat64), math.MaxFloat64)
}

// yeoJohnsonLambda maximises the profile likelihood of lambda,
//
//	-n/2 ln var(t) + (lambda - 1) sum sign(z) ln(1+|z|),  t = yeojohnson.Transform(z, lambda),
//
// within yeojohnson.Bounds, as scipy.stats.yeojohnson_normmax does.
func yeoJohnsonLambda(values []float64) float64 {
	logs := make([]float64, len(values)) // sign(z) ln(1+|z|)
	var sum float64
	for i, z := range values {
		logs[i] = yeojohnson.Log(z)
		sum += logs[i]
	}
	lo, hi := yeojohnson.Bounds(values)
	transformed := make([]float64, len(values))
	return yeojohnson.MinimizeWithin(func(lambda float64) float64 {
		for i, l := range logs {
			transformed[i] = yeojohnson.OfLog(l, lambda)
		}
		m := measure(transformed)
		if !(m.sd > 0) || math.IsInf(m.sd, 0) {
			return math.Inf(1)
		}
		logSD := math.Log(m.sd) + float64(m.exp)*math.Ln2
		return float64(len(values))*logSD - (lambda-1)*sum
	}, lo, hi)
}
