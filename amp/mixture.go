package amp

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/distr"
)

// Mixture is the distribution Σ_d w_d P_d of a label that has the distribution P_d with probability
// w_d. It is immutable, and safe for concurrent use if its parts are.
type Mixture[D PPD] struct {
	Parts   []D
	Weights []float64 // positive, with sum 1
}

// rough is the error of a quantile of a mixed surface, relative to the range of the parts'
// quantiles.
const rough = 1e-5

// rounding is the relative error of an inverse that must be exact.
const rounding = 2e-16

// CDF implements [PPD].
func (m Mixture[D]) CDF(y float64) float64 {
	sum := 0.0
	for d, part := range m.Parts {
		sum += m.Weights[d] * part.CDF(y)
	}
	return math.Min(1, sum)
}

// Mean implements [PPD].
func (m Mixture[D]) Mean() float64 {
	sum := 0.0
	for d, part := range m.Parts {
		sum += m.Weights[d] * part.Mean()
	}
	return sum
}

// Quantile implements [PPD]. It inverts CDF between the quantiles of the parts.
func (m Mixture[D]) Quantile(p float64) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, part := range m.Parts {
		q := part.Quantile(p)
		lo, hi = math.Min(lo, q), math.Max(hi, q)
	}
	return inverse(m.CDF, p, lo, hi, 0)
}

// Quantiles implements [BatchPPD].
func (m Mixture[D]) Quantiles(dst, p []float64) {
	lo, hi := slices.Repeat([]float64{math.Inf(1)}, len(p)),
		slices.Repeat([]float64{math.Inf(-1)}, len(p))
	for _, part := range m.Parts {
		Quantiles(part, dst, p)
		for i, q := range dst {
			lo[i], hi[i] = math.Min(lo[i], q), math.Max(hi[i], q)
		}
	}
	for i, level := range p {
		dst[i] = inverse(m.CDF, level, lo[i], hi[i], 0)
		if i > 0 {
			dst[i] = math.Max(dst[i], dst[i-1]) // rounding may have broken the order
		}
	}
}

// inverse returns a y in [lo, hi] with cdf(y) >= p, at most near above the smallest one, apart from
// rounding. If there is none, it returns hi. It takes secants, by the Illinois method, and halves
// the interval every third time.
func inverse(cdf func(float64) float64, p, lo, hi, near float64) float64 {
	below, above := cdf(lo)-p, cdf(hi)-p
	switch {
	case below >= 0:
		return lo
	case above < 0:
		return hi
	}
	near = math.Max(near, rounding*math.Max(math.Abs(lo), math.Abs(hi)))
	for step, last := 0, 0; hi-lo > near && step < 300; step++ {
		y := lo + (hi-lo)/2
		if step%3 != 2 {
			y = lo + (hi-lo)*math.Min(0.999, math.Max(0.001, -below/(above-below)))
		}
		if y <= lo || y >= hi {
			return hi
		}
		side := 1
		if at := cdf(y) - p; at < 0 {
			lo, below, side = y, at, -1
		} else {
			hi, above = y, at
		}
		if side == last { // the other end has not moved: halve its weight
			if side < 0 {
				above /= 2
			} else {
				below /= 2
			}
		}
		last = side
	}
	return hi
}

// MixSurfaces returns the surface of the mixture Σ_d w_d F_d. surfaces[d] is the surface of F_d;
// all have the same levels. weights holds w_d with sum 1, and label is the PPD of the mixture.
//
// All F_d share one rank τ, because their uncertainties are mostly the same. So the curve of level
// τ is the inverse of
//
//	Σ_d w_d F_d^τ.
//
// The weights are estimates from this many draws of d, which widens the posteriors. The distance of
// the quantile of level τ from the median becomes
//
//	sqrt(distance² + z(τ)² s²),  s² = Σ_d w_d (F_d(Q(u)) - u)² / (draws f(Q(u))²)
//
// with the density f of the mixture. For the mean, s² = Σ_d w_d (m_d - m)² / draws.
func MixSurfaces(surfaces []*Surface, weights []float64, label PPD, draws float64) *Surface {
	m := newSurfaceMixture(surfaces, weights)
	first := surfaces[0]
	out := &Surface{Label: label, Surface: distr.Surface{Levels: first.Levels,
		PosteriorLevels: first.PosteriorLevels, Scale: first.Scale,
		Mean: make([]float64, len(first.PosteriorLevels))}}
	for range first.Levels {
		out.Quantiles = append(out.Quantiles, make([]float64, len(first.PosteriorLevels)))
	}
	for d, s := range surfaces {
		for j, v := range s.Mean {
			out.Mean[j] += weights[d] * v
		}
	}
	for j := range out.PosteriorLevels {
		m.take(j)
		for k, u := range out.Levels {
			out.Quantiles[k][j] = m.quantile(k, u)
		}
	}
	m.widen(out, draws)
	return out
}

