package pfn

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/models"
)

// quantileHead reads quantiles of the label at the levels i/(levels+1). It averages members by
// their quantiles, in standardised units; those of Nori by raw quantiles, before it sorts them.
type quantileHead struct {
	name   string
	levels int
}

func quantilesOf(m *models.Manifest) head {
	if m.Head.Kind != models.QuantileHead {
		return nil
	}
	return quantileHead{models.QuantileOutput, m.Head.Levels}
}

func (h quantileHead) output() output { return output{h.name, []int{h.levels}} }

func (h quantileHead) combiner(e ensemble, t target) combiner {
	if _, nori := e.(tabpfnEnsemble); nori {
		return func(members [][]float32, _ weighing) part { return rescale(averageRaw(members), t) }
	}
	return func(members [][]float32, w weighing) part {
		each := make([]*distr.Quantiles, len(members))
		for b, raw := range members {
			each[b] = distr.NewQuantiles(widen(raw))
		}
		mean := distr.Average(each, w.of(len(each)))
		if w.beyond.Share > 0 {
			mean = spread(mean, each, w)
		}
		floats.AddConst(w.centre, mean.Knots)
		return rescale(mean, t)
	}
}

// averageRaw returns the distribution whose quantiles are the means over the members.
func averageRaw(members [][]float32) *distr.Quantiles {
	mean := make([]float64, len(members[0]))
	for _, raw := range members {
		floats.Add(mean, widen(raw))
	}
	floats.Scale(1/float64(len(members)), mean)
	return distr.NewQuantiles(mean)
}

func (h quantileHead) alone(t *table) part {
	if t.Constant {
		return distr.Point(t.Mean, h.levels)
	}
	return rescale(marginal(t.labels(nil), h.levels), t.target)
}

func (h quantileHead) restore(data []byte) (part, error) {
	d := new(distr.Quantiles)
	return d, decodeState(data, d)
}

// marginal returns the empirical distribution of standardised targets as quantiles at the head's
// levels, interpolated linearly between order statistics at the positions p (n - 1).
func marginal(y []float32, levels int) *distr.Quantiles {
	sorted, knots := widen(y), make([]float64, levels)
	slices.Sort(sorted)
	for i := range knots {
		pos := float64(i+1) / float64(levels+1) * float64(len(sorted)-1)
		k := min(int(pos), len(sorted)-2)
		knots[i] = rank{k + 1, pos - float64(k)}.of(sorted)
	}
	return distr.NewQuantiles(knots)
}

// rescale gives a standardised distribution the location and scale of the target.
func rescale(d *distr.Quantiles, t target) *distr.Quantiles {
	d.Location, d.Scale = t.Mean, t.SD
	return d
}

func widen(values []float32) []float64 {
	wide := make([]float64, len(values))
	for i, v := range values {
		wide[i] = float64(v)
	}
	return wide
}

// spread widens the standardised distribution of a row beyond the context, like the row's surface.
// Between the quantiles of the levels 0.05 and 0.95 it stretches it about its median by
//
//	sqrt(1 + a/v^2 + c),  a = e + s (d + sum_b w_b (m_b - m)^2).
//
// Here e is the variance of the function's possible change at the row, s the share by which the row
// is beyond, d the doubt about the trends, and c = noiseBeyond s. The members' medians m_b have the
// weights w_b. v is the deviation of the normal distribution with the same distance between these
// two quantiles. What is further out moves as far as in a normal distribution, see
// docs/design/posterior.md: stretched, a far tail of a narrow middle would be carried away.
func spread(d *distr.Quantiles, members []*distr.Quantiles, w weighing) *distr.Quantiles {
	const edge = 1.6448536269514722
	mid, lo, hi := d.Quantile(0.5), d.Quantile(0.05), d.Quantile(0.95)
	within := (hi - lo) / (2 * edge)
	if !(within > leastSpread) {
		return d
	}
	between := w.doubt +
		w.spread(len(members), mid, func(b int) float64 { return members[b].Quantile(0.5) })
	added, noise := w.beyond.Variance+w.beyond.Share*between, 1+noiseBeyond*w.beyond.Share
	by, knots := math.Sqrt(noise+added/(within*within)), make([]float64, len(d.Knots))
	far := func(q, z float64) float64 { return math.Copysign(math.Sqrt(noise*q*q+added*z*z), z) }
	for i, v := range d.Knots {
		in := max(lo, min(hi, v))
		if knots[i] = mid + by*(in-mid); in != v {
			z := distuv.UnitNormal.Quantile(float64(i+1) / float64(len(knots)+1))
			knots[i] += far(v-mid, z) - far(in-mid, math.Copysign(edge, z))
		}
	}
	return distr.NewQuantiles(knots)
}

// barHead reads logits of bars. The ensemble turns them into probabilities of common bars. Without
// a network, it uses quantiles.
type barHead struct {
	quantileHead
	compat bool // quantiles end at the outermost borders
}

func barsOf(m *models.Manifest) head {
	if m.Head.Kind != models.BarHead {
		return nil
	}
	return barHead{quantileHead{models.LogitsOutput, m.Head.Levels},
		m.TabPFN.Tails == models.TailsCompat}
}

func (h barHead) combiner(e ensemble, _ target) combiner {
	bars := e.(tabpfnEnsemble)
	borders := bars.Borders()
	return func(members [][]float32, _ weighing) part {
		return distr.NewBars(borders, bars.Combine(members), h.compat)
	}
}
