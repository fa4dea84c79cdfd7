package explain

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/explain"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

const importanceHelp = `IMPORTANCE: --importance measures how much worse predictions get without a column. It
predicts rows that the model has not read (5 folds of TRAIN), with the column's cells from rows
that are alike in all other columns. So a column gets nothing for what other columns tell too.
Columns with an average correlation of --correlated or more are replaced together, as 'a + b'.
--group COLUMN makes folds of whole groups; --time COLUMN predicts later rows from earlier ones.
   share, share_lo, share_hi  part of what the model explains that is lost without the column
                              (R² for numbers, saved log loss for classes)
   above_noise                probability that the column beats a column of noise;
                              noise reaches 0.95 in at most 5 % of cases
   gain, gain_lo, gain_hi     CRPS (in units of the target) or log loss that the column saves
   gain_noise                 the same for a column of noise: mostly a little below 0
   told                       share of the column's variance that the other columns explain`

// importanceExplanation is the importance of columns.
type importanceExplanation struct {
	job   *explainJob
	found *explain.Importance
}

func (e *importanceExplanation) check() error {
	_, err := e.job.explained()
	return err
}

// compute predicts rows that the model has not read, with every column replaced.
func (e *importanceExplanation) compute(ctx context.Context) (f finding, err error) {
	j, q := e.job, e.job.Question
	e.found, err = explain.NewImportance(ctx, j.Fitted, explain.ImportanceOptions{
		Correlated: j.correlated, Level: q.Level, Seed: q.Seed, Workers: q.Workers,
		Report: func(done, all int) {
			j.Telling().Total = int64(all)
			j.Telling().Count(int64(done))
		}})
	err = j.From.Undivided(err)
	if few, ok := errors.AsType[*explain.FewRowsError](err); ok {
		return f, &tabular.Error{File: j.From.Train, Msg: few.Error(), Hint: "add rows"}
	}
	if err != nil {
		return f, err
	}
	e.notes()
	result := output.Result{Record: e.found.Record(), Chart: e.chart()}
	result.Scale = func(_ int, column string) output.Scale {
		if strings.HasPrefix(column, "gain") {
			return output.OfTarget
		}
		return output.OfProbability
	}
	return finding{Result: result, title: "Importance of columns for " + j.From.Fit.Target,
		sections:  e.sections(),
		sentences: e.sentences(), how: e.how(), caption: []string{
			"The higher the mark of a column, the more it adds to the other columns.",
			"pfnamp replaces the cells of a column with cells of rows that are alike in all other columns " +
				"(conditional permutation), and predicts rows that the model has not read. This is not a " +
				"causal effect."}}, nil
}

func (e *importanceExplanation) notes() {
	j, train := e.job, e.job.From.Train
	if rows := j.Fitted.Context().Rows(); rows > e.found.Rows+e.found.Left+e.found.First {
		j.Warnf("%s: importance is measured on %d of %d rows, drawn at random", train, e.found.Rows, rows)
	}
	if e.found.First > 0 {
		j.Warnf("%s: importance is measured on the last %s: no row comes before the others", train,
			words.Count(e.found.Rows, "row"))
	}
	if e.found.Left > 0 {
		j.Warnf("%s: skipped %s whose label no other row has", train, words.Count(e.found.Left, "row"))
	}
	for _, g := range e.found.Groups {
		if len(g.Columns) > 1 {
			j.Notef("%s: replaced together, because their average correlation is at least %g", g.Name(),
				j.correlated)
		}
		if g.Told >= mostTold && !g.Surely() {
			j.Warnf("%s: the other columns explain %.0f %% of its variance, so it adds little, even if it "+
				"predicts well alone", g.Name(), 100*g.Told)
		}
	}
}

// mostTold is the share of a column's variance that other columns explain from which on it is
// noted.
const mostTold = 0.9

// how says how it was computed, in place of the posterior that effects have.
func (e *importanceExplanation) how() string {
	over := "rows"
	if e.job.From.Fit.Group != "" {
		over = "groups of " + e.job.From.Fit.Group
	}
	return fmt.Sprintf("%d folds, %s for every replaced cell, %s intervals by the Bayesian bootstrap "+
		"over %s", e.found.Folds, words.Count(e.found.Draws, "draw"),
		report.Level(e.job.Question.Level), over)
}

// mostSentences is how many columns have a sentence of their own.
const mostSentences = 5

