package evaluate

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"

	"github.com/pfnamp/pfnamp/amp"
)

// Table is a labelled table under a name.
type Table struct {
	Name string
	Data
}

// ConstantError reports a table whose target does not vary: nothing can be scored.
type ConstantError struct{ Table string }

// Error implements error.
func (e *ConstantError) Error() string {
	return e.Table + ": the target is constant, so that there is nothing to score"
}

// Check tells whether a table can be evaluated with the setting's splits: the error is a
// *ConstantError or a *SplitError.
func (set Setting) Check(t Table) error {
	if _, _, err := Split(set.Seed, t.Name, t.Rows, set.Share); err != nil {
		return err
	}
	if !(deviation(t.Y) > 0) {
		return &ConstantError{t.Name}
	}
	return nil
}

// benchmarkCells is tables 1 and 2 of the paper: every table, every split.
func benchmarkCells(set Setting) []Cell {
	set.Functionals, set.calibrate = medianAndQ90(), true
	var cells []Cell
	for _, t := range set.Tables {
		cells = append(cells, set.tableCells(t, []Param{{"dataset", t.Name}})...)
	}
	return cells
}

// TableCells are the splits of one table, one cell each.
func (set Setting) TableCells(t Table) []Cell { return set.tableCells(t, nil) }

func (set Setting) tableCells(t Table, params []Param) []Cell {
	local := set.local()
	cells := make([]Cell, set.Splits)
	for i := range cells {
		one := split{set, t, local, i + 1}
		cells[i] = Cell{Key: one.key(), Run: one.run,
			Params: append(params[:len(params):len(params)], Param{"split", one.number})}
	}
	return cells
}

// split is one random split of a table.
type split struct {
	Setting
	table  Table
	local  *amp.Local
	number int // from 1
}

// key names the split in files and random streams.
func (s split) key() string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, s.table.Name)
	return fmt.Sprintf("%s-split%d", name, s.number)
}

// run evaluates the split: the predictive distributions of a model that reads the training rows
// are scored against the test rows' labels, and the credible intervals against the functionals
// that the model predicts for the test rows when it reads these (the paper's surrogate for the
// truth). Widths are in units of the standard deviation of the target over the whole table.
func (s split) run(ctx context.Context) (Outcome, error) {
	train, test, err := Split(s.Seed, s.key(), s.table.Rows, s.Share)
	if err != nil {
		return Outcome{}, err
	}
	task := &Task{Model: s.Model, Train: s.table.Take(train), Level: s.Level,
		Seed: s.Seed, Key: s.key()}
	held := s.table.Take(test)
	task.Query = held.Matrix
	start := time.Now()
	if task.Prediction, err = s.Model.Predict(ctx, task.Train, task.Query); err != nil {
		return Outcome{}, err
	}
	seconds := time.Since(start).Seconds()
	truth, err := s.surrogate(ctx, held)
	if err != nil {
		return Outcome{}, err
	}
	tally := newTally()
	tally.add(MethodPPD, "", "time_s", seconds)
	scores := ScorePPDs(task.Prediction.PPDs, held.Y, s.Level)
	scores.tally(tally, truth.unit)
	methods := s.tableMethods(s.local)
	made, err := tally.measure(ctx, task, methods, truth)
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{Measures: tally.measures(), Curves: scores.curves()}
	if s.number == 1 {
		out.Curves = append(out.Curves, rowCurves(task, held.Y, truth)...)
		for i, m := range methods {
			if made[i][0] != nil {
				out.Curves = append(out.Curves, band(m.Name(), rowNumbers(held.Rows), made[i][0]))
			}
		}
	}
	return out, nil
}

// surrogate returns the functionals that the model predicts for the test rows after reading them.
func (s split) surrogate(ctx context.Context, held Data) (answers, error) {
	p, err := s.Model.Predict(ctx, held, held.Matrix)
	if err != nil {
		return answers{}, fmt.Errorf("surrogate, fitted on the %d test rows: %w", held.Rows, err)
	}
	truth := answers{functionals: s.Functionals, unit: deviation(s.table.Y)}
	for _, f := range s.Functionals {
		truth.values = append(truth.values, p.points(f))
	}
	return truth, nil
}

