package next

import (
	"cmp"
	"errors"
	"slices"
)

// Beliefs are joint normal beliefs of one model about rows: candidates first, then measured rows.
type Beliefs struct {
	Weight float64   // weight of the model, in [0, 1]; the weights of all models add up to 1
	Mean   []float64 // by row: expected value of the function, in units of the target
	Spread []float64 // by row: standard deviation of the belief about the function
	Noise  float64   // standard deviation of a measurement around the function
	// Correlation returns the correlation of the beliefs about two different candidates.
	Correlation func(i, j int) float64
}

// Options are options of [Choose].
type Options struct {
	Goal  Goal
	Batch int       // number of rows to choose together; 0 ranks all candidates by their own gain
	Costs []float64 // by candidate, positive; gains are divided by them; nil for none
}

// together reports whether the gains depend on the correlations of rows.
func (o Options) together() bool { return o.Goal.Aim == Learn || o.Batch > 1 }

// Choice is a candidate with its expected gain.
type Choice struct {
	Candidate int
	// Gain is in units of the target; for learning it is the share of the variance that is removed.
	// It is divided by the cost, if there are costs.
	Gain float64
}

// ErrNothingMeasured is the error for a minimum, a maximum or a target without a measured row.
var ErrNothingMeasured = errors.New("next: no row has been measured, so there is no best one to " +
	"improve on: measure one, or choose rows to learn from")

// Choose chooses among the first n rows, the candidates. The other rows have been measured, and the
// best of their means is the value to improve on. For learning, the population is all candidates.
// With several models, the gain is the weighted mean of the gains under each model. The error is
// ErrNothingMeasured; learning needs no measured row.
func Choose(all []Beliefs, n int, opt Options) ([]Choice, error) {
	unmeasured := func(b Beliefs) bool { return len(b.Mean) <= n }
	if opt.Goal.Aim != Learn && slices.ContainsFunc(all, unmeasured) {
		return nil, ErrNothingMeasured
	}
	var beliefs []*belief
	for _, b := range all {
		beliefs = append(beliefs, newBelief(b, n, opt))
	}
	var chosen []Choice
	if opt.Batch == 0 { // equal gains stay in the order of the candidates
		for i, gain := range opt.gains(beliefs, n) {
			chosen = append(chosen, Choice{i, gain})
		}
		slices.SortStableFunc(chosen, func(a, b Choice) int { return cmp.Compare(b.Gain, a.Gain) })
		return chosen, nil
	}
	taken := make([]bool, n)
	for len(chosen) < min(opt.Batch, n) {
		gains, at := opt.gains(beliefs, n), -1
		for i, gain := range gains {
			if !taken[i] && (at < 0 || gain > gains[at]) {
				at = i
			}
		}
		taken[at] = true
		chosen = append(chosen, Choice{at, gains[at]})
		for _, b := range beliefs {
			b.measure(at)
		}
	}
	return chosen, nil
}

// gains returns the gain of each of n candidates now, divided by its cost.
func (o Options) gains(beliefs []*belief, n int) []float64 {
	total := 0.0
	for _, b := range beliefs {
		total += b.Weight * b.total
	}
	gains := make([]float64, n)
	for i := range gains {
		for _, b := range beliefs {
			gains[i] += b.Weight * b.gain(i)
		}
		if o.Goal.Aim == Learn && total > 0 {
			gains[i] /= total
		}
		if o.Costs != nil {
			gains[i] /= o.Costs[i]
		}
	}
	return gains
}
