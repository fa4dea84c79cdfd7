package evaluate

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Normal is a normal predictive distribution.
type Normal struct {
	Mu, Sigma float64 // mean and standard deviation, Sigma > 0
}

func (n Normal) law() distuv.Normal { return distuv.Normal{Mu: n.Mu, Sigma: n.Sigma} }

// CDF returns Φ((y-μ)/σ).
func (n Normal) CDF(y float64) float64 { return n.law().CDF(y) }

// Quantile returns μ + σ Φ^-1(p) for p in (0, 1).
func (n Normal) Quantile(p float64) float64 { return n.law().Quantile(p) }

// Mean returns μ.
func (n Normal) Mean() float64 { return n.Mu }

// LogDensity returns the logarithm of the density.
func (n Normal) LogDensity(y float64) float64 { return n.law().LogProb(y) }

// CRPS returns σ [z (2Φ(z) - 1) + 2φ(z) - 1/√π] with z = (y-μ)/σ (Gneiting and Raftery 2007,
// equation 21).
func (n Normal) CRPS(y float64) float64 {
	z := (y - n.Mu) / n.Sigma
	phi := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
	return n.Sigma * (z*math.Erf(z/math.Sqrt2) + 2*phi - 1/math.Sqrt(math.Pi))
}

// Stretched is a distribution with its distances from the median multiplied by Factor > 0: the
// compressed (0.8) and widened (1.25) initial distributions of the paper's ablation.
type Stretched struct {
	PPD
	Factor float64
}

// CDF returns the distribution function.
func (s Stretched) CDF(y float64) float64 { return s.PPD.CDF(s.back(y)) }

// Quantile returns the stretched quantile.
func (s Stretched) Quantile(p float64) float64 {
	m := s.median()
	return m + s.Factor*(s.PPD.Quantile(p)-m)
}

// Mean returns the stretched mean.
func (s Stretched) Mean() float64 {
	m := s.median()
	return m + s.Factor*(s.PPD.Mean()-m)
}

// LogDensity returns the logarithm of the density.
func (s Stretched) LogDensity(y float64) float64 {
	return s.PPD.LogDensity(s.back(y)) - math.Log(s.Factor)
}

// CRPS returns the score at y, which scales with the factor.
func (s Stretched) CRPS(y float64) float64 { return s.Factor * s.PPD.CRPS(s.back(y)) }

func (s Stretched) median() float64 { return s.PPD.Quantile(0.5) }

// back maps y to the scale of the distribution that is stretched.
func (s Stretched) back(y float64) float64 {
	m := s.median()
	return m + (y-m)/s.Factor
}
