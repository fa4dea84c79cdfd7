package paper

import (
	"math"

	"github.com/pfnamp/pfnamp/evaluate"
)

// stretched is a distribution with its distances from the median multiplied by a factor > 0: the
// compressed (0.8) and widened (1.25) initial distributions of the paper's ablation.
type stretched struct {
	evaluate.PPD
	factor float64
}

// CDF returns the distribution function.
func (s stretched) CDF(y float64) float64 { return s.PPD.CDF(s.back(y)) }

// Quantile returns the stretched quantile.
func (s stretched) Quantile(p float64) float64 {
	m := s.median()
	return m + s.factor*(s.PPD.Quantile(p)-m)
}

// Mean returns the stretched mean.
func (s stretched) Mean() float64 {
	m := s.median()
	return m + s.factor*(s.PPD.Mean()-m)
}

// LogDensity returns the logarithm of the density.
func (s stretched) LogDensity(y float64) float64 {
	return s.PPD.LogDensity(s.back(y)) - math.Log(s.factor)
}

// CRPS returns the score at y, which scales with the factor.
func (s stretched) CRPS(y float64) float64 { return s.factor * s.PPD.CRPS(s.back(y)) }

func (s stretched) median() float64 { return s.PPD.Quantile(0.5) }

// back maps y to the scale of the distribution that is stretched.
func (s stretched) back(y float64) float64 {
	m := s.median()
	return m + (y-m)/s.factor
}
