package tabpfn

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// edge is the distance from the outermost quantiles of a column within which scikit-learn treats a
// value as the outermost one, when positions become normal.
const edge = 1e-7

// normalPosition is the standard normal quantile of a value's position, within those of edge and
// 1 - edge.
type normalPosition struct{ position }

func (p normalPosition) apply(v float64) float64 {
	last := p.quantiles[len(p.quantiles)-1]
	at := p.position.apply(v)
	switch {
	case math.IsNaN(at):
		return at
	case v-edge < p.quantiles[0]:
		at = 0
	case v+edge > last:
		at = 1
	}
	const outermost = edge - epsilon
	return mathext.NormalQuantile(min(max(at, outermost), 1-outermost))
}

// stretchedPosition continues positions beyond the smallest and the largest value on a straight
// line, at most by their distance.
type stretchedPosition struct {
	position
	least, most float64
}

// fitStretched fits the context rows of one column with values.
func fitStretched(values []float64, count int) stretchedPosition {
	present := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	return stretchedPosition{fitPosition(values, count), slices.Min(present), slices.Max(present)}
}

func (p stretchedPosition) apply(v float64) float64 {
	if spread := p.most - p.least; spread > 0 {
		switch along := (v - p.least) / spread; {
		case v < p.least:
			return max(along, -1)
		case v > p.most:
			return min(along, 2)
		}
	}
	return p.position.apply(v)
}

// robust centres a column at its median and divides it by its interquartile range, in units of a
// standard normal distribution's. Missing values stay missing.
type robust struct{ median, scale float64 }

// fitRobust fits the context rows of one column with values.
func fitRobust(values []float64) robust {
	sorted := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	slices.Sort(sorted)
	spread := atPercent(sorted, 75) - atPercent(sorted, 25)
	if spread < 10*epsilon {
		spread = 1
	}
	normal := mathext.NormalQuantile(0.75) - mathext.NormalQuantile(0.25)
	return robust{atPercent(sorted, 50), spread / normal}
}

func (r robust) apply(v float64) float64 { return (v - r.median) / r.scale }
