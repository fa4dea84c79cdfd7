package pfn

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/boost"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/rows"
)

// Tell returns what the trees of the context say of query rows, [rows, scores]; without trees no
// columns. Rows with cells filled in may keep the scores that they had without, as columns after
// the features.
func (c *Context) Tell(x Matrix) (Matrix, error) { return c.trees.Tell(x) }

const (
	treeRows  = 500  // least rows of a context that trees read too
	treeFolds = 5    // each is told by trees that read the others
	treeGain  = 0.98 // trees must leave less than this part of what trends leave
	probeGain = 1.1  // as must the trees of one fold, or no others grow
	lawLeft   = 0.02 // trends that leave less, in deviations of the target, need no trees
)

// grown returns a table with what trees say of its rows, if this leaves less of a number than the
// trends of an ensemble, or of classes than their shares; otherwise nil.
func (m *Model) grown(ctx context.Context, t *table, e ensemble) (*table, error) {
	own, ok := e.(tabiclEnsemble)
	most := m.bundle.Manifest.Limits.MaxFeatures
	if !ok || len(m.bundle.Manifest.Ensemble.Trends) == 0 || t.Trees != nil || t.told || t.raw ||
		t.X.Rows < treeRows || t.X.Cols+max(1, t.classes) > most {
		return nil, nil
	}
	whole := boost.Table{X: t.X, Categorical: t.Categorical, Y: t.Y, Classes: t.classes}
	least, unit := 0.0, 1.0
	if t.classes == 0 {
		whole.Y, least = t.Scores(t.Y), own[0].Left()
		unit = floats.Norm(whole.Y, math.Inf(1))
	} else {
		for _, p := range distr.Shares(t.Y, t.classes) {
			least += p * (1 - p) / float64(t.classes)
		}
		least = math.Sqrt(least)
	}
	if least < lawLeft {
		return nil, nil
	}
	folds := foldsOf(t.X)
	probe, _, err := boost.Fit(ctx, whole, folds[:1], most)
	if err != nil || unit*probe.Left >= probeGain*least {
		return nil, err
	}
	trees, told, err := boost.Fit(ctx, whole, folds, most)
	if err != nil || unit*trees.Left >= treeGain*least {
		return nil, err
	}
	return &table{target: t.target, Training: Training{X: matrix.Beside(t.X, told), Y: t.Y,
		Categorical: trees.Kinds(t.Categorical), Trees: trees}}, nil
}

// withBare replaces the last member of numbers by one that does not read what trees of other rows
// say, if a trend on the features alone leaves less than those of an ensemble with trees.
func (m *Model) withBare(t *table, e ensemble, lessons []lesson) (ensemble, []lesson, error) {
	own, ok := e.(tabiclEnsemble)
	last := len(lessons) - 1
	if !ok || t.Trees == nil || t.Trees.Within || !own[0].HasTrends() || last < 1 {
		return e, lessons, nil
	}
	features := matrix.Upto(t.X.Cols - len(t.Trees.Scores))
	plain := table{target: t.target, Training: Training{X: t.X.Pick(features), Y: t.Y,
		Categorical: t.Categorical[:len(features)]}}
	without, read, err := m.family.fit(m, &plain, len(lessons))
	bare, ok := without.(tabiclEnsemble)
	if err != nil || !ok || len(read) != len(lessons) || bare[0].Left() >= own[0].Left() {
		return e, lessons, err
	}
	own[0].Members, bare[0].Members = own[0].Members[:last], bare[0].Members[last:]
	return append(own, bare...), append(lessons[:last], read[last]), nil
}

// foldsOf divides rows; equal ones are in the same fold.
func foldsOf(x Matrix) []boost.Fold {
	folds, hashes := make([]boost.Fold, treeFolds), make([]uint64, x.Rows)
	for i := range hashes {
		hashes[i] = rows.Hash(x, i)
	}
	for i, group := range rows.Numbered(hashes) {
		for k := range folds {
			if k == group%treeFolds {
				folds[k].Held = append(folds[k].Held, i)
			} else {
				folds[k].Read = append(folds[k].Read, i)
			}
		}
	}
	return folds
}

// doubtTrees gives a row the variances of the errors of the trees of a context, in view of what the
// members say of its label: of their number, in standardised units of the target, or of the log
// odds of every class that has them. Without trees of these classes there are none.
//
// To a network, the error of trees that read other rows is noise of the label: its posterior lacks
// it, and its quantiles are too far apart. Trees that read fewer rows tell its share s of that
// noise (boost.Score.Doubt): without it, the deviation is sqrt(1-s) of what it is.
func (w *weighing) doubtTrees(c *Context, label [][]float32) {
	k := c.target.classes
	if c.trees == nil || k == 2 && len(c.trees.Scores) > 1 || k > 2 && len(c.trees.Scores) != k {
		return // a part of the context may lack classes that the trees know
	}
	for _, s := range c.trees.Scores {
		w.trees = append(w.trees, s.Doubt)
	}
	if c.target.classes == 0 {
		const apart = 2 * 1.2815515655446004 // of a normal distribution with deviation 1
		w.apart = 1 - math.Sqrt(1-w.trees[0])
		w.trees[0] *= w.spread(len(label), 0, func(b int) float64 {
			return labelSpread(label[b]) / apart
		})
	}
}

// treeShare is the share that log odds of trees have beside a network.
const treeShare = 2.0 / 3

// mixed returns the weighted geometric mean of some probabilities and of those of log odds, which
// have this share, with sum one; p without log odds.
func mixed(p distr.Classes, logOdds []float64, share float64) distr.Classes {
	if len(logOdds) == 0 {
		return p
	}
	for k := range p {
		z := logOdds[min(k, len(logOdds)-1)]
		if len(p) == 2 && k == 0 {
			z = -z
		}
		p[k] = math.Pow(p[k], 1-share) * math.Pow(1+math.Exp(-z), -share)
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
