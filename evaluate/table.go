package evaluate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

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

// Check tells whether a table can be evaluated with the setting's splits: the error is a
// *TargetError or a *SplitError, or that of folds.Plan.
func (set Setting) Check(t Table) error {
	if set.Folds > 0 {
		if err := set.checkFolds(t); err != nil {
			return err
		}
	} else if _, _, err := set.Parts(t); err != nil {
		return err
	}
	if t.Classes != nil {
		return nil
	}
	const least, most = 1e-150, 1e150
	large := func(y float64) bool { return math.Abs(y) > least }
	differs := func(y float64) bool { return y != t.Y[0] }
	switch sd := t.Unit(); {
	case !slices.ContainsFunc(t.Y, differs), sd == 0 && slices.ContainsFunc(t.Y, large):
		return &TargetError{t.Name, "the target is constant, so there is nothing to score", ""}
	case !(sd >= least && sd <= most):
		return &TargetError{t.Name, fmt.Sprintf("the target's standard deviation is %.3g: its square is "+
			"outside the range of float64", sd), "write the target in another unit"}
	}
	return nil
}

// Parts returns the rows of a random split of a table, whose numbers are those of every split; the
// error is a *SplitError.
func (set Setting) Parts(t Table) (train, test []int, err error) { return set.parts(t, t.Name) }

func (set Setting) parts(t Table, key string) (train, test []int, err error) {
	if t.Classes != nil {
		return ClassSplit(set.Seed, key, t.Y, set.Share)
	}
	return Split(set.Seed, key, t.X.Rows, set.Share)
}

// TableCells are the splits of a table, one cell each, with all methods and baselines. The
// functionals of numbers are those of the setting. Of classes they are the probabilities of all
// classes, whose names are p=LABEL.
func (set Setting) TableCells(t Table) []Cell {
	set.Baselines = Baselines(t)
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
	truth, err := s.surrogate(ctx, held)
	if err != nil {
		return Outcome{}, err
	}
	var tally Tally
	tally.Add(MethodPPD, "", "time_s", seconds)
	out := Outcome{Curves: s.score(&tally, MethodPPD, task.Predictions, held, truth.Unit)}
	if err := s.baselines(ctx, &tally, task.Train, held, truth.Unit); err != nil {
		return Outcome{}, err
	}
	methods := s.Methods(s.table.Classes != nil)
	made, err := tally.Score(ctx, task, methods, truth)
	if err != nil {
		return Outcome{}, err
	}
	out.Measures = tally.Measures()
	if s.table.Classes != nil {
		named := NameClasses(out.Measures, s.table.Classes)
		out.Measures = append(overClasses(named), named...)
	} else if s.number == 1 {
		out.Curves = append(out.Curves, rowCurves(task, held.Y, truth)...)
		for i, m := range methods {
			if made[i][0] != nil {
				out.Curves = append(out.Curves, Band(m.Name(), rowNumbers(held.X.Rows), made[i][0]))
			}
		}
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
func (s split) surrogate(ctx context.Context, held pfn.Training) (Truth, error) {
	p, err := s.Model.Predict(ctx, held, held.X)
	if err != nil {
		return Truth{}, fmt.Errorf("surrogate, fitted on the %d test rows: %w", held.X.Rows, err)
	}
	truth := Truth{Unit: s.table.Unit()}
	for k, f := range s.Functionals {
		// A surrogate that has not read a class gives it the probability 0, and knows nothing about it.
		if s.table.Classes == nil || slices.Contains(held.Y, float64(k)) {
			truth.Functionals = append(truth.Functionals, f)
			truth.Values = append(truth.Values, Points(p, f))
		}
	}
	return truth, nil
}

// rowCurves returns estimates, surrogates and labels by row, and the predictive interval.
func rowCurves(t *Task, labels []float64, truth Truth) []Curve {
	x := rowNumbers(len(labels))
	return []Curve{
		Line(CurvePoint, x, Points(t.Predictions, truth.Functionals[0])),
		Line(CurveSurrogate, x, truth.Values[0]),
		Line(CurveLabel, x, labels),
		Band(MethodPPD, x, reading.CentralIntervals(t.Predictions, t.Level)),
	}
}

func rowNumbers(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i + 1)
	}
	return x
}
