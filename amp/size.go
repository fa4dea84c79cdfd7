package amp

import "math"

// LocalSize returns the local effective sample size m(x) that a model's own posterior of the median
// tells at a row: with t the spread of the PPD and s that of the median, both the width of the
// central 80 %,
//
//	m = (t² - s²)/s²,
//
// the ratio of the noise variance to the epistemic variance, which is exact for a conjugate normal
// model. A median that is spread wider than the labels has m = 0, and a point mass the largest
// float.
func LocalSize(ppd PPD, median Marginal) float64 {
	t, s := spread(ppd), spread(median)
	if s == 0 {
		return math.MaxFloat64
	}
	r := t / s // whose square has no unit, unlike those of t and s
	return math.Max(0, math.Min(math.MaxFloat64, r*r-1))
}

// spread is the width of the central 80 %.
func spread(m Marginal) float64 { return m.Quantile(0.9) - m.Quantile(0.1) }
