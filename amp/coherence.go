package amp

import "math"

// Coherence tells which distributions of a label a surface leaves possible. As P_0(t) = E F(t), and
// F(Q_τ(u)) >= u with probability τ at least and <= u with probability 1-τ at least, where Q_τ(u) is the
// τ-quantile of the posterior of Q(u),
//
//	τ u <= P_0(Q_τ(u)) <= u + τ (1 - u)    for every u and τ,
//
// so that the quantile of level p of P_0 lies between
//
//	max_τ Q_τ(1 - (1-p)/(1-τ))  and  min_τ Q_τ(p/τ).
//
// The maximum and the minimum over τ are taken over the cells between the levels of the surface, at
// the end of every cell that is on the safe side.
type Coherence struct {
	levels []float64    // p
	taus   []float64    // asked levels of posteriors at which a surface has values
	least  [][]position // [p][cell], where in u a curve is to be read; at < 0 where it is not
	most   [][]position
}

// NewCoherence prepares the levels p, ascending in (0, 1), for surfaces like one.
func NewCoherence(s *Surface, levels []float64) *Coherence {
	c := &Coherence{levels: levels}
	scale := s.Scale
	if scale == 0 {
		scale = 1
	}
	for _, tau := range s.PosteriorLevels {
		c.taus = append(c.taus, 0.5*math.Erfc(-normalQuantile(tau)/scale/math.Sqrt2))
	}
	for _, p := range levels {
		var least, most []position
		for j := range len(c.taus) + 1 {
			low, high := 0.0, 1.0 // of the cell before c.taus[j]
			if j > 0 {
				low = c.taus[j-1]
			}
			if j < len(c.taus) {
				high = c.taus[j]
			}
			least = append(least, inside(s.Levels, 1-(1-p)/(1-low)))
			most = append(most, inside(s.Levels, p/high))
		}
		c.least, c.most = append(c.least, least), append(c.most, most)
	}
	return c
}

// inside is the place of a level between those of a surface; at is -1 beyond them.
func inside(levels []float64, u float64) position {
	if !(u >= levels[0] && u <= levels[len(levels)-1]) {
		return position{at: -1}
	}
	return place(levels, normalQuantile(u))
}

// Bounds writes the least and the largest possible quantile of the label at every level. A surface
// says nothing beyond its levels u.
func (c *Coherence) Bounds(s *Surface, least, most []float64) {
	for i := range c.levels {
		lo, hi := math.Inf(-1), math.Inf(1)
		for j := range c.least[i] {
			if r := c.least[i][j]; r.at >= 0 { // Q rises with τ: the end of the cell
				lo = max(lo, r.across(s.Quantiles, min(j, len(c.taus)-1)))
			}
			if r := c.most[i][j]; r.at >= 0 {
				hi = min(hi, r.across(s.Quantiles, max(j-1, 0)))
			}
		}
		least[i], most[i] = lo, hi
	}
}

// across is the value between neighbouring rows in a column of a table.
func (r position) across(rows [][]float64, column int) float64 {
	low, high := rows[r.at][column], rows[r.at+1][column]
	return low + r.share*(high-low)
}
