package reading

import (
	"math"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/pfn"
)

// mixture is a label's distribution: one of several with given probabilities.
type mixture struct{ amp.Mixture[pfn.PPD] }

var _ pfn.PPD = mixture{}

// Density implements [pfn.PPD].
func (m mixture) Density(y float64) float64 {
	sum := 0.0
	for d, part := range m.Parts {
		sum += m.Weights[d] * part.Density(y)
	}
	return sum
}

// LogDensity implements [pfn.PPD].
func (m mixture) LogDensity(y float64) float64 {
	most, logs := math.Inf(-1), make([]float64, len(m.Parts))
	for d, part := range m.Parts {
		logs[d] = part.LogDensity(y) + math.Log(m.Weights[d])
		most = math.Max(most, logs[d])
	}
	if math.IsInf(most, 0) {
		return most
	}
	sum := 0.0
	for _, v := range logs {
		sum += math.Exp(v - most)
	}
	return most + math.Log(sum)
}

// Variance implements [pfn.PPD].
func (m mixture) Variance() float64 {
	mean, sum := m.Mean(), 0.0
	for d, part := range m.Parts {
		off := part.Mean() - mean
		sum += m.Weights[d] * (part.Variance() + off*off)
	}
	return sum
}

// crpsLevels is the number of quantiles of a mixture for measuring how far its parts are apart.
const crpsLevels = 512

// CRPS implements [pfn.PPD]. With the distribution functions F_d of the parts and F of the mixture,
//
//	∫ (F(t) - 1{t>=y})² dt = Σ_d w_d CRPS_d(y) - Σ_d w_d ∫ (F_d(t) - F(t))² dt
//
// where the second integral does not depend on y and is computed by trapezes.
func (m mixture) CRPS(y float64) float64 {
	sum := 0.0
	for d, part := range m.Parts {
		sum += m.Weights[d] * part.CRPS(y)
	}
	levels, at := make([]float64, crpsLevels), make([]float64, crpsLevels)
	for i := range levels {
		z := -5 + 10*float64(i)/(crpsLevels-1)
		levels[i] = 0.5 * math.Erfc(-z/math.Sqrt2)
	}
	m.Quantiles(at, levels)
	before := 0.0
	for i, t := range at {
		mean, square := m.CDF(t), 0.0
		for d, part := range m.Parts {
			off := part.CDF(t) - mean
			square += m.Weights[d] * off * off
		}
		if i > 0 {
			sum -= (square + before) / 2 * (t - at[i-1])
		}
		before = square
	}
	return sum
}
