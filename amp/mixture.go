package amp

import (
	"math"
	"slices"
)

// Mixture is the distribution Σ_d w_d P_d of a label that has the distribution P_d with probability
// w_d. It is immutable, and safe for concurrent use if its parts are.
type Mixture[D PPD] struct {
	Parts   []D
	Weights []float64 // positive, with sum 1
}

// rough is the error of a quantile of a mixed surface, relative to the range of the parts'
// quantiles.
const rough = 1e-5

// rounding is the relative error of an inverse that must be exact.
const rounding = 2e-16

// CDF implements [PPD].
func (m Mixture[D]) CDF(y float64) float64 {
	sum := 0.0
	for d, part := range m.Parts {
		sum += m.Weights[d] * part.CDF(y)
	}
	return math.Min(1, sum)
}

// Mean implements [PPD].
func (m Mixture[D]) Mean() float64 {
	sum := 0.0
	for d, part := range m.Parts {
		sum += m.Weights[d] * part.Mean()
	}
	return sum
}

// Quantile implements [PPD]. It inverts CDF between the quantiles of the parts.
func (m Mixture[D]) Quantile(p float64) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, part := range m.Parts {
		q := part.Quantile(p)
		lo, hi = math.Min(lo, q), math.Max(hi, q)
	}
	return inverse(m.CDF, p, lo, hi, 0)
}

// Quantiles implements [BatchPPD].
func (m Mixture[D]) Quantiles(dst, p []float64) {
	lo, hi := slices.Repeat([]float64{math.Inf(1)}, len(p)),
		slices.Repeat([]float64{math.Inf(-1)}, len(p))
	for _, part := range m.Parts {
		quantiles(part, dst, p)
		for i, q := range dst {
			lo[i], hi[i] = math.Min(lo[i], q), math.Max(hi[i], q)
		}
	}
	for i, level := range p {
		dst[i] = inverse(m.CDF, level, lo[i], hi[i], 0)
		if i > 0 {
			dst[i] = math.Max(dst[i], dst[i-1]) // rounding may have broken the order
		}
	}
}

// inverse returns a y in [lo, hi] with cdf(y) >= p, at most near above the smallest one, apart from
// rounding. If there is none, it returns hi. It takes secants, by the Illinois method, and halves
// the interval every third time.
func inverse(cdf func(float64) float64, p, lo, hi, near float64) float64 {
	below, above := cdf(lo)-p, cdf(hi)-p
	switch {
	case below >= 0:
		return lo
	case above < 0:
		return hi
	}
	near = math.Max(near, rounding*math.Max(math.Abs(lo), math.Abs(hi)))
	for step, last := 0, 0; hi-lo > near && step < 300; step++ {
		y := lo + (hi-lo)/2
		if step%3 != 2 {
			y = lo + (hi-lo)*math.Min(0.999, math.Max(0.001, -below/(above-below)))
		}
		if y <= lo || y >= hi {
			return hi
		}
		side := 1
		if at := cdf(y) - p; at < 0 {
			lo, below, side = y, at, -1
		} else {
			hi, above = y, at
		}
		if side == last { // the other end has not moved: halve its weight
			if side < 0 {
				above /= 2
			} else {
				below /= 2
			}
		}
		last = side
	}
	return hi
}
