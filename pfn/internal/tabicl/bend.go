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
	if b.spread == 0 || !b.valid() {
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

// valid reports whether the numbers can be those of a bend.
func (b bend) valid() bool {
	return b.spread >= 0 && b.lo <= b.hi && !math.IsInf(b.hi-b.lo, 0)
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

// restore returns the bends of h columns, and false if there cannot be such bends. A nil state has
// zero bends.
func (s *BendsState) restore(h int) ([]bend, bool) {
	bends := make([]bend, h)
	if s == nil {
		return bends, true
	}
	if len(s.Lo) != h || len(s.Hi) != h || len(s.Spread) != h {
		return nil, false
	}
	for j := range bends {
		if bends[j] = (bend{s.Lo[j], s.Hi[j], s.Spread[j]}); !bends[j].valid() {
			return nil, false
		}
	}
	return bends, true
}