// tableMethods are the program's posteriors and the baseline. Each draws its own chains, so that
// their times are those of a user who asks for one.
func (set Setting) tableMethods(local *amp.Local) []Method {
	methods := []Method{
		Posterior{amp.Chains{Kind: amp.Paper, Ranks: set.ranks()}},
		Posterior{amp.Chains{Kind: amp.Limit, Ranks: set.ranks()}},
		Posterior{local},
		Posterior{amp.Direct{}},
	}
	if set.calibrate {
		methods = append(methods, Calibrated{Local: local, Halves: halvings})
	}
	if set.Refits > 0 {
		methods = append(methods, Bootstrap{set.Refits})
	}
	return methods
}

// tally counts the scores; unit is that of widths and scores, in units of the label.
func (s PPDScores) tally(t *tally, unit float64) {
	for _, m := range []struct {
		metric string
		value  float64
	}{
		{"crps", s.CRPS / unit}, {"log_score", s.LogScore - math.Log(unit)},
		{"rmse", s.RMSE / unit}, {"coverage", s.Coverage}, {"width", s.Width / unit},
		{"pinball_0.5", s.Pinball[9] / unit}, {"pinball_0.9", s.Pinball[17] / unit},
	} {
		t.add(MethodPPD, "", m.metric, m.value)
	}
}

// Names of the curves of a split. The first split has the rows too: points, surrogates and labels,
// the band of the predictive interval (MethodPPD), and the bands of the first functional's
// credible intervals under the names of their methods.
const (
	CurveReliability = "reliability" // share of labels at most the quantile, by level
	CurvePIT         = "pit"         // share of rows by interval of P_0(y)
	CurvePoint       = "point"       // point estimate of the first functional, by row
	CurveSurrogate   = "surrogate"   // the same of the surrogate
	CurveLabel       = "label"       // the test rows' labels
)

// pitBins is the number of bins of a PIT histogram.
const pitBins = 10

// curves returns the reliability curve and the PIT histogram.
func (s PPDScores) curves() []Curve {
	pit := Curve{Name: CurvePIT, X: make([]Number, pitBins), Y: make([]Number, pitBins)}
	for i := range pit.X {
		pit.X[i] = Number((float64(i) + 0.5) / pitBins)
	}
	for _, u := range s.PIT {
		pit.Y[min(pitBins-1, int(u*pitBins))] += Number(1 / float64(len(s.PIT)))
	}
	return []Curve{
		{Name: CurveReliability, X: numbers(Levels()), Y: numbers(s.Calibrated)}, pit,
	}
}

// rowCurves returns estimates, surrogates and labels by row, and the predictive interval.
func rowCurves(t *Task, labels []float64, truth answers) []Curve {
	x := rowNumbers(len(labels))
	tail := (1 - t.Level) / 2
	var predictive []Interval
	for _, ppd := range t.Prediction.PPDs {
		predictive = append(predictive, Interval{ppd.Quantile(tail), ppd.Quantile(1 - tail)})
	}
	points := t.Prediction.points(truth.functionals[0])
	return []Curve{
		{Name: CurvePoint, X: numbers(x), Y: numbers(points)},
		{Name: CurveSurrogate, X: numbers(x), Y: numbers(truth.values[0])},
		{Name: CurveLabel, X: numbers(x), Y: numbers(labels)},
		band(MethodPPD, x, predictive),
	}
}

// rowNumbers counts from 1.
func rowNumbers(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i + 1)
	}
	return x
}

// deviation is the standard deviation of values.
func deviation(values []float64) float64 {
	var m Moments
	for _, v := range values {
		m.Add(v)
	}
	return m.SE() * math.Sqrt(float64(m.N()))
}
