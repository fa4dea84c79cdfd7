package pfn

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/pfn/internal/trend"
)

// trendedEnsemble is one some of whose members may read what a trend leaves of the target.
type trendedEnsemble interface {
	trends(x Matrix) trends // those of the members at query rows; nil if no member has one
}

// trends are those of the members at some query rows; empty if no member has one. What a network
// says of a member with a trend is in units of what the trend leaves of the standardised target.
type trends struct {
	members []memberTrend
	// how far every row is beyond the range of the context; nil where trends go on
	beyond []trend.Beyond
}

// memberTrend is the trend of a member at every row in standardised units.
type memberTrend struct {
	at    []float64 // nil without a trend
	scale float64   // of what it leaves
	doubt []float64 // variances by which a kernel's may be off; nil of others
}

// trendsOf are the trends of an ensemble at query rows.
func trendsOf(e ensemble, x Matrix) trends {
	if trended, ok := e.(trendedEnsemble); ok {
		return trended.trends(x)
	}
	return trends{}
}

// trendsAlong are the trends of members of these kinds.
func trendsAlong(along trend.Along, kinds []string) trends {
	found := trends{beyond: along.Beyond}
	for _, kind := range kinds {
		m := memberTrend{at: along.At[kind], scale: along.Scale[kind]}
		if kind == trend.Kernel {
			m.doubt = along.Doubt
		}
		found.members = append(found.members, m)
	}
	return found
}

// centre is what row i is measured from, the trend that leaves the least, 0 without one: float32
// does not hold beside it the little that a law leaves.
func (t trends) centre(i int) (at float64) {
	least := math.Inf(1)
	for _, m := range t.members {
		if m.at != nil && m.scale < least {
			at, least = m.at[i], m.scale
		}
	}
	return at
}

// add brings what the network says of row i, by member, to standardised units of the target from
// the row's centre on.
func (t trends) add(i int, members [][]float32) {
	centre := t.centre(i)
	for b, m := range t.members {
		at, scale := 0.0, 1.0
		if m.at != nil {
			at, scale = m.at[i], m.scale
		}
		for k, v := range members[b] {
			members[b][k] = float32(at - centre + scale*float64(v))
		}
	}
}

// leastSpread keeps the weights of members finite, in standard deviations of the target.
const leastSpread = 1e-9

// weighing is how the members of a row are averaged.
type weighing struct {
	weights []float64 // of the members, whose sum is one; nil are equal ones
	centre  float64   // what members are measured from, in standardised units
	kernel  bool      // whether a member has a kernel's trend
	doubt   float64   // mean variance by which the members' trends may be off, in standardised units
	beyond  trend.Beyond
}

// spread is the weighted variance of values of the members about a centre.
func (w weighing) spread(members int, centre float64, of func(b int) float64) float64 {
	weights, sum := w.weights, 0.0
	if weights == nil {
		weights = equalWeights(members)
	}
	for b, weight := range weights {
		d := of(b) - centre
		sum += weight * d * d
	}
	return sum
}

// noiseBeyond is by how much the variance of the noise may be another one far beyond the context.
const noiseBeyond = 0.5

// weigh says how the members of row i are averaged, in view of what they say of the label, its
// quantiles in standardised units: with equal weights or, with a trend, the inverse squares of
// their spreads, from the knot nearest to the level 0.1 to that nearest to 0.9.
//
// Members that read what a trend leaves are far better than the others where the target is nearly
// linear, and worse where it is bent. The narrower of two honest distributions knows more.
func (t trends) weigh(i int, label [][]float32) weighing {
	if t.members == nil {
		return weighing{}
	}
	w := make([]float64, len(label))
	for b, raw := range label {
		knots := slices.Sorted(slices.Values(raw))
		far := int(0.1*float64(len(knots)-1) + 0.5)
		spread := float64(knots[len(knots)-1-far]) - float64(knots[far])
		w[b] = math.Pow(max(spread, leastSpread), -2)
	}
	floats.Scale(1/floats.Sum(w), w)
	found := weighing{weights: w, centre: t.centre(i)}
	if t.beyond != nil {
		found.beyond = t.beyond[i]
	}
	for b, m := range t.members {
		if m.doubt != nil {
			found.kernel = true
			found.doubt += w[b] * m.doubt[i]
		}
	}
	return found
}

func equalWeights(members int) []float64 {
	w := make([]float64, members)
	floats.AddConst(1/float64(members), w)
	return w
}
