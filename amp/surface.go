package amp

import (
	"math"
	"slices"
	"sort"

	"github.com/pfnamp/pfnamp/distr"
)

// Surface is a model's own posterior of the conditional distribution at one row. It holds posterior
// quantiles of the quantile function Q of the label's distribution F, and of the mean. It answers
// every functional, without chains.
//
// Let z = Φ^-1. The curve read(τ) holds the posterior quantiles of level τ of Q(u). It interpolates
// linearly in z(τ) between the posterior levels, and linearly in z(u) between the levels u. Beyond
// the outermost levels, the curve continues with the label's quantile function L, moved to meet the
// curve and, towards the middle, shrunk:
//
//	Q(u) = Q(u_K) + min(1, 2τ) (L(u) - L(u_K))        above the last level u_K
//	Q(u) = Q(u_0) - min(1, 2(1-τ)) (L(u_0) - L(u))    below the first level u_0
//
// The tail shrinks because a part of the length of L's tail comes from the uncertain location. Then
//
//	Q(u):      posterior quantile of level τ = read(τ) at u
//	mean:      likewise, from the row Mean
//	P(y <= t): the u at which read(1-τ) reaches t, by {Q(u) <= t} = {F(t) >= u}
//	P(y > t):  1 minus P(y <= t) of level 1-τ
//
// These are the exact marginal posteriors that the surface holds. The probability of (a, b] does
// not follow from marginals. For it, all Q(u) of a row share one rank τ, as if only the location
// and the scale of the distribution were uncertain. Its posterior is the distribution of F(b) -
// F(a) over τ.
//
// A Surface is immutable and safe for concurrent use.
type Surface struct {
	distr.Surface
	Label     PPD  // P_0 of the row; its tails continue beyond the levels
	Companion bool // from another network, see [Accompany]; point estimates are those of Label
}

// Of implements [Own]. Beyond the outermost posterior levels it returns the outermost quantile.
func (s *Surface) Of(f Functional) Marginal {
	m := f.read(s)
	if m != nil && s.Companion {
		return struct{ Marginal }{m} // without a point estimate
	}
	return m
}

// Beyond reports whether f needs a quantile beyond the levels of a surface, where it is
// extrapolated. end is the outermost level on that side.
func Beyond(f Functional, levels []float64) (end float64, beyond bool) {
	u, first, last := f.level(), levels[0], levels[len(levels)-1]
	return math.Max(first, math.Min(last, u)), u < first || u > last
}

// position is a place between two neighbouring levels. The value there is (1-share) v[at] + share
// v[at+1].
type position struct {
	at    int
	share float64
}

func (r position) of(values []float64) float64 {
	low, high := values[r.at], values[r.at+1]
	if low == high {
		return low
	}
	return low + r.share*(high-low)
}

// place finds the position of z among ascending levels, linearly in z(level) and within the
// outermost levels.
func place(levels []float64, z float64) position {
	last := len(levels) - 1
	i := sort.Search(last, func(i int) bool { return normalQuantile(levels[i+1]) > z })
	i = min(i, last-1)
	low, high := normalQuantile(levels[i]), normalQuantile(levels[i+1])
	return position{i, math.Max(0, math.Min(1, (z-low)/(high-low)))}
}

// read returns the calibrated position of the posterior level tau.
func (s *Surface) read(tau float64) position {
	z := normalQuantile(tau)
	if s.Scale != 0 {
		z *= s.Scale
	}
	return place(s.PosteriorLevels, z)
}

// curve is Q at one posterior level.
type curve struct {
	at          []float64 // values at the levels u
	left, right float64   // lengths of the tails, relative to the label's
}

func (s *Surface) curve(tau float64) curve {
	c := curve{make([]float64, len(s.Levels)), math.Min(1, 2*(1-tau)), math.Min(1, 2*tau)}
	r := s.read(tau)
	for k, row := range s.Quantiles {
		c.at[k] = r.of(row)
	}
	return c
}

// spot is where curves are read at a level u: between two levels of the surface, or on the label's
// tail, with at = -1 below the first level and at = the last one above it.
type spot struct {
	position
	tail float64 // the label's quantile at u minus its quantile at the outermost level
}

