package tabpfn

import (
	"math"
	"slices"
	"sort"
)

// position maps a value to its position in [0, 1] among the quantiles of its column.
type position struct {
	quantiles []float64 // ascending, at equally spaced levels; NaN if all values were missing
}

// fitPosition takes count quantiles of the context rows of one column, at least 1 and at most one
// per row, by linear interpolation between order statistics. It ignores missing values.
func fitPosition(values []float64, count int) position {
	var sorted []float64
	for _, v := range values {
		if !math.IsNaN(v) {
			sorted = append(sorted, v)
		}
	}
	slices.Sort(sorted)
	n := max(1, min(count, len(values)))
	p := position{make([]float64, n)}
	for i := range p.quantiles {
		p.quantiles[i] = atPercent(sorted, level(i, n)*100)
		if i > 0 {
			p.quantiles[i] = math.Max(p.quantiles[i-1], p.quantiles[i])
		}
	}
	return p
}

// level returns the ith of n equally spaced levels from 0 to 1.
func level(i, n int) float64 {
	if n > 1 && i == n-1 {
		return 1
	}
	return float64(i) * (1 / math.Max(float64(n-1), 1))
}

// atPercent returns the quantile of the level percent/100, interpolated linearly between order
// statistics; NaN without values.
func atPercent(sorted []float64, percent float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := percent / 100 * float64(len(sorted)-1)
	i := min(int(at), len(sorted)-1)
	low, high := sorted[i], sorted[min(i+1, len(sorted)-1)]
	t := at - float64(i)
	if t >= 0.5 {
		return high - (high-low)*(1-t)
	}
	return low + (high-low)*t
}

// apply maps one value. Between equal quantiles it returns the middle of their levels. Missing
// values stay missing.
func (p position) apply(v float64) float64 {
	last := len(p.quantiles) - 1
	switch {
	case math.IsNaN(v) || math.IsNaN(p.quantiles[0]):
		return math.NaN()
	case v <= p.quantiles[0]:
		return 0
	case v >= p.quantiles[last]:
		return 1
	}
	upper := sort.Search(last+1, func(i int) bool { return p.quantiles[i] > v })
	lower := sort.Search(last+1, func(i int) bool { return p.quantiles[i] >= v })
	if p.quantiles[lower] == v {
		return 0.5 * (level(lower, last+1) + level(upper-1, last+1))
	}
	low, high := p.quantiles[upper-1], p.quantiles[upper]
	a, b := level(upper-1, last+1), level(upper, last+1)
	return a + (b-a)*((v-low)/(high-low))
}
