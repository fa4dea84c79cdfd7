package evaluate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
)

// Table is a labelled table under a name.
type Table struct {
	Name string
	pfn.Training
	folds.Columns
	Classes []string // labels of the classes 0, 1, ... that Y holds; nil of numbers
}

// Sample keeps n rows drawn at random without replacement, in the order of the table; it depends on
// (seed, n, rows) only.
func (t Table) Sample(seed uint64, n int) Table {
	rows := Stream(seed, "sample").Perm(t.X.Rows)[:n]
	slices.Sort(rows)
	t.Training, t.Columns = t.Training.Take(rows), t.Columns.Take(rows)
	return t
}

// TargetError reports a table whose target has no scores: it does not vary, or its variance is
// outside the range of float64.
type TargetError struct{ Table, Reason, Remedy string }

// Error implements error.
func (e *TargetError) Error() string { return e.Table + ": " + e.Reason }

// Unit is the standard deviation of the target, in whose units scores and widths are.
func (t Table) Unit() float64 {
	var m Moments
	for _, v := range t.Y {
		m.Add(v)
	}
	return m.SE() * math.Sqrt(float64(m.N()))
}

// Divide returns the folds of a table, or one of its random splits, whose sizes are those of all.
// It fails if the table cannot be evaluated: the error is a *TargetError or a *SplitError, or that
// of folds.Plan.
func (set Setting) Divide(t Table) (parts []folds.Fold, err error) {
	if set.Folds > 0 {
		parts, err = set.inFolds(t)
	} else {
		parts = make([]folds.Fold, 1)
		parts[0].Read, parts[0].Held, err = set.parts(t, t.Name)
	}
	if err != nil || t.Classes != nil {
		return parts, err
	}
	const least, most = 1e-150, 1e150
	large := func(y float64) bool { return math.Abs(y) > least }
	differs := func(y float64) bool { return y != t.Y[0] }
	switch sd := t.Unit(); {
	case !slices.ContainsFunc(t.Y, differs), sd == 0 && slices.ContainsFunc(t.Y, large):
		return nil, &TargetError{t.Name, "the target is constant, so there is nothing to score", ""}
	case !(sd >= least && sd <= most):
		return nil, &TargetError{t.Name, fmt.Sprintf("the target's standard deviation is %.3g: its "+
			"square is outside the range of float64", sd), "write the target in another unit"}
	}
	return parts, nil
}

// parts returns the rows of a random split of a table, whose numbers are those of every split; the
// error is a *SplitError.
func (set Setting) parts(t Table, key string) (train, test []int, err error) {
	if t.Classes != nil {
		return ClassSplit(set.Seed, key, t.Y, set.Share)
	}
	return Split(set.Seed, key, t.X.Rows, set.Share)
}

// TableCells are the parts of a table, as of [Setting.Divide], one cell each: folds, or splits with
// all methods. Baselines stand beside the model. The functionals of numbers are those of the
// setting. Of classes they are the probabilities of all classes, whose names are p=LABEL.
func (set Setting) TableCells(t Table, parts []folds.Fold) []Cell {
	set.Baselines = Baselines(t)
	if set.Folds > 0 {
		return set.foldCells(t, parts)
	}
	if t.Classes != nil {
		set.Functionals = nil
	}
	for k := range t.Classes {
		set.Functionals = append(set.Functionals, amp.Class(k))
	}
	return set.Cells(t)
}

// Cells are the splits of a table, one cell each, with the methods of [Setting.Methods]; the
// coordinates of a split are params and its number.
func (set Setting) Cells(t Table, params ...Param) []Cell {
	cells := make([]Cell, set.Splits)
	for i := range cells {
		one := split{set, t, i + 1}
		cells[i] = Cell{Key: one.key(), Run: one.run,
			Params: append(params[:len(params):len(params)], Param{"split", one.number})}
	}
	return cells
}

// split is one random split of a table.
type split struct {
	Setting
	table  Table
	number int // from 1
}

// key names the split in files and random streams.
func (s split) key() string { return fmt.Sprintf("%s-split%d", s.name(), s.number) }

func (s split) name() string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, s.table.Name)
}

