package tabpfn

import (
	"math"
	"slices"
)

// squash centres a column at its median, divides it by its spread and bends it smoothly into
// (-limit, limit); missing stays missing:
//
//	z = (x - median)/(q75 - q25), or 2 (x - median)/(max - min) if both quartiles are equal,
//	result = z / sqrt(1 + (z/limit)^2), and 0 if the column is constant.
//
// Source: Holzmüller, Grinsztajn and Steinwart, "Better by Default: Strong Pre-Tuned MLPs and
// Boosted Trees on Tabular Data" (2024), robust scaling and smooth clipping.
type squash struct {
	median, divisor, factor float64 // z = (x - median) / divisor * factor
	limit                   float64
}

// fitSquash fits the context rows of one column with values.
func fitSquash(values []float64, limit float64) squash {
	sorted := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	slices.Sort(sorted)
	s := squash{limit: limit, divisor: 1}
	if len(sorted) == 0 {
		return s
	}
	least, most := sorted[0], sorted[len(sorted)-1]
	low, high := atPercent(sorted, 25), atPercent(sorted, 75)
	s.median = atPercent(sorted, 50)
	switch {
	case least == most:
		s.factor = 0
	case low == high:
		s.factor = 2 / (most - least + 0x1p-1022)
	default:
		s.divisor, s.factor = high-low, 1
	}
	return s
}

func (s squash) apply(v float64) float64 {
	if math.IsNaN(v) {
		return v
	}
	if s.factor == 0 {
		return 0
	}
	z := (v - s.median) / s.divisor * s.factor
	return z / math.Sqrt(1+(z/s.limit)*(z/s.limit))
}
