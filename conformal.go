package pfnamp

import (
	"context"
	"errors"
	"fmt"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/conformal"
	"github.com/pfnamp/pfnamp/drift"
	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/pfn"
)

// DefaultFolds is K of [Conformal].
const DefaultFolds = 10

// Conformal makes predictive intervals of a number, or sets of classes, with a guarantee: K-fold
// cross-conformal prediction (CV+). The n rows of the context are divided at random into K folds,
// and the model reads the context without each of them. Package conformal scores the rows of every
// fold by the model that has not read them, and combines the folds at a query row. If rows of the
// context and query rows are exchangeable, the interval or set holds a new label with probability
// at least [Conformal.Guarantee], whatever the distribution and however wrong the model; about the
// level is usual. The probability is over the draw of the context and the row, not at every x: it
// says nothing of the conditional mean.
//
// It is safe for concurrent use.
type Conformal struct {
	level       float64
	grouping    grouping
	byClass     bool
	calibration *conformal.Calibration // within groups
	whole       *conformal.Calibration // over all rows, for query rows of other groups
	plan        folds.Plan
	readers     []reader // by fold

	shift    *drift.Weights // nil where all rows of the context count equally
	weighted *conformal.Weighted
}

// conformal readies the conformal intervals or sets of a question.
func (f *Fitted) conformal(ctx context.Context, q Question) (*Conformal, error) {
	if f.table.X.Rows == 0 {
		return nil, ErrNoTable
	}
	groups, err := f.grouping(q)
	if err != nil {
		return nil, err
	}
	m := calibrating{plan: f.plan(q, groups), groups: groups,
		byClass: f.Task().everyClass(q.ConformalBy),
		task:    f.Task(), model: f.model, table: f.table, question: q}
	return m.conformal(ctx)
}

// SmallTableError reports too few rows for a conformal interval or set of a level.
type SmallTableError struct {
	Rows, Least int
	Level       float64
	Sets        bool // of classes
}

// Error names the smallest number of rows.
func (e *SmallTableError) Error() string {
	what := "interval"
	if e.Sets {
		what = "set"
	}
	return fmt.Sprintf("a conformal %s of level %g needs at least %d rows of context, and there "+
		"are %d", what, e.Level, e.Least, e.Rows)
}

// ErrNoTable reports that conformal intervals are asked of a restored state.
var ErrNoTable = errors.New("conformal intervals encode the context without some of its rows, " +
	"and need the training table: a state holds it encoded as a whole")

// calibrating is what conformal predictions are made from.
type calibrating struct {
	model    *pfn.Model
	table    pfn.Training
	question Question // complete
	task     Task
	groups   grouping
	byClass  bool
	plan     folds.Plan
}

// conformal reads the context without every fold and scores the rows of that fold. It fails with a
// *SmallTableError or *SmallGroupsError, and with errors of the model.
func (m calibrating) conformal(ctx context.Context) (c *Conformal, err error) {
	n, level := m.table.X.Rows, m.question.Level
	parts, foldOf, err := m.parts()
	if err != nil {
		return nil, err
	}
	scores := make([]float64, n)
	c = &Conformal{level: level, grouping: m.groups, byClass: m.byClass, plan: m.plan}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Close())
		}
	}()
	for _, part := range parts {
		r, err := m.read(ctx, m.table.Take(part.Read))
		if err != nil {
			return c, err
		}
		c.readers = append(c.readers, r)
		of, err := m.task.held(ctx, r, m.table.Take(part.Held), level)
		if err != nil {
			return c, err
		}
		for i, row := range part.Held {
			scores[row] = of[i]
		}
	}
	c.calibration = conformal.NewCalibration(level, len(parts), foldOf, m.groups.of, scores)
	c.whole = conformal.NewCalibration(level, len(parts), foldOf, make([]int, n), scores)
	return c, c.weigh(m, foldOf, scores)
}

// Guarantee is the least probability that an interval or a set holds a new label, in every group;
// see conformal.Guarantee. It is 0 where the folds are whole groups or follow time, or where rows
// are weighted: the proof needs rows that are exchangeable.
func (c *Conformal) Guarantee() float64 {
	if c.plan.Groups != nil || c.plan.Times != nil || c.shift != nil {
		return 0
	}
	least := 1.0
	for group := range c.calibration.Groups() {
		least = min(least, c.calibration.Guarantee(group))
	}
	return least
}

// Groups is the number of groups that the promise is for, 1 where it is for all rows together.
func (c *Conformal) Groups() int { return c.calibration.Groups() }

// calibrated are the scores that a query row of a group is compared with, and their group.
func (c *Conformal) calibrated(group int) (*conformal.Calibration, int) {
	if group == noGroup {
		return c.whole, 0
	}
	return c.calibration, group
}

// Folds returns K.
func (c *Conformal) Folds() int { return len(c.readers) }

// intervals returns the interval of every query row of some groups.
func (c *Conformal) intervals(ctx context.Context, x pfn.Matrix, groups []int) ([]Interval, error) {
	central := make([][]Interval, len(c.readers)) // by fold and row
	for k, r := range c.readers {
		rows, err := r.donors.Predictions(ctx, r.context, x, false)
		if err != nil {
			return nil, err
		}
		central[k] = centralIntervals(rows, c.level)
	}
	intervals := make([]Interval, x.Rows)
	row, weights := make([]Interval, len(central)), c.weights(x)
	for i := range intervals {
		for k := range central {
			row[k] = central[k][i]
		}
		if weights != nil {
			intervals[i], _ = c.weighted.Interval(row, weights[i])
			continue
		}
		calibration, group := c.calibrated(groups[i])
		intervals[i] = calibration.Interval(group, row)
	}
	return intervals, nil
}

// sets returns the classes in the set of every query row of some groups, in ascending order. best
// are the most probable classes, which sets always hold.
func (c *Conformal) sets(
	ctx context.Context, x pfn.Matrix, best, groups []int,
) ([][]int, error) {
	said := make([][]amp.Classes, len(c.readers)) // by fold and row
	for k, r := range c.readers {
		var err error
		if said[k], err = r.probabilities(ctx, x); err != nil {
			return nil, err
		}
	}
	sets, scores := make([][]int, x.Rows), make([]float64, len(said))
	weights := c.weights(x)
	for i := range sets {
		for class := range said[0][i] {
			for k := range said {
				scores[k] = conformal.Strangeness(said[k][i], class)
			}
			calibration, group := c.calibrated(groups[i])
			if c.byClass {
				group = class
			}
			usual := calibration.Usual
			if weights != nil {
				usual = func(_ int, scores []float64) bool { return c.weighted.Usual(scores, weights[i]) }
			}
			if class == best[i] || usual(group, scores) {
				sets[i] = append(sets[i], class)
			}
		}
	}
	return sets, nil
}

// Close frees the contexts.
func (c *Conformal) Close() error {
	var errs []error
	for _, r := range c.readers {
		errs = append(errs, r.close())
	}
	return errors.Join(errs...)
}
