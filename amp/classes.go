package amp

import (
	"fmt"
	"math"
)

// Classes is the predictive distribution of a categorical label: the probabilities of the classes
// 0, 1, ..., K-1, at least 0 and with sum 1. The class numbers serve as the values of the label.
// Its rank posterior gives credible intervals of class probabilities. With the cumulative
// probabilities F_k,
//
//	θ_b(k) = G_N(F_k) - G_N(F_{k-1}),
//
// the functional [Class] under the posterior [Limit], computed without interpolation for ρ = 1.
// With ρ = 1 a step draws a class with its probability and moves α_j of the mass of all classes to
// it, in whatever order the classes are numbered. With α_j = 1/(M+j) the probabilities have the
// Dirichlet distribution with parameters M p_0, ..., M p_{K-1} (Blackwell and MacQueen 1973). With
// ρ < 1 a step also moves mass between classes that are neighbours in rank. Then intervals are too
// short and depend on the order: draw with ρ = 1.
//
// In a simulation with a Dirichlet truth (4 classes, 40 labels) 90 % intervals cover 0.90 with the
// rates 1/(M+j) and 200 steps, 0.88 with 50 steps, and 0.82 with ρ = 0.99. With [PaperSchedule], 50
// steps and ρ = 1 they cover 1.00 for one feature, at 2.6 to 3.8 times the width (20 to 320
// labels).
type Classes []float64

// NewClasses checks probabilities and returns their distribution, scaled to the sum 1. It fails if
// a probability is negative or not a number, or if the sum differs from 1 by more than 1e-3.
func NewClasses(probabilities []float64) (Classes, error) {
	sum := 0.0
	for k, p := range probabilities {
		if !(p >= 0) {
			return nil, fmt.Errorf("amp: the probability of class %d is %v, not between 0 and 1", k, p)
		}
		sum += p
	}
	if !(math.Abs(sum-1) <= 1e-3) {
		return nil, fmt.Errorf("amp: the class probabilities sum to %v, not to 1", sum)
	}
	c := make(Classes, len(probabilities))
	for k, p := range probabilities {
		c[k] = p / sum
	}
	return c, nil
}

// Class returns the probability of class k of a [Classes] distribution.
func Class(k int) Probability { return Probability{float64(k) - 0.5, float64(k) + 0.5} }

// class returns the k of Class(k), one of this many classes.
func (p Probability) class(count int) (k int, ok bool) {
	k = int(max(-1, min(float64(count), p.Hi)))
	return k, p.Hi > 0 && k < count && p == Class(k)
}

// levels returns where a class begins and ends on the unit interval if the most probable class
// comes first: the order does not depend on how classes are numbered.
func (c Classes) levels(of Probability) (lo, hi float64, ok bool) {
	k, ok := of.class(len(c))
	if !ok {
		return 0, 0, false
	}
	for j, p := range c {
		if p > c[k] || p == c[k] && j < k {
			lo += p
		}
	}
	return lo, math.Min(1, lo+c[k]), true
}

// drawn returns the class that holds a level.
func (c Classes) drawn(level float64) float64 {
	for k := range c {
		if lo, hi, _ := c.levels(Class(k)); lo < level && level <= hi {
			return float64(k)
		}
	}
	return c.Quantile(level) // by rounding
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
