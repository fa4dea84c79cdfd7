package pfn

import (
	"errors"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/models"
)

// quantileHead is quantiles of the label at the levels i/(levels+1). Members are averaged by their
// quantiles, in standardised units.
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

func (h quantileHead) combiner(_ ensemble, t target) combiner {
	return func(members [][]float32, w weighing) part {
		each := make([]*Quantiles, len(members))
		for b, raw := range members {
			each[b] = newQuantiles(widen(raw))
		}
		mean := average(each, w.weights)
		floats.AddConst(w.centre, mean.Knots)
		return rescale(mean, t)
	}
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
		return nil, errors.New("a fixed distribution is none")
	}
	return &d, nil
}

// marginal is the empirical distribution of standardised targets as quantiles at the head's
// levels, by linear interpolation between order statistics at the positions p (n - 1).
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
