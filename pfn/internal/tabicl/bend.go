package tabicl

import (
	"math"
	"slices"
)

// A bend compresses numbers far from the others, such as -999999 for a missing one. With the
// quartiles q1 and q3 of the context and s = q3 - q1,
//
//	v -> hi + s ln(1 + (v - hi)/s) for v > hi = q3 + bendWidth s,
//
// and likewise below lo = q1 - bendWidth s. The zero bend changes nothing.
type bend struct{ lo, hi, spread float64 }

// bendWidth is the distance from the quartiles at which bends begin, in interquartile ranges.
const bendWidth = 3

// fitBend measures a column, ignoring NaN. A column with equal quartiles is not bent.
func fitBend(values []float64) bend {
	known := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	if len(known) == 0 {
		return bend{}
	}
	slices.Sort(known)
	first, third := quantile(known, 0.25), quantile(known, 0.75)
	b := bend{spread: third - first}
	b.lo, b.hi = first-bendWidth*b.spread, third+bendWidth*b.spread
	if b.spread == 0 || math.IsInf(b.hi-b.lo, 0) {
		return bend{}
	}
	return b
}

// quantile interpolates between sorted values.
func quantile(sorted []float64, level float64) float64 {
	at, part := math.Modf(level * float64(len(sorted)-1))
	below := sorted[int(at)]
	if part == 0 {
		return below
	}
	return below + part*(sorted[int(at)+1]-below)
}

func (b bend) apply(v float64) float64 {
	switch {
	case b.spread == 0:
		return v
	case v > b.hi:
		return b.hi + b.spread*compressed((v-b.hi)/b.spread)
	case v < b.lo:
		return b.lo - b.spread*compressed((b.lo-v)/b.spread)
	}
	return v
}

// mean returns the mean of bent values, ignoring NaN.
func (b bend) mean(values []float64) float64 {
	bent := make([]float64, len(values))
	for i, v := range values {
		bent[i] = b.apply(v)
	}
	m := measure(bent)
	return math.Ldexp(m.mean, m.exp)
}

func compressed(z float64) float64 { return math.Log1p(min(z, math.MaxFloat64)) }

// BendsState is a list of bends.
type BendsState struct {
	Lo     []float64 `json:"lo"`
	Hi     []float64 `json:"hi"`
	Spread []float64 `json:"spread"`
}

func (s *BendsState) add(b bend) {
	s.Lo, s.Hi, s.Spread = append(s.Lo, b.lo), append(s.Hi, b.hi), append(s.Spread, b.spread)
}
