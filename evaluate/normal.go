package evaluate

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Normal is a normal predictive distribution.
type Normal struct {
	Mu, Sigma float64 // mean and standard deviation, Sigma >= 0
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
// equation 21), and |y-μ| for σ = 0.
func (n Normal) CRPS(y float64) float64 {
	if n.Sigma == 0 {
		return math.Abs(y - n.Mu)
	}
	z := (y - n.Mu) / n.Sigma
	phi := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
	return n.Sigma * (z*math.Erf(z/math.Sqrt2) + 2*phi - 1/math.Sqrt(math.Pi))
}
