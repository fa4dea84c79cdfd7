package pfn

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/models"
)

// quantileHead reads quantiles of the label at the levels i/(levels+1). It averages members by
// their quantiles, in standardised units; of an ensemble that is crossing, before it sorts them.
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

// crossing is an ensemble whose members are averaged by their raw quantiles, which may cross and
// are sorted afterwards.
type crossing interface{ averagesRaw() }

func (h quantileHead) combiner(e ensemble, t target) combiner {
	if _, raw := e.(crossing); raw {
		return func(members [][]float32, _ weighing) part { return rescale(averageRaw(members), t) }
	}
	return func(members [][]float32, w weighing) part {
		each := make([]*Quantiles, len(members))
		for b, raw := range members {
			each[b] = newQuantiles(widen(raw))
		}
		mean := average(each, w.weights)
		if w.beyond.Share > 0 {
			mean.spread(each, w)
		}
		floats.AddConst(w.centre, mean.Knots)
		return rescale(mean, t)
	}
}

// averageRaw returns the distribution whose quantiles are the means over the members.
func averageRaw(members [][]float32) *Quantiles {
	mean := make([]float64, len(members[0]))
	for _, raw := range members {
		floats.Add(mean, widen(raw))
	}
	floats.Scale(1/float64(len(members)), mean)
	return newQuantiles(mean)
}

func (h quantileHead) alone(t *table) part {
	if t.Constant {
		return pointMass(t.Mean, h.levels)
	}
	return rescale(marginal(t.labels(nil), h.levels), t.target)
}

func (h quantileHead) restore(data []byte, _ target) (part, error) {
	var d Quantiles
	if err := decodeState(data, &d); err != nil {
		return nil, err
	}
	sound := len(d.Knots) == h.levels && slices.IsSorted(d.Knots) &&
		d.Left > 0 && d.Right > 0 && d.Scale >= 0
	if !sound {
		return nil, errors.New("a fixed distribution is invalid")
	}
	return &d, nil
}

// marginal returns the empirical distribution of standardised targets as quantiles at the head's
// levels, interpolated linearly between order statistics at the positions p (n - 1).
func marginal(y []float32, levels int) *Quantiles {
	sorted := slices.Sorted(slices.Values(y))
	knots := make([]float64, levels)
	for i := range knots {
		pos := float64(i+1) / float64(levels+1) * float64(len(sorted)-1)
		k := min(int(pos), len(sorted)-2)
		low, high := float64(sorted[k]), float64(sorted[k+1])
		knots[i] = low + (pos-float64(k))*(high-low)
	}
	return newQuantiles(knots)
}

// rescale gives a standardised distribution the location and scale of the target.
func rescale(d *Quantiles, t target) *Quantiles {
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

// spread widens the label's distribution of a row beyond the context, like the row's surface. It
// stretches the distribution about its median m by
//
//	sqrt(1 + (e + s (d/2 + sum_b w_b (m_b - m)^2)) / v^2 + c).
//
// Here e is the variance of the function's possible change at the row, s the share by which the row
// is beyond, d the doubt about the trends, and c = noiseBeyond s. The members' medians m_b have the
// weights w_b. v is the deviation of the normal distribution with the same distance between the
// quantiles of the levels 0.05 and 0.95.
func (d *Quantiles) spread(members []*Quantiles, w weighing) {
	const apart = 2 * 1.6448536269514722
	mid, within := d.quantile(0.5), (d.quantile(0.95)-d.quantile(0.05))/apart
	if !(within > leastSpread) {
		return
	}
	between := doubtShare*w.doubt +
		w.spread(len(members), mid, func(b int) float64 { return members[b].quantile(0.5) })
	added := w.beyond.Variance + w.beyond.Share*between
	by := math.Sqrt(1 + added/(within*within) + noiseBeyond*w.beyond.Share)
	for i, v := range d.Knots {
		d.Knots[i] = mid + by*(v-mid)
	}
	d.Left *= by
	d.Right *= by
}
