package amp

import (
	"math"
	"slices"
)

// Coherence bounds the label's quantiles, given a surface. Let Q_τ(u) be the τ-quantile of the
// posterior of Q(u). Then P_0(t) = E F(t), and F(Q_τ(u)) is at least u with probability at least τ,
// and at most u with probability at least 1-τ. So
//
//	τ u <= P_0(Q_τ(u)) <= u + τ (1 - u)    for every u and τ,
//
// and the quantile of level p of P_0 lies between
//
//	max_τ Q_τ(1 - (1-p)/(1-τ))  and  min_τ Q_τ(p/τ).
//
// The maximum and the minimum over τ run over the cells between the levels of the surface. Each
// cell counts with its end on the safe side. [NewCoherence] computes once what depends only on the
// levels. A Coherence is immutable and safe for concurrent use.
type Coherence struct {
	levels      []float64 // p
	surface     []float64 // u
	posterior   []float64 // τ
	scale       float64
	least, most []bound
}

// bound is one term under the maximum, or the minimum, for some consecutive levels p.
type bound struct {
	column int        // the posterior level at which Q is read
	first  int        // the first of the levels p
	at     []position // where in u, of these levels
}

// NewCoherence prepares the levels p, ascending in (0, 1), for all surfaces that have the levels
// and the scale of s.
func NewCoherence(s *Surface, levels []float64) *Coherence {
	c := &Coherence{levels: levels, surface: s.Levels, posterior: s.PosteriorLevels, scale: s.Scale}
	ends := []float64{0}
	for j := range s.PosteriorLevels {
		ends = append(ends, s.calibrated(j))
	}
	ends = append(ends, 1)
	last := len(s.PosteriorLevels) - 1
	// Q rises with τ: the maximum reads it at the cell's end, the minimum before
	for cell := range last + 2 {
		low, high := ends[cell], ends[cell+1]
		c.least = append(c.least, newBound(s.Levels, levels, min(cell, last),
			func(p float64) float64 { return 1 - (1-p)/(1-low) }))
		c.most = append(c.most, newBound(s.Levels, levels, max(cell-1, 0),
			func(p float64) float64 { return p / high }))
	}
	return c
}

// newBound finds the levels p whose u lies between the levels of a surface; u rises with p. Beyond
// its levels a surface gives no bound.
func newBound(surface, levels []float64, column int, u func(p float64) float64) bound {
	b := bound{column: column}
	for i, p := range levels {
		at := u(p)
		if !(at >= surface[0] && at <= surface[len(surface)-1]) {
			continue
		}
		if b.at == nil {
			b.first = i
		}
		b.at = append(b.at, place(surface, normalQuantile(at)))
	}
	return b
}

// Fits reports whether s has the levels and the scale for which c was prepared.
func (c *Coherence) Fits(s *Surface) bool {
	return c.scale == s.Scale && slices.Equal(c.surface, s.Levels) &&
		slices.Equal(c.posterior, s.PosteriorLevels)
}

// Bounds writes the smallest and the largest possible quantile of the label at every level p, on
// the label's scale. The surface must fit, see [Coherence.Fits].
func (c *Coherence) Bounds(s *Surface, least, most []float64) {
	for i := range c.levels {
		least[i], most[i] = math.Inf(-1), math.Inf(1)
	}
	curve := make([]float64, len(c.surface)) // of a posterior level
	each := func(bounds []bound, take func(i int, q float64)) {
		for _, b := range bounds {
			for k, row := range s.Quantiles {
				curve[k] = row[b.column]
			}
			for i, r := range b.at {
				take(b.first+i, r.of(curve))
			}
		}
	}
	each(c.least, func(i int, q float64) { least[i] = max(least[i], q) })
	each(c.most, func(i int, q float64) { most[i] = min(most[i], q) })
}
