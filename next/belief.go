package next

import (
	"math"
	"slices"
)

// belief holds the beliefs of one model while rows are chosen.
type belief struct {
	Beliefs
	goal       Goal
	spread     []float64   // of candidates now
	covariance [][]float64 // of candidates, nil where it is not needed
	best       float64     // miss
	total      float64     // variance of all candidates at first
}

func newBelief(of Beliefs, n int, opt Options) *belief {
	b := &belief{Beliefs: of, goal: opt.Goal, spread: slices.Clone(of.Spread[:n]), best: math.Inf(1)}
	for _, mean := range b.Mean[n:] {
		b.best = math.Min(b.best, b.goal.miss(mean))
	}
	if opt.together() {
		b.covary()
	}
	return b
}

// covary computes the covariance of candidates.
func (b *belief) covary() {
	n := len(b.spread)
	b.covariance = make([][]float64, n)
	for i := range n {
		b.covariance[i] = make([]float64, n)
		b.covariance[i][i] = b.spread[i] * b.spread[i]
		b.total += b.covariance[i][i]
		for j := range i {
			v := b.Correlation(i, j) * b.spread[i] * b.spread[j]
			b.covariance[i][j], b.covariance[j][i] = v, v
		}
	}
}

// gain returns the gain of a candidate now. For learning it is the variance of all candidates that
// a measurement removes.
func (b *belief) gain(i int) float64 {
	if b.goal.Aim != Learn {
		return b.goal.improvement(b.best, b.Mean[i], b.spread[i])
	}
	of := b.covariance[i][i] + b.Noise*b.Noise
	if of <= 0 {
		return 0
	}
	sum := 0.0
	for _, v := range b.covariance[i] {
		sum += v * v
	}
	return sum / of
}

// measure updates the belief as if a candidate had been measured and had shown its mean.
func (b *belief) measure(at int) {
	b.best = math.Min(b.best, b.goal.miss(b.Mean[at]))
	if b.covariance == nil {
		return
	}
	of := b.covariance[at][at] + b.Noise*b.Noise
	if of <= 0 {
		return
	}
	by := slices.Clone(b.covariance[at])
	for i, row := range b.covariance {
		for j := range row {
			row[j] -= by[i] * by[j] / of
		}
		b.spread[i] = math.Sqrt(math.Max(0, row[i]))
	}
}