// spot returns the spot of a level u, for all curves of the surface.
func (s *Surface) spot(u float64) spot {
	last := len(s.Levels) - 1
	switch {
	case u < s.Levels[0]:
		return spot{position{at: -1}, s.Label.Quantile(u) - s.Label.Quantile(s.Levels[0])}
	case u > s.Levels[last]:
		return spot{position{at: last}, s.Label.Quantile(u) - s.Label.Quantile(s.Levels[last])}
	}
	return spot{position: place(s.Levels, normalQuantile(u))}
}

func (c curve) quantile(r spot) float64 {
	last := len(c.at) - 1
	switch r.at {
	case -1:
		return c.at[0] + c.left*r.tail
	case last:
		return c.at[last] + c.right*r.tail
	}
	return r.of(c.at)
}

// cdf returns the u at which a curve reaches t, the inverse of curve.quantile: sup{u: Q(u) <= t}.
func (s *Surface) cdf(c curve, t float64) float64 {
	last := len(c.at) - 1
	switch {
	case t < c.at[0]:
		u := s.Label.CDF((t-c.at[0])/c.left + s.Label.Quantile(s.Levels[0]))
		return math.Max(0, math.Min(u, s.Levels[0]))
	case t >= c.at[last]:
		u := s.Label.CDF((t-c.at[last])/c.right + s.Label.Quantile(s.Levels[last]))
		return math.Min(1, math.Max(u, s.Levels[last]))
	}
	k := sort.Search(last, func(k int) bool { return c.at[k+1] > t })
	low, high := normalQuantile(s.Levels[k]), normalQuantile(s.Levels[k+1])
	z := low + (t-c.at[k])/(c.at[k+1]-c.at[k])*(high-low)
	return normalCDF(z)
}

// quantile is the posterior of Q(u), u being the level of a spot.
func (s *Surface) quantile(at spot) Marginal {
	of := func(tau float64) float64 { return s.curve(tau).quantile(at) }
	return marginal{of, func() float64 { return of(0.5) }}
}

// coupledRanks is the number of common ranks τ in the posterior of P(a < y <= b).
const coupledRanks = 201

// between is the posterior of P(a < y <= b), from its values at equally likely ranks.
func (s *Surface) between(p Probability) Marginal {
	values := make([]float64, coupledRanks)
	for i := range values {
		c := s.curve((float64(i) + 0.5) / coupledRanks)
		values[i] = math.Max(0, s.cdf(c, p.Hi)-s.cdf(c, p.Lo))
	}
	slices.Sort(values)
	return marginal{quantile: func(tau float64) float64 {
		at := tau*coupledRanks - 0.5
		i := max(0, min(int(math.Floor(at)), coupledRanks-2))
		return position{i, math.Max(0, math.Min(1, at-float64(i)))}.of(values)
	}}
}

// consistencyLevels are the levels of P_0 at which Inconsistency compares a surface with P_0.
var consistencyLevels = []float64{0.05, 0.25, 0.5, 0.75, 0.95}

// Inconsistency returns the largest difference between the label's distribution P_0 and its
// distribution according to the surface,
//
//	max_t |∫ P(Q(u) <= t) du - P_0(t)|,  ∫ P(Q(u) <= t) du = E F(t),
//
// over t at five quantiles of P_0. It is in [0, 1], and 0 if P_0 is a point mass there. A network
// learns its two outputs separately, so every prediction is checked.
func (s *Surface) Inconsistency() float64 {
	const ranks = 16
	plain := *s
	plain.Scale = 1
	means := make([]float64, len(consistencyLevels))
	for i := range ranks {
		c := plain.curve((float64(i) + 0.5) / ranks)
		for k, u := range consistencyLevels {
			means[k] += plain.cdf(c, s.Label.Quantile(u)) / ranks
		}
	}
	worst := 0.0
	for k, u := range consistencyLevels {
		if p := s.Label.CDF(s.Label.Quantile(u)); math.Abs(p-u) < 1e-3 {
			worst = math.Max(worst, math.Abs(means[k]-u))
		}
	}
	return worst
}