func (e *importanceExplanation) sentences() (texts []string) {
	i, level := e.found, report.Level(e.job.Question.Level)
	target := e.job.From.Fit.Target
	what := fmt.Sprintf("the variance of %q", target)
	if i.Score == explain.LogLoss {
		what = fmt.Sprintf("the log loss of %q under its label frequencies", target)
	}
	x := i.Explained
	if !e.explains() {
		return []string{fmt.Sprintf("The model may explain nothing of %s in rows that it has not read "+
			"(%.1f %%, %s interval %.1f to %.1f %%), so there are no shares.", what, 100*x.Point, level,
			100*x.Lo, 100*x.Hi)}
	}
	texts = []string{fmt.Sprintf("The model explains %.0f %% (%s interval %.0f to %.0f %%) of %s "+
		"in rows that it has not read.", 100*x.Point, level, 100*x.Lo, 100*x.Hi, what)}
	var unsure []string
	told := 0
	for _, g := range i.Groups {
		switch {
		case !g.Surely():
			unsure = append(unsure, g.Name())
		case told < mostSentences:
			told++
			lost := fmt.Sprintf("%.0f %% of that is lost", percents(g.Share.Point))
			switch {
			case g.Share.Point > 1:
				lost = "the model predicts worse than a constant: more than all of that is lost"
			case percents(g.Share.Point) == 0:
				lost = "less than 1 % of that is lost"
			}
			more := "it adds more than a column of noise"
			if percents(g.Share.Lo) < 0 {
				more = "it may add nothing, and a column of noise does worse"
			}
			texts = append(texts, fmt.Sprintf("Without %s, %s (%s interval %.0f to %.0f %%); %s "+
				"(probability %s).", g.Name(), lost, level, percents(g.Share.Lo), percents(g.Share.Hi), more,
				aboveNoise(g.Above)))
		}
	}
	if unsure != nil {
		texts = append(texts, "These columns may be noise: "+strings.Join(unsure, ", ")+".")
	}
	return texts
}

// percents is a share in whole percent, never -0.
func percents(share float64) float64 { return math.Round(100*share) + 0 }

// explains reports whether the model surely explains something, so that columns have shares of it.
func (e *importanceExplanation) explains() bool { return e.found.Explained.Lo > 0 }

// aboveNoise writes the probability that a column beats noise. It is never certain, even where
// its float64 is 0 or 1.
func aboveNoise(p float64) string {
	return report.Chance(max(math.SmallestNonzeroFloat64, min(p, math.Nextafter(1, 0))))
}

// chart draws a point with its interval per column: the shares, or the gains where there are no
// shares. One colour marks columns above noise, another columns that may be noise.
func (e *importanceExplanation) chart() report.Chart {
	p := report.Panel{Title: "what the model loses without the column",
		Y: "share of explained variance", Target: report.Numbers{0}}
	switch {
	case !e.explains():
		p.Y = "gain in " + e.found.Score
	case e.found.Score == explain.LogLoss:
		p.Y = "share of explained log loss"
	}
	level := " (" + report.Level(e.job.Question.Level) + " interval)"
	for _, sure := range []bool{true, false} {
		wide := report.Series{Name: "may be noise" + level, Mark: report.Wide}
		if sure {
			wide.Name = "above noise" + level
		}
		rings := report.Series{Name: wide.Name, Mark: report.Rings}
		for at, g := range e.found.Groups {
			if g.Surely() != sure {
				continue
			}
			m := g.Gain
			if e.explains() {
				m = g.Share
			}
			wide.X, rings.Y = append(wide.X, float64(at)), append(rings.Y, m.Point)
			wide.Lo, wide.Hi = append(wide.Lo, m.Lo), append(wide.Hi, m.Hi)
		}
		if rings.X = wide.X; wide.X != nil {
			p.Series = append(p.Series, wide, rings)
		}
	}
	for _, g := range e.found.Groups {
		p.Names = append(p.Names, g.Name())
	}
	n := len(e.found.Groups)
	return report.Chart{Panels: [][]report.Panel{{p}}, Alt: "Importance of " + words.Count(n,
		"column")}.Sized(max(480, 160+36*n), 380)
}

func (e *importanceExplanation) sections() []report.Section {
	table := &report.Table{Names: 1, Header: []string{"column", "share", "interval", "above noise",
		"gain in " + e.found.Score, "interval", "gain of noise", "known from others"}}
	for _, g := range e.found.Groups {
		share, interval := "", ""
		if e.explains() {
			tenths := func(share float64) float64 { return math.Round(1000*share)/10 + 0 } // never -0
			share = fmt.Sprintf("%.1f %%", tenths(g.Share.Point))
			interval = fmt.Sprintf("%.1f to %.1f %%", tenths(g.Share.Lo), tenths(g.Share.Hi))
		}
		table.Rows = append(table.Rows, []string{g.Name(), share, interval, aboveNoise(g.Above),
			report.Number(g.Gain.Point), report.Number(g.Gain.Lo) + " to " + report.Number(g.Gain.Hi),
			report.Number(g.Noise), fmt.Sprintf("%.0f %%", 100*g.Told)})
	}
	return []report.Section{{Title: "Importance of columns", Table: table, List: []string{
		"share: part of what the model explains that is lost without the column",
		"above noise: probability that the gain is larger than the gain of noise",
		"gain in " + e.found.Score + ": growth of the error without the column",
		"gain of noise: the same for a column of noise",
		"known from others: share of the column's variance that the other columns explain"}}}
}
