package amp

import (
	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/distr"
)

// Accompany returns the posterior at a row of a network that has none of its own, from the
// prediction of another network, its companion, that has read the same table and has one. ppd is
// the network's distribution P of the label. It returns nil if the companion has no posterior
// there.
//
// The companion tells how well the distribution is known; where it lies, the network tells. Let P'
// be the companion's distribution of the label, Q'_τ(u) the τ-quantile of its posterior of the
// quantile of level u, and z = Φ^-1. The posterior of the network is the one with the same ranks
// among labels,
//
//	Q_τ(u) = P^-1(Φ(g_τ(u))),  g_τ(u) = z(P'(Q'_τ(u))),
//
// and of the mean, with r the ratio of the widths of the central 90 % intervals of P and P',
//
//	m_τ = m + r (m'_τ - m').
//
// Two networks that differ know less than either says. Let d be their difference: z(P'(P^-1(1/2)))
// for quantiles, m - m' for the mean. The posterior moves by d/4 towards the companion, and the
// distance of its quantiles from their median becomes
//
//	sqrt(distance² + z(τ)² d²/4),
//
// with the levels τ of the surface, before its scale. Then every rank is moved into the bounds that
// a posterior with the label's distribution P keeps (see [Coherence]),
//
//	τ u <= Φ(g_τ(u)) <= u + τ (1 - u),
//
// so that P stays as its network has it. Point estimates are those of P.
//
// The log odds of a class have the companion's distances from their median, changed in the same
// way with the difference of the two networks' log odds, and the mean of the posterior is P's
// probability.
//
// The form is this project's; scripts/training/LOG.md has the trials.
func Accompany(ppd PPD, companion Prediction) Own {
	switch own := companion.Own.(type) {
	case *Surface:
		return own.accompany(ppd)
	case *ClassPosterior:
		return own.accompany(ppd.(distr.Classes), companion.PPD.(distr.Classes))
	}
	return nil
}

// disagreement is the share of the difference of two networks by which a posterior moves, and that
// of its square that joins the variance.
const disagreement = 0.25

// disagree is the effect of a difference d on posterior quantiles of these levels.
func disagree(row, levels []float64, d float64) {
	widen(row, levels, floats.NearestIdx(levels, 0.5), disagreement*d*d)
	floats.AddConst(-disagreement*d, row)
}

// accompany is [Accompany] for numbers.
func (s *Surface) accompany(ppd PPD) *Surface {
	levels := s.PosteriorLevels
	out := &Surface{Label: ppd, Companion: true, Surface: distr.Surface{Levels: s.Levels,
		PosteriorLevels: levels, Scale: s.Scale, Mean: make([]float64, len(levels))}}
	apart, ranks := s.rank(ppd.Quantile(0.5)), make([]float64, len(levels))
	for k, u := range s.Levels {
		for j, v := range s.Quantiles[k] {
			ranks[j] = s.rank(v)
		}
		disagree(ranks, levels, apart)
		for j, g := range ranks {
			tau := s.calibrated(j)
			ranks[j] = max(tau*u, min(normalCDF(g), u+tau*(1-u)))
		}
		row := make([]float64, len(ranks))
		Quantiles(ppd, row, ranks)
		out.Quantiles = append(out.Quantiles, row)
	}
	lo, hi := PredictiveInterval(ppd, 0.9)
	theirLo, theirHi := PredictiveInterval(s.Label, 0.9)
	unit, mean, theirs := theirHi-theirLo, ppd.Mean(), s.Label.Mean() // squares may overflow
	ratio := (hi - lo) / unit
	if !(unit > 0) {
		unit, ratio = 1, 1
	}
	for j, v := range s.Mean {
		out.Mean[j] = ratio * (v - theirs) / unit
	}
	disagree(out.Mean, levels, (mean-theirs)/unit)
	for j, v := range out.Mean {
		out.Mean[j] = mean + unit*v
	}
	out.order()
	return out
}

// rank returns z(P(v)) of a number v under the label's distribution P, within ±mostRank.
func (s *Surface) rank(v float64) float64 {
	return max(-mostRank, min(normalQuantile(s.Label.CDF(v)), mostRank))
}

// mostRank is about the largest z for which Φ(z) differs from 1.
const mostRank = 8

// calibrated returns the level at which posterior quantile j is read.
func (s *Surface) calibrated(j int) float64 {
	z := normalQuantile(s.PosteriorLevels[j])
	if s.Scale != 0 {
		z /= s.Scale
	}
	return normalCDF(z)
}

// byCompanion reports whether a posterior is from [Accompany].
func byCompanion(o Own) bool {
	switch o := o.(type) {
	case *Surface:
		return o.Companion
	case *ClassPosterior:
		return o.Companion
	case supportedOwn:
		return byCompanion(o.own)
	}
	return false
}

// accompany is [Accompany] for classes.
func (c *ClassPosterior) accompany(p, theirs distr.Classes) *ClassPosterior {
	offsets := make([][]float64, len(p))
	for k, row := range c.Quantiles {
		offsets[k] = make([]float64, len(row))
		for j, q := range row {
			offsets[k][j] = distr.LogOdds(q)
		}
		disagree(offsets[k], c.Levels, distr.LogOdds(p[k])-distr.LogOdds(theirs[k]))
	}
	out := &ClassPosterior{*distr.Anchored(c.Levels, offsets, p), true}
	if last := len(c.Levels) - 1; len(p) == 2 { // one is the mirror image of the other
		for j, q := range out.Quantiles[0] {
			out.Quantiles[1][last-j] = 1 - q
		}
	}
	return out
}
