package amp

import "math"

// LocalSize returns the local effective sample size m(x) of a row, by a model's own posterior of
// the median. Let t be the width of the central 80 % of the PPD, and s the same width of the
// median's posterior:
//
//	m = (t² - s²)/s².
//
// m is the ratio of the noise variance to the epistemic variance. The formula is exact for a
// conjugate normal model. If the median is spread wider than the labels, m is 0. If the median is a
// point mass, m is the largest float.
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
