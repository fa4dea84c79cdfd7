package explain

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// TreatmentFolds is the number of folds of cross-fitting.
const TreatmentFolds = 5

// Treatment is the effect of a column with two values, adjusted for the other columns.
type Treatment struct {
	Column string
	Arms   [2]string // values, ascending
	Rows   [2]int    // number of rows by arm
	// Effects holds the adjusted means of both arms, then the differences second - first: adjusted,
	// without the one-step correction, and of the raw means.
	Effects []joint.Effect
	Overlap Overlap

	// What the effect was computed from, for By.
	schema   *tabular.Schema
	table    pfn.Training
	outcomes [][]outcome // by functional and row
	seed     uint64
}

// Indices of the differences in Treatment.Effects.
const (
	Adjusted = 2 + iota
	Uncorrected
	Raw
)

// CheckTreatment checks that a treatment, whose arms rows of the table have, can answer a question.
// The error is a *pfnamp.OptionError about the functionals, or a *tabular.Error about the column.
func CheckTreatment(q pfnamp.Question, s *tabular.Schema, t pfn.Training, name string) error {
	for k, f := range q.Functionals {
		if _, mean := f.(amp.Mean); !mean && f.Unit() != amp.ProbabilityUnit {
			return &pfnamp.OptionError{Field: "Functionals", Msg: fmt.Sprintf("a treatment effect is a "+
				"difference of means or probabilities, and %s is neither: use mean or p>T", q.Names(s)[k])}
		}
	}
	_, err := findArms(s, t, name)
	return err
}

// NewTreatment computes the effect of a column with two values by cross-fitting. For every fold,
// the model reads the rows of each arm outside the fold, and the classifier reads which arm these
// rows are in. The effect is causal only if every column that influences both the arm and the
// target is a feature. Rows without a value of the column are left out. report is called with the
// number of finished folds.
//
// Errors are a *tabular.Error if the column has no two arms or the arms do not overlap, a
// *pfn.StateError if the state does not keep all rows, and errors of pfn.Model.Fit and
// pfnamp.Predictor.Answers.
func NewTreatment(
	ctx context.Context, p *pfnamp.Predictor, classifier *pfn.Model, name string,
	report func(folds int),
) (*Treatment, error) {
	f := p.Fitted()
	table, by, known := f.WholeContext()
	if !known {
		return nil, &pfn.StateError{Msg: "the state keeps only part of its rows, and a treatment " +
			"effect needs all", Remedy: "name the training table instead of the state"}
	}
	a, err := findArms(f.Schema(), table, name)
	if err != nil {
		return nil, err
	}
	table = table.Take(a.rows)
	c := crossFit{arms: a, table: table, predictor: p, classifier: classifier,
		clusters: by.Take(a.rows).Groups}
	if err := c.checkClusters(f); err != nil {
		return nil, err
	}
	plan := folds.Plan{Count: TreatmentFolds, Seed: p.Question().Seed, Strata: a.of,
		Groups: c.clusters}
	if c.folds, err = plan.Fitting().Folds(); err != nil {
		return nil, err
	}
	chances, err := c.chances(ctx)
	if err != nil {
		return nil, err
	}
	if newOverlap(chances, a.of).none() {
		return nil, &tabular.Error{File: f.Schema().File, Column: name,
			Msg: fmt.Sprintf("the other columns predict almost perfectly whether a row has %s or %s, so "+
				"the two arms have no comparable rows", a.values[0].Text, a.values[1].Text),
			Hint: "drop columns that repeat the arm, or keep rows for which both arms are possible"}
	}
	rows, err := c.regressions(ctx, chances, report)
	if err != nil {
		return nil, err
	}
	if a.turned {
		a.swap()
		turn(chances, rows)
	}
	t := &Treatment{Column: name, Rows: a.sizes, Arms: [2]string{a.values[0].Text, a.values[1].Text},
		Overlap: newOverlap(chances, a.of)}
	t.effects(rows, p.Question().Seed)
	t.schema, t.table, t.outcomes, t.seed = f.Schema(), table, rows, p.Question().Seed
	return t, nil
}

// turn exchanges the arms of rows.
func turn(chances []float64, rows [][]outcome) {
	for i := range chances {
		chances[i] = 1 - chances[i]
		for f := range rows {
			o := &rows[f][i]
			o.arm, o.chance = 1-o.arm, 1-o.chance
			o.points[0], o.points[1] = o.points[1], o.points[0]
			o.draws[0], o.draws[1] = o.draws[1], o.draws[0]
		}
	}
}

