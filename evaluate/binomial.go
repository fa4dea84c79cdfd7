package evaluate

import "gonum.org/v1/gonum/stat/distuv"

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
