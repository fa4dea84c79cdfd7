package evaluate

import (
	"math"

	"github.com/pfnamp/pfnamp/amp"
)

// LocalSizes returns the local effective sample sizes that a model's own posterior of the median
// tells: with t the spread of the predictive distribution and s that of the median, both the
// width of the central 80 %,
//
//	m = (t² - s²)/s²,
//
// the ratio of the noise variance to the epistemic variance, which is exact for a conjugate
// normal model. A median that is spread wider than the labels has m = 0, and a point mass the
// largest float.
func LocalSizes(ppds, medians []amp.PPD) []float64 {
	sizes := make([]float64, len(ppds))
	for i := range sizes {
		t, s := spread(ppds[i]), spread(medians[i])
		if s == 0 {
			sizes[i] = math.MaxFloat64
			continue
		}
		sizes[i] = math.Max(0, (t*t-s*s)/(s*s))
	}
	return sizes
}

// spread is the width of the central 80 %.
func spread(p amp.PPD) float64 { return p.Quantile(0.9) - p.Quantile(0.1) }