// effects are the means and differences of arms.
func (t *Treatment) effects(rows [][]outcome, seed uint64) {
	difference := t.Arms[1] + " - " + t.Arms[0]
	t.Effects = []joint.Effect{{Name: t.Arms[0], Rows: t.Rows[0]}, {Name: t.Arms[1], Rows: t.Rows[1]},
		{Name: difference, Contrast: true}, {Name: difference + ", model alone", Contrast: true},
		{Name: difference + ", not adjusted", Contrast: true}}
	for _, of := range rows {
		points, draws := armMeans(of, true, seed)
		for arm := range points {
			add(&t.Effects[arm], points[arm], draws[arm])
		}
		addDifference(&t.Effects[Adjusted], points, draws)
		points, draws = armMeans(of, false, seed)
		addDifference(&t.Effects[Uncorrected], points, draws)
		points, draws = rawMeans(of, seed)
		addDifference(&t.Effects[Raw], points, draws)
	}
}

func add(e *joint.Effect, point float64, draws []float64) {
	e.Points, e.Draws = append(e.Points, point), append(e.Draws, draws)
}

// addDifference adds the difference second - first of two arms to an effect.
func addDifference(e *joint.Effect, points [2]float64, draws [2][]float64) {
	add(e, points[1]-points[0], floats.SubTo(make([]float64, len(draws[0])), draws[1], draws[0]))
}

// crossFit asks models about rows that they have not read.
type crossFit struct {
	*arms
	table      pfn.Training
	predictor  *pfnamp.Predictor
	classifier *pfn.Model
	folds      []folds.Fold
	clusters   []int // of rows, nil if they are independent
}

// leastArmClusters is the least number of clusters with rows of an arm.
const leastArmClusters = 5

// checkClusters refuses few clusters in an arm: how much clusters differ is unknown.
func (c *crossFit) checkClusters(f *pfnamp.Fitted) error {
	found := [2]map[int]bool{{}, {}}
	for i, k := range c.clusters {
		found[c.of[i]][k] = true
	}
	for arm, of := range found {
		if c.clusters != nil && len(of) < leastArmClusters {
			return &tabular.Error{File: f.Schema().File, Column: f.Options().Group, Msg: fmt.Sprintf(
				"the rows with %s are of %d groups, but an effect needs at least %d", c.values[arm].Text,
				len(of), leastArmClusters), Hint: "name a column with more groups"}
		}
	}
	return nil
}

// chances are the probabilities of the second arm.
func (c *crossFit) chances(ctx context.Context) ([]float64, error) {
	all := c.without(c.table)
	chances := make([]float64, all.X.Rows)
	for _, fold := range c.folds {
		read, err := c.classifier.Fit(ctx, all.Take(fold.Read))
		if err != nil {
			return nil, err
		}
		answers, err := read.PredictClasses(ctx, all.X.Take(fold.Held))
		if err = errors.Join(err, read.Close()); err != nil {
			return nil, err
		}
		for k, i := range fold.Held {
			chances[i] = answers[k][1]
		}
	}
	return chances, nil
}

// regressions are the outcomes of all rows, by functional.
func (c *crossFit) regressions(
	ctx context.Context, chances []float64, report func(int),
) ([][]outcome, error) {
	functionals := c.predictor.Question().Functionals
	all := make([][]outcome, len(functionals))
	for f := range all {
		all[f] = make([]outcome, c.table.X.Rows)
		for i := range all[f] {
			all[f][i] = outcome{label: joint.Label(functionals[f], c.table.Y[i]), arm: c.of[i],
				chance: bounded(chances[i])}
			if c.clusters != nil {
				all[f][i].cluster = 1 + c.clusters[i]
			}
		}
	}
	for k, fold := range c.folds {
		for arm := range 2 {
			if err := c.regress(ctx, all, fold, arm); err != nil {
				return nil, err
			}
		}
		report(k + 1)
	}
	return all, nil
}

// regress answers for the rows of a fold as if they were in an arm, from rows of this arm outside.
func (c *crossFit) regress(ctx context.Context, all [][]outcome, fold folds.Fold,
	arm int) (err error) {
	var rows []int
	for _, i := range fold.Read {
		if c.of[i] == arm {
			rows = append(rows, i)
		}
	}
	f, err := c.predictor.Fitted().Part(ctx, c.table.Take(rows))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	q := c.predictor.Question()
	q.Seed += uint64(arm) // the arms know nothing of each other
	asked, err := f.Prepare(ctx, q)
	if err != nil {
		return err
	}
	coupling, err := joint.Couple(asked, 0)
	if err != nil {
		return err
	}
	p := Population{predictor: asked, coupling: coupling, Report: func(int) {}}
	return p.ask(ctx, c.set(c.table.X.Take(fold.Held), arm), func(row int, r joint.Row) {
		for f := range all {
			o := &all[f][fold.Held[row]]
			o.points[arm], o.draws[arm] = r.Points[f], r.Draws[f]
		}
	})
}
