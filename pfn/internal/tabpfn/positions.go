package tabpfn

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mathext"
)

// position maps a value to its position in [0, 1] among the quantiles of its column.
type position struct {
	quantiles []float64 // ascending, at equally spaced levels; NaN if all values were missing
}

// fitPosition takes count quantiles of the context rows of one column, at least 1 and at most one
// per row, by linear interpolation between order statistics. It ignores missing values.
func fitPosition(values []float64, count int) position {
	sorted := ascending(values)
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

// ascending returns the values that are not missing, sorted.
func ascending(values []float64) []float64 {
	present := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	slices.Sort(present)
	return present
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

// edge is the distance from the outermost quantiles of a column within which scikit-learn treats a
// value as the outermost one, when positions become normal.
const edge = 1e-7

// normal turns positions into standard normal quantiles, within those of edge and 1 - edge.
func (p position) normal(v float64) float64 {
	last := p.quantiles[len(p.quantiles)-1]
	at := p.apply(v)
	switch {
	case math.IsNaN(at):
		return at
	case v-edge < p.quantiles[0]:
		at = 0
	case v+edge > last:
		at = 1
	}
	const outermost = edge - epsilon
	return mathext.NormalQuantile(min(max(at, outermost), 1-outermost))
}

// fitStretched continues positions beyond the smallest and the largest value on a straight line, at
// most by their distance.
func fitStretched(values []float64, count int) columnTransform {
	position, sorted := fitPosition(values, count), ascending(values)
	least, most := sorted[0], sorted[len(sorted)-1]
	return func(v float64) float64 {
		if spread := most - least; spread > 0 {
			switch along := (v - least) / spread; {
			case v < least:
				return max(along, -1)
			case v > most:
				return min(along, 2)
			}
		}
		return position.apply(v)
	}
}

// fitRobust centres a column at its median and divides it by its interquartile range, in units of a
// standard normal distribution's. Missing values stay missing.
func fitRobust(values []float64) columnTransform {
	sorted := ascending(values)
	median, spread := atPercent(sorted, 50), atPercent(sorted, 75)-atPercent(sorted, 25)
	if spread < 10*epsilon {
		spread = 1
	}
	scale := spread / (mathext.NormalQuantile(0.75) - mathext.NormalQuantile(0.25))
	return func(v float64) float64 { return (v - median) / scale }
}

// fitSquash centres a column at its median, divides it by its spread and bends it smoothly into
// (-limit, limit); missing stays missing:
//
//	z = (x - median)/(q75 - q25), or 2 (x - median)/(max - min) if both quartiles are equal,
//	result = z / sqrt(1 + (z/limit)^2), and 0 if the column is constant.
//
// Source: Holzmüller, Grinsztajn and Steinwart, "Better by Default: Strong Pre-Tuned MLPs and
// Boosted Trees on Tabular Data" (2024), robust scaling and smooth clipping.
func fitSquash(values []float64, limit float64) columnTransform {
	sorted := ascending(values)
	if len(sorted) == 0 || sorted[0] == sorted[len(sorted)-1] {
		return func(v float64) float64 {
			if math.IsNaN(v) {
				return v
			}
			return 0
		}
	}
	median, divisor, factor := atPercent(sorted, 50), atPercent(sorted, 75)-atPercent(sorted, 25), 1.0
	if divisor == 0 {
		divisor, factor = 1, 2/(sorted[len(sorted)-1]-sorted[0]+0x1p-1022)
	}
	return func(v float64) float64 {
		z := (v - median) / divisor * factor
		return z / math.Sqrt(1+(z/limit)*(z/limit))
	}
}
