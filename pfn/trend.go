package pfn

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/pfn/internal/trend"
)

// trendedEnsemble is an ensemble whose members may read the residuals of a trend.
type trendedEnsemble interface {
	trends(x Matrix) trends // of the members at query rows; nil if no member has one
}

// trends are the trends of the members at some query rows; empty if no member has one. The output
// of a network for a member with a trend is in units of the residuals of the standardised target.
type trends struct {
	members []memberTrend
	odds    Matrix    // log odds of a classifier's line, [rows, K or 1]; empty without
	share   float64   // of these beside a network
	doubts  []float64 // about the levels of a classifier, in units of p (1-p); nil without
	// distance of every row from the range of the context; nil if trends continue
	beyond []trend.Beyond
}

// memberTrend is the trend of a member at every row in standardised units.
type memberTrend struct {
	at    []float64 // nil without a trend
	scale float64   // of the residuals
	doubt []float64 // variances that posteriors lack; nil for a line without levels
}

func trendsOf(e ensemble, x Matrix) trends {
	if trended, ok := e.(trendedEnsemble); ok {
		return trended.trends(x)
	}
	return trends{}
}

// centre returns the origin of row i: the trend with the smallest residuals, 0 without one. float32
// cannot hold the small residuals of a law beside a large trend.
func (t trends) centre(i int) (at float64) {
	least := math.Inf(1)
	for _, m := range t.members {
		if m.at != nil && m.scale < least {
			at, least = m.at[i], m.scale
		}
	}
	return at
}

// add converts the network's output for row i, by member, to standardised units of the target,
// relative to the row's centre.
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

// weighing describes how to average the members of a row.
type weighing struct {
	weights []float64 // of the members, with sum one; nil means equal
	centre  float64   // origin of the members, in standardised units
	doubted bool      // whether a member's trend has a doubt
	doubt   float64   // mean of the doubts of the members' trends, in standardised units
	beyond  trend.Beyond
	trees   []float64 // variances of the errors of trees, see doubtTrees
	apart   float64   // by which share of their distance quantiles are too far apart, with trees
	scores  []float64 // log odds of classes that trees say; nil for numbers
	line    []float64 // log odds of classes that a line says; nil for numbers
	share   float64   // of these beside a network
}

// spread returns the weighted variance of values of the members about a centre.
func (w weighing) spread(members int, centre float64, of func(b int) float64) float64 {
	sum := 0.0
	for b, weight := range w.of(members) {
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
func (t trends) weigh(i int, label [][]float32) (found weighing) {
	if t.odds.Cols > 0 {
		found.line, found.share = t.odds.Row(i), t.share
	}
	if t.doubts != nil {
		found.doubt = t.doubts[i]
	}
	if t.members == nil {
		return found
	}
	w := make([]float64, len(label))
	for b, raw := range label {
		w[b] = math.Pow(max(labelSpread(raw), leastSpread), -2)
	}
	floats.Scale(1/floats.Sum(w), w)
	found.weights, found.centre = w, t.centre(i)
	if t.beyond != nil {
		found.beyond = t.beyond[i]
	}
	for b, m := range t.members {
		if m.doubt != nil {
			found.doubted = true
			found.doubt += w[b] * m.doubt[i]
		}
	}
	return found
}

// labelSpread returns the distance of the quantiles 0.1 and 0.9 of a label.
func labelSpread(raw []float32) float64 {
	knots := slices.Sorted(slices.Values(raw))
	far := int(0.1*float64(len(knots)-1) + 0.5)
	return float64(knots[len(knots)-1-far]) - float64(knots[far])
}

// of returns the weights of this number of members.
func (w weighing) of(members int) []float64 {
	if w.weights != nil {
		return w.weights
	}
	return slices.Repeat([]float64{1 / float64(members)}, members)
}