// run evaluates the split. It scores the predictive distributions of a model that reads the
// training rows by the labels of the test rows. It scores the credible intervals by the paper's
// surrogate: the functionals that the model predicts for the test rows after it has read them.
// Widths of numbers are in units of the standard deviation of the target over the whole table.
func (s split) run(ctx context.Context) (Outcome, error) {
	train, test, err := s.parts(s.table, s.key())
	if err != nil {
		return Outcome{}, err
	}
	held := s.table.Training.Take(test)
	task := &Task{Model: s.Model, Train: s.table.Training.Take(train), Query: held.X, Level: s.Level,
		Seed: s.Seed, Key: s.key()}
	start := time.Now()
	if task.Predictions, err = s.Model.Predict(ctx, task.Train, task.Query); err != nil {
		return Outcome{}, err
	}
	seconds := time.Since(start).Seconds()
	asked, err := s.surrogate(ctx, held)
	if err != nil {
		return Outcome{}, err
	}
	var tally Tally
	tally.Add(MethodPPD, "", "time_s", seconds)
	out := Outcome{Curves: s.score(&tally, MethodPPD, task.Predictions, held, s.table.Unit())}
	if err := s.baselines(ctx, &tally, task.Train, held, s.table.Unit()); err != nil {
		return Outcome{}, err
	}
	var bands []Curve // of the first functional
	x := floats.Span(make([]float64, held.X.Rows), 1, float64(held.X.Rows))
	for _, m := range s.Methods(s.table.Classes != nil) {
		start := time.Now()
		made, err := tally.Score(ctx, task, m, asked)
		if err != nil {
			return Outcome{}, err
		}
		if slices.ContainsFunc(made, func(of []Interval) bool { return of != nil }) {
			tally.Add(m.Name(), "", "time_s", time.Since(start).Seconds())
		}
		if made[0] != nil {
			bands = append(bands, Band(m.Name(), x, made[0]))
		}
	}
	out.Measures = tally.Measures()
	if s.table.Classes != nil {
		out.Measures = append(overClasses(out.Measures), out.Measures...)
	} else if s.number == 1 {
		out.Curves = slices.Concat(out.Curves, rowCurves(task, x, held.Y, asked[0]), bands)
	}
	return out, nil
}

// score counts the scores of predictions by a method and returns their curves; unit is that of
// scores of numbers.
func (s split) score(
	t *Tally, method string, rows []amp.Prediction, held pfn.Training, unit float64,
) []Curve {
	if s.table.Classes != nil {
		scores := ScoreClasses(rows, held.Y)
		scores.tally(t, method)
		return scores.curves()
	}
	scores := ScorePPDs(rows, held.Y, s.Level)
	scores.tally(t, method, unit)
	return scores.curves()
}

// baselines lets the baselines read the training rows and scores what they say about others.
func (s split) baselines(
	ctx context.Context, t *Tally, train, held pfn.Training, unit float64,
) error {
	for _, b := range s.Baselines {
		p, err := b.Predict(ctx, train, held.X)
		if err != nil {
			return fmt.Errorf("%s: %w", b.Name(), err)
		}
		s.score(t, b.Name(), p, held, unit)
	}
	return nil
}

// surrogate returns the functionals that the model predicts for the test rows after reading them.
func (s split) surrogate(ctx context.Context, held pfn.Training) (asked []Asked, err error) {
	p, err := s.Model.Predict(ctx, held, held.X)
	if err != nil {
		return nil, fmt.Errorf("surrogate, fitted on the %d test rows: %w", held.X.Rows, err)
	}
	for k, f := range s.Functionals {
		one := Asked{f.String(), f, Points(p, f), 1}
		if f.Unit() != amp.ProbabilityUnit {
			one.Unit = s.table.Unit()
		}
		// A surrogate that has not read a class gives it the probability 0, and knows nothing about it.
		if s.table.Classes != nil {
			one.Name = "p=" + s.table.Classes[k]
			if !slices.Contains(held.Y, float64(k)) {
				continue
			}
		}
		asked = append(asked, one)
	}
	return asked, nil
}

// rowCurves returns estimates, surrogates and labels by row, and the predictive interval; x are the
// numbers of the rows.
func rowCurves(t *Task, x, labels []float64, first Asked) []Curve {
	return []Curve{
		Line(CurvePoint, x, Points(t.Predictions, first.Functional)),
		Line(CurveSurrogate, x, first.Values),
		Line(CurveLabel, x, labels),
		Band(MethodPPD, x, reading.CentralIntervals(t.Predictions, t.Level)),
	}
}
