package amp

import "math"

// LocalSize returns the local effective sample size m(x) of a row, in units of labels. It compares
// the PPD with the model's own posterior of the median. Let t be the width of the central 80 % of
// the PPD, and s that width of the median's posterior:
//
//	m = (t² - s²)/s².
//
// m is the ratio of the noise variance to the epistemic variance. The formula is exact for a
// conjugate normal model. If the posterior of the median is wider than the PPD, m is 0. If the
// median is a point mass, m is the largest float.
func LocalSize(ppd PPD, median Marginal) float64 {
	t, s := spread(ppd), spread(median)
	if s == 0 {
		return math.MaxFloat64
	}
	r := t / s // the square of r has no unit, unlike t² and s²
	return math.Max(0, math.Min(math.MaxFloat64, r*r-1))
}

// spread returns the width of the central 80 %.
func spread(m Marginal) float64 { return m.Quantile(0.9) - m.Quantile(0.1) }
