package pfn

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// trendedEnsemble is one some of whose members may read what a trend leaves of the target.
type trendedEnsemble interface {
	trends() []bool // which members do; nil if none does
	// trend returns the trend at every row, in standardised units, and the scale of what it leaves.
	trend(x Matrix) (at []float64, scale float64)
}

// trendsOf says which members of an ensemble read what a trend leaves; nil if none does.
func trendsOf(e ensemble) []bool {
	if e, ok := e.(trendedEnsemble); ok {
		return e.trends()
	}
	return nil
}

// trend is the trend of a block of query rows. What a network says of a member with a trend is in
// units of what the trend leaves of the standardised target.
type trend struct {
	members []bool
	at      []float64
	scale   float64
}

// trendOf is the trend of an ensemble at query rows.
func trendOf(e ensemble, x Matrix) trend {
	members := trendsOf(e)
	if members == nil {
		return trend{}
	}
	at, scale := e.(trendedEnsemble).trend(x)
	return trend{members, at, scale}
}

// add brings what the network says of row i, by member, to standardised units of the target.
func (t trend) add(i int, members [][]float32) {
	for b, has := range t.members {
		if !has {
			continue
		}
		for k, v := range members[b] {
			members[b][k] = float32(t.at[i] + t.scale*float64(v))
		}
	}
}

// leastSpread keeps the weights of members finite, in standard deviations of the target.
const leastSpread = 1e-9

// weights are those with which the members of a row are averaged, in view of what they say of the
// label, its quantiles in standardised units: equal ones (nil) or, with a trend, the inverse squares of
// their spreads, from the knot nearest to the level 0.1 to that nearest to 0.9.
//
// Members that read what the trend leaves are far better than the others where the target is nearly
// linear, and worse where it is bent. The narrower of two honest distributions knows more.
func (t trend) weights(label [][]float32) []float64 {
	if t.members == nil {
		return nil
	}
	w := make([]float64, len(label))
	for b, raw := range label {
		knots := slices.Sorted(slices.Values(raw))
		far := int(0.1*float64(len(knots)-1) + 0.5)
		spread := float64(knots[len(knots)-1-far]) - float64(knots[far])
		w[b] = math.Pow(max(spread, leastSpread), -2)
	}
	floats.Scale(1/floats.Sum(w), w)
	return w
}

func equalWeights(members int) []float64 {
	w := make([]float64, members)
	floats.AddConst(1/float64(members), w)
	return w
}
