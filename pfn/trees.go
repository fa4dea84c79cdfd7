package pfn

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/distr"
)

// Tell returns what the trees of the context say of query rows, [rows, scores]; without trees no
// columns. Rows with cells filled in may keep the scores that they had without, as columns after
// the features.
func (c *Context) Tell(x Matrix) (Matrix, error) { return c.trees.Tell(x) }

// doubts returns the variances of the errors of the trees of a context at a row, in view of what
// the members say of its label: of their number, in standardised units of the target, or of the log
// odds of every class that has them. Without trees of these classes it returns nil.
//
// To a network, the error of trees that read other rows is noise of the label: its posterior lacks
// it. Trees that read fewer rows tell its share of that noise (boost.Score.Doubt).
func (c *Context) doubts(w weighing, label [][]float32) (variances []float64) {
	k := c.target.classes
	if c.trees == nil || k == 2 && len(c.trees.Scores) > 1 || k > 2 && len(c.trees.Scores) != k {
		return nil // a part of the context may lack classes that the trees know
	}
	for _, s := range c.trees.Scores {
		variances = append(variances, s.Doubt)
	}
	if c.target.classes == 0 {
		const apart = 2 * 1.2815515655446004 // of a normal distribution with deviation 1
		variances[0] *= w.spread(len(label), 0, func(b int) float64 {
			return labelSpread(label[b]) / apart
		})
	}
	return variances
}

// treeShare is the share of trees in the log odds of classes.
const treeShare = 2.0 / 3

// withTrees returns the weighted geometric mean of the probabilities of a network and of those of
// trees, with sum one; those of the network without log odds of trees.
func withTrees(p distr.Classes, logOdds []float64) distr.Classes {
	if len(logOdds) == 0 {
		return p
	}
	for k := range p {
		z := logOdds[min(k, len(logOdds)-1)]
		if len(p) == 2 && k == 0 {
			z = -z
		}
		p[k] = math.Pow(p[k], 1-treeShare) * math.Pow(1+math.Exp(-z), -treeShare)
	}
	floats.Scale(1/floats.Sum(p), p)
	return p
}

// middle is where the quantiles nearest to the levels 0.05, 0.5 and 0.95 of a posterior are, and
// how far the outer two are apart in deviations of a normal distribution.
type middle struct {
	lo, mid, hi int
	apart       float64
}

func middleOf(levels []float64) (m middle) {
	m.lo, m.mid = floats.NearestIdx(levels, 0.05), floats.NearestIdx(levels, 0.5)
	m.hi = floats.NearestIdx(levels, 0.95)
	m.apart = distuv.UnitNormal.Quantile(levels[m.hi]) - distuv.UnitNormal.Quantile(levels[m.lo])
	return m
}

// stretch adds a variance to a posterior: it stretches it about its median by
//
//	sqrt(1 + added/v^2).
//
// v is the deviation of a normal distribution with the same distance of the outer quantiles.
func (m middle) stretch(posterior []float64, added float64) {
	centre, within := posterior[m.mid], (posterior[m.hi]-posterior[m.lo])/m.apart
	if !(within > leastSpread) {
		return
	}
	by := math.Sqrt(1 + added/(within*within))
	for i, v := range posterior {
		posterior[i] = centre + by*(v-centre)
	}
}
