package pfn

// PPD is the posterior predictive distribution of the target of one query row, in units of the
// target.
type PPD interface {
	CDF(y float64) float64        // P(Y <= y)
	Quantile(p float64) float64   // least y with CDF(y) >= p
	Quantiles(dst, p []float64)   // the quantile at every level of p
	Density(y float64) float64    // density of the continuous part
	LogDensity(y float64) float64 // its logarithm
	Mean() float64
	Variance() float64
	CRPS(y float64) float64 // continuous ranked probability score at the outcome y
}

var _ PPD = (*Quantiles)(nil)
