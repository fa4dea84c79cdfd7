package evaluate

import (
	"math"
	"slices"
	"sort"
)

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
	most := math.Inf(-1)
	for i, v := range e.sorted {
		terms[i] = Normal{v, e.width}.LogDensity(y)
		most = max(most, terms[i])
	}
	if math.IsInf(most, -1) {
		return most
	}
	sum := 0.0
	for _, t := range terms {
		sum += math.Exp(t - most)
	}
	return most + math.Log(sum/float64(len(terms)))
}
