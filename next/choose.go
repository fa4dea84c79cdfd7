package next

import (
	"math"
	"slices"
)

// Beliefs are joint normal beliefs about rows: candidates first, then others.
type Beliefs struct {
	Mean   []float64 // of the function
	Spread []float64 // standard deviation of the belief about it
	Noise  []float64 // standard deviation of a measurement around it
	// Scores are standard normal draws by row. Equal places belong together, so that the mean product
	// of two rows is their correlation.
	Scores [][]float64
}

// Options say what is chosen.
type Options struct {
	Goal  Goal
	Batch int       // rows that are chosen together; 0 ranks all candidates by their gain alone
	Costs []float64 // by candidate, positive: gains are divided by them; nil for none
}

// Choice is a candidate and what it is expected to gain.
type Choice struct {
	Candidate int
	Gain      float64 // in the unit of the target; when learning, the share of the variance that goes
}

// Choose chooses among the first n rows of the beliefs. The others are rows that have been
// measured: the best of their means is to be improved on. When learning, the population is that of
// the candidates.
func Choose(b Beliefs, n int, opt Options) []Choice {
	c := &chooser{Options: opt, Beliefs: b, n: n, spread: slices.Clone(b.Spread), best: math.Inf(1)}
	for _, mean := range b.Mean[n:] {
		c.best = math.Min(c.best, opt.Goal.miss(mean))
	}
	if opt.Goal.Aim == Learn || opt.Batch > 1 {
		c.covary()
	}
	if opt.Batch == 0 {
		return c.ranked()
	}
	var chosen []Choice
	taken := make([]bool, n)
	for len(chosen) < min(opt.Batch, n) {
		gains, at := c.gains(), -1
		for i, gain := range gains {
			if !taken[i] && (at < 0 || gain > gains[at]) {
				at = i
			}
		}
		taken[at] = true
		chosen = append(chosen, Choice{at, gains[at]})
		c.measure(at)
	}
	return chosen
}

// chooser holds the beliefs as rows are chosen.
type chooser struct {
	Options
	Beliefs
	n          int
	spread     []float64
	covariance [][]float64 // of candidates, nil where it is not needed
	best       float64     // miss
	total      float64     // variance of all candidates at first
}

// covary makes the covariance of candidates.
func (c *chooser) covary() {
	c.covariance = make([][]float64, c.n)
	for i := range c.covariance {
		c.covariance[i] = make([]float64, c.n)
	}
	for i := range c.n {
		c.total += c.spread[i] * c.spread[i]
		for j := range i + 1 {
			r := 1.0
			if i != j {
				r = correlation(c.Scores[i], c.Scores[j])
			}
			v := r * c.spread[i] * c.spread[j]
			c.covariance[i][j], c.covariance[j][i] = v, v
		}
	}
}

// correlation is the mean of the products of standard scores.
func correlation(a, b []float64) float64 {
	sum := 0.0
	for k, v := range a {
		sum += v * b[k]
	}
	return max(-1, min(1, sum/float64(len(a))))
}

// gains are those of every candidate now, divided by their costs.
func (c *chooser) gains() []float64 {
	gains := make([]float64, c.n)
	for i := range gains {
		if c.Goal.Aim == Learn {
			gains[i] = c.learned(i)
		} else {
			gains[i] = c.Goal.improvement(c.best, c.Mean[i], c.spread[i])
		}
		if c.Costs != nil {
			gains[i] /= c.Costs[i]
		}
	}
	return gains
}

// learned is the share of the variance of all candidates that a measurement of one takes away.
func (c *chooser) learned(i int) float64 {
	sum := 0.0
	for _, v := range c.covariance[i] {
		sum += v * v
	}
	of := c.covariance[i][i] + c.Noise[i]*c.Noise[i]
	if of <= 0 || c.total <= 0 {
		return 0
	}
	return sum / of / c.total
}

// measure leaves what is believed when a candidate has been measured and its mean was right.
func (c *chooser) measure(at int) {
	c.best = math.Min(c.best, c.Goal.miss(c.Mean[at]))
	if c.covariance == nil {
		return
	}
	of := c.covariance[at][at] + c.Noise[at]*c.Noise[at]
	if of <= 0 {
		return
	}
	by := slices.Clone(c.covariance[at])
	for i := range c.n {
		for j := range c.n {
			c.covariance[i][j] -= by[i] * by[j] / of
		}
		c.spread[i] = math.Sqrt(math.Max(0, c.covariance[i][i]))
	}
}

// ranked lists all candidates by their gains, equal ones in their order.
func (c *chooser) ranked() []Choice {
	gains := c.gains()
	all := make([]Choice, c.n)
	for i, gain := range gains {
		all[i] = Choice{i, gain}
	}
	slices.SortStableFunc(all, func(a, b Choice) int {
		switch {
		case a.Gain > b.Gain:
			return -1
		case a.Gain < b.Gain:
			return 1
		}
		return 0
	})
	return all
}
