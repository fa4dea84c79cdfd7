package pfn

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"
)

// rank is a place between two order statistics of n values, the k-th and the next, k = 1..n-1:
// (1-share) y_(k) + share y_(k+1). A share outside [0, 1] extrapolates.
type rank struct {
	k     int
	share float64
}

func (r rank) of(sorted []float64) float64 {
	low, high := sorted[r.k-1], sorted[r.k]
	return low + r.share*(high-low)
}

// quantileRank returns where the quantile of level p of the confidence distribution of Q(u) lies.
// Q(u) is the quantile of level u of a continuous distribution, known from n >= 2 values. At order
// statistics it is exact for every such distribution, with B binomial(n, u):
//
//	p_k = P(Q(u) <= y_(k)) = P(B < k)
//
// Between p_k and p_{k+1}, with I = (p - p_k)/(p_{k+1} - p_k), a = k/u and b = (n-k)/(1-u),
//
//	share = b I/(a + (b-a) I).
//
// This is exact if the distances of a value to Q(u) are exponential on either side, and nearly
// exact for every distribution. For the median of five values from a uniform, normal, exponential
// or Cauchy one, the 80 % interval covers 77 to 81 %; with share = I it would cover 84 to 86 %.
// Below p_1 the tail is exponential with the scale y_(2) - y_(1), above p_n with y_(n) - y_(n-1).
// Ties make it conservative.
//
// Source: Hettmansperger and Sheather, "Confidence intervals based on interpolated order
// statistics", Statistics & Probability Letters 4 (1986) 75-79, and for u other than 1/2 Nyblom,
// "Note on interpolated order statistics", ibid. 14 (1992) 129-131; the tails are ours.
func quantileRank(p, u float64, n int) rank {
	if p > 0.5 {
		r := quantileRank(1-p, 1-u, n)
		return rank{n - r.k, 1 - r.share}
	}
	below := func(k int) float64 { // P(B < k) for k = 1..n
		return mathext.RegIncBeta(float64(n-k+1), float64(k), 1-u)
	}
	// The last k with p_k < p, apart from rounding of p_k.
	k := sort.Search(n, func(i int) bool { return below(i+1) >= p*(1-1e-9) })
	switch k {
	case 0:
		return rank{1, math.Log(p / below(1))}
	case n:
		return rank{n - 1, 1 + float64(n)*math.Log(u) - math.Log1p(-p)}
	}
	a, b := float64(k)/u, float64(n-k)/(1-u)
	i := (p - below(k)) / (below(k+1) - below(k))
	return rank{k, b * i / (a + (b-a)*i)}
}
