package amp

// PPD is the posterior predictive distribution P_0 of one query row, on the scale of the label.
// Its methods must be safe for concurrent use if rows are summarised concurrently.
type PPD interface {
	// CDF returns P_0(y), right-continuous, for any y that is not NaN.
	CDF(y float64) float64
	// Quantile returns P_0^-1(p) = inf{y: P_0(y) >= p} for p in (0, 1); it does not decrease in
	// p.
	Quantile(p float64) float64
	// Mean returns the expectation of P_0.
	Mean() float64
}

// BatchPPD is a [PPD] that evaluates many quantiles in one scan. The mean functional and
// highest-density intervals need hundreds of quantiles a row and use it where it is offered.
type BatchPPD interface {
	PPD
	// Quantiles sets dst[i] = Quantile(p[i]); p ascends and lies in (0, 1), len(dst) == len(p).
	Quantiles(dst, p []float64)
}

// quantiles evaluates ppd at the ascending levels p, in one call where ppd can.
func quantiles(ppd PPD, dst, p []float64) {
	if b, ok := ppd.(BatchPPD); ok {
		b.Quantiles(dst, p)
		return
	}
	for i, level := range p {
		dst[i] = ppd.Quantile(level)
	}
}