// surfaceMixture mixes the curves of one posterior level.
type surfaceMixture struct {
	surfaces []*Surface // not calibrated
	weights  []float64
	curves   []curve
}

func newSurfaceMixture(surfaces []*Surface, weights []float64) *surfaceMixture {
	m := &surfaceMixture{weights: weights, curves: make([]curve, len(surfaces))}
	for _, s := range surfaces {
		plain := *s
		plain.Scale = 0
		m.surfaces = append(m.surfaces, &plain)
	}
	return m
}

// take moves to posterior level j.
func (m *surfaceMixture) take(j int) {
	for d, s := range m.surfaces {
		m.curves[d] = s.curve(s.PosteriorLevels[j])
	}
}

// part returns F_d(t).
func (m *surfaceMixture) part(d int, t float64) float64 { return m.surfaces[d].cdf(m.curves[d], t) }

func (m *surfaceMixture) cdf(t float64) float64 {
	sum := 0.0
	for d, w := range m.weights {
		sum += w * m.part(d, t)
	}
	return sum
}

// quantile returns the quantile of level u, which is level k of the surface.
func (m *surfaceMixture) quantile(k int, u float64) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range m.curves {
		lo, hi = math.Min(lo, c.at[k]), math.Max(hi, c.at[k])
	}
	return inverse(m.cdf, u, lo, hi, rough*(hi-lo))
}

func (m *surfaceMixture) widen(out *Surface, draws float64) {
	levels := out.PosteriorLevels
	mid := floats.NearestIdx(levels, 0.5)
	m.take(mid)
	variance := 0.0
	for d, s := range m.surfaces {
		off := s.Mean[mid] - out.Mean[mid]
		variance += m.weights[d] * off * off
	}
	widen(out.Mean, levels, mid, variance/draws)
	last := len(out.Levels) - 1
	at := make([]float64, last+1)
	for k := range at {
		at[k] = out.Quantiles[k][mid]
	}
	for k, u := range out.Levels {
		variance = 0
		for d, w := range m.weights {
			off := m.part(d, at[k]) - u
			variance += w * off * off
		}
		before, after := max(0, k-1), min(last, k+1)
		slope := (at[after] - at[before]) / (out.Levels[after] - out.Levels[before])
		widen(out.Quantiles[k], levels, mid, variance/draws*slope*slope)
	}
	out.order()
}

// widen adds a variance to the posterior quantiles row of these levels, around the quantile at mid.
func widen(row, levels []float64, mid int, variance float64) {
	centre, deviation := row[mid], math.Sqrt(variance)
	for j, v := range row {
		added := math.Hypot(v-centre, normalQuantile(levels[j])*deviation)
		if j < mid {
			added = -added
		}
		if j != mid {
			row[j] = centre + added
		}
	}
}

func (s *Surface) order() {
	slices.Sort(s.Mean)
	for _, row := range s.Quantiles {
		slices.Sort(row)
	}
	column := make([]float64, len(s.Levels))
	for j := range s.PosteriorLevels {
		for k, row := range s.Quantiles {
			column[k] = row[j]
		}
		slices.Sort(column)
		for k, row := range s.Quantiles {
			row[j] = column[k]
		}
	}
}

// MixClassPosteriors returns the posterior of the class probabilities Σ_d w_d p_dk. posteriors[d]
// is the posterior of the p_dk; all have the same levels. All share one rank, as in [MixSurfaces],
// so posterior quantiles and means are weighted averages.
//
// The weights are estimates from this many draws of d. So the distance from the median at every
// level becomes
//
//	sqrt(distance² + z(τ)² s²),  s² = Σ_d w_d (p_dk - p_k)² / draws
//
// with the medians p_dk and p_k. Quantiles stay within [0, 1].
func MixClassPosteriors(
	posteriors []*ClassPosterior, weights []float64, draws float64,
) *ClassPosterior {
	levels := posteriors[0].Levels
	out := &ClassPosterior{ClassPosterior: distr.ClassPosterior{Levels: levels}}
	mid := floats.NearestIdx(levels, 0.5)
	for k := range posteriors[0].Quantiles {
		row := make([]float64, len(levels))
		for d, p := range posteriors {
			for j, v := range p.Quantiles[k] {
				row[j] += weights[d] * v
			}
		}
		variance := 0.0
		for d, p := range posteriors {
			off := p.Quantiles[k][mid] - row[mid]
			variance += weights[d] * off * off
		}
		widen(row, levels, mid, variance/draws)
		for j, v := range row {
			row[j] = math.Max(0, math.Min(1, v))
		}
		out.Quantiles = append(out.Quantiles, row)
	}
	return out
}
