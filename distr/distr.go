// Package distr has the distributions that a network predicts for one row, and what it says itself
// of how well they are known. Pure mathematics.
//
//   - [PPD] is the predictive distribution of a number, [Quantiles] or [Bars]; [Classes] is that of
//     a class;
//   - [Surface] is a network's own posterior of all quantiles and the mean, [ClassPosterior] that
//     of the class probabilities.
package distr

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
)

// PPD is the posterior predictive distribution of the target of one query row, in units of the
// target.
type PPD interface {
	CDF(y float64) float64        // P(Y <= y)
	Quantile(p float64) float64   // least y with CDF(y) >= p
	Density(y float64) float64    // density of the continuous part
	LogDensity(y float64) float64 // its logarithm
	Mean() float64
	Variance() float64
	CRPS(y float64) float64 // continuous ranked probability score at the outcome y
}

var _ PPD = (*Quantiles)(nil)

// Interval is an interval of numbers, Lo <= Hi.
type Interval struct{ Lo, Hi float64 }

// Miss is the score of a number: how far it lies outside the interval, negative inside.
func (in Interval) Miss(y float64) float64 { return max(in.Lo-y, y-in.Hi) }

// Classes is the predictive distribution of a categorical label: the probabilities of the classes
// 0, 1, ..., K-1, at least 0 and with sum 1. The class numbers serve as the values of the label.
type Classes []float64

// NewClasses checks probabilities and returns their distribution, scaled to the sum 1. It fails if
// a probability is negative or not a number, or if the sum differs from 1 by more than 1e-3.
func NewClasses(probabilities []float64) (Classes, error) {
	sum := 0.0
	for k, p := range probabilities {
		if !(p >= 0) {
			return nil, fmt.Errorf("the probability of class %d is %v, not between 0 and 1", k, p)
		}
		sum += p
	}
	if !(math.Abs(sum-1) <= 1e-3) {
		return nil, fmt.Errorf("the class probabilities sum to %v, not to 1", sum)
	}
	c := make(Classes, len(probabilities))
	for k, p := range probabilities {
		c[k] = p / sum
	}
	return c, nil
}

// Shares returns the shares of the classes 0, 1, ... in a target.
func Shares(y []float64, classes int) Classes {
	shares := make(Classes, classes)
	for _, k := range y {
		shares[int(k)] += 1 / float64(len(y))
	}
	return shares
}

// Softmax returns probabilities proportional to exp(logit/temperature); one of -Inf is 0.
func Softmax(logits []float64, temperature float64) Classes {
	p, sum := make(Classes, len(logits)), 0.0
	most := slices.Max(logits)
	for k, z := range logits {
		p[k] = math.Exp((z - most) / temperature)
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
	return p
}

// Best returns the most probable class, the first one of equals.
func (c Classes) Best() int { return slices.Index(c, slices.Max(c)) }

// Span returns where class k begins and ends on the unit interval if the most probable class comes
// first: the order does not depend on how classes are numbered.
func (c Classes) Span(k int) (lo, hi float64) {
	for j, p := range c {
		if p > c[k] || p == c[k] && j < k {
			lo += p
		}
	}
	return lo, math.Min(1, lo+c[k])
}

// Drawer returns the function that maps a level in (0, 1) to the class whose span holds it.
func (c Classes) Drawer() func(level float64) float64 {
	order, ends, sum := make([]int, len(c)), make([]float64, len(c)), 0.0
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c[b], c[a]) })
	for i, k := range order {
		sum += c[k]
		ends[i] = sum
	}
	return func(level float64) float64 {
		return float64(order[sort.SearchFloat64s(ends, min(level, sum))])
	}
}

// CDF returns the probability of the classes up to y; for all classes it is exactly 1.
func (c Classes) CDF(y float64) float64 {
	if y >= float64(len(c)-1) {
		return 1
	}
	sum := 0.0
	for k := 0; float64(k) <= y; k++ {
		sum += c[k]
	}
	return math.Min(1, sum)
}

// Quantile returns the first class at which the cumulative probability reaches p.
func (c Classes) Quantile(p float64) float64 {
	sum := 0.0
	for k, q := range c {
		if sum += q; sum >= p {
			return float64(k)
		}
	}
	return float64(len(c) - 1)
}

// Mean returns the mean of the class numbers. For two classes it is the probability of class 1; for
// more classes it has no meaning.
func (c Classes) Mean() float64 {
	sum := 0.0
	for k, p := range c {
		sum += float64(k) * p
	}
	return sum
}

// LogDensity returns the logarithm of the probability of a class.
func (c Classes) LogDensity(y float64) float64 { return math.Log(c[int(y)]) }

// CRPS returns the ranked probability score Σ_k (F(k) - 1{y <= k})² (Epstein 1969), which depends
// on the order of the classes.
func (c Classes) CRPS(y float64) float64 {
	sum, cumulative := 0.0, 0.0
	for k, q := range c[:len(c)-1] {
		cumulative += q
		miss := cumulative
		if y <= float64(k) {
			miss--
		}
		sum += miss * miss
	}
	return sum
}
