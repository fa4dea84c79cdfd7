package evaluate

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"
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

// Empirical is the distribution that gives every label of a sample the same probability.
type Empirical struct {
	sorted []float64
	mean   float64
	gini   float64 // mean of |Y - Y'| / 2 over all pairs of labels
	width  float64 // of the kernels of LogDensity
}

// NewEmpirical makes the distribution of at least one label.
func NewEmpirical(labels []float64) *Empirical {
	e := &Empirical{sorted: slices.Sorted(slices.Values(labels))}
	n := float64(len(labels))
	var m Moments
	for i, y := range e.sorted {
		m.Add(y)
		e.gini += (2*float64(i) + 1 - n) * y / (n * n)
	}
	e.mean = m.Mean()
	spread := min(m.SE()*math.Sqrt(n), (e.Quantile(0.75)-e.Quantile(0.25))/1.34)
	if !(spread > 0) {
		spread = max(m.SE()*math.Sqrt(n), math.SmallestNonzeroFloat64)
	}
	e.width = 0.9 * spread * math.Pow(n, -0.2)
	return e
}

// CDF returns the share of labels at most y.
func (e *Empirical) CDF(y float64) float64 {
	above := sort.Search(len(e.sorted), func(i int) bool { return e.sorted[i] > y })
	return float64(above) / float64(len(e.sorted))
}

// Quantile returns the smallest label that at least the share p of all labels does not exceed, for
// p in (0, 1).
func (e *Empirical) Quantile(p float64) float64 {
	i := int(math.Ceil(p*float64(len(e.sorted))-1e-9)) - 1
	return e.sorted[max(0, min(len(e.sorted)-1, i))]
}

// Mean returns the mean of the labels.
func (e *Empirical) Mean() float64 { return e.mean }

// CRPS returns E|Y - y| - E|Y - Y'|/2 (Gneiting and Raftery 2007, equation 21).
func (e *Empirical) CRPS(y float64) float64 {
	sum := 0.0
	for _, v := range e.sorted {
		sum += math.Abs(v - y)
	}
	return sum/float64(len(e.sorted)) - e.gini
}

// LogDensity returns the logarithm of the density of the labels smoothed by normal kernels, whose
// width is 0.9 min(s, IQR/1.34) n^(-1/5) (Silverman 1986, equation 3.31).
func (e *Empirical) LogDensity(y float64) float64 {
	terms := make([]float64, len(e.sorted))
	for i, v := range e.sorted {
		terms[i] = Normal{v, e.width}.LogDensity(y)
	}
	return floats.LogSumExp(terms) - math.Log(float64(len(terms)))
}

// BinomialInterval returns the exact interval of level (in (0, 1)) for a probability, given
// k successes in n > 0 independent trials (Clopper and Pearson 1934): with α = 1 - level,
//
//	lo: P(X >= k) = α/2, 0 for k = 0;  hi: P(X <= k) = α/2, 1 for k = n,
//
// which are quantiles of beta distributions. It covers with probability level or more.
func BinomialInterval(k, n int, level float64) (lo, hi float64) {
	tail := (1 - level) / 2
	lo, hi = 0, 1
	if k > 0 {
		lo = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(tail)
	}
	if k < n {
		hi = distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(1 - tail)
	}
	return lo, hi
}
