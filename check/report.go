package check

import (
	"fmt"
	"math"
	"strings"

	"github.com/pfnamp/pfnamp/drift"
	"github.com/pfnamp/pfnamp/evaluate"
)

// Report is the result of a check. See drift.Result for the figures.
type Report struct {
	File    string          `json:"batch"`
	Context int             `json:"context_rows"`
	Rows    int             `json:"rows"`
	AUC     evaluate.Number `json:"auc"`
	AUCLo   evaluate.Number `json:"auc_lo"`
	AUCHi   evaluate.Number `json:"auc_hi"`
	P       evaluate.Number `json:"p"`
	Drift   evaluate.Number `json:"drift"`
	// Effective is the effective sample size of the context for rows like the batch.
	Effective evaluate.Number `json:"effective_rows"`
	Supported evaluate.Number `json:"supported"` // share of rows that look like rows of the context
	Columns   []Column        `json:"columns"`
	// Later lists columns of dates that are not compared: every date of the batch is after those of
	// the context.
	Later  []string `json:"later,omitempty"`
	Read   int      `json:"read,omitempty"` // labels that the model has read, which Judged leaves out
	Judged *Labels  `json:"labels,omitempty"`
}

// significant is the P below which a sentence reports a difference.
const significant = 1 - drift.Confidence

// Sentences describes the report in words. against names the context, such as "train.csv".
func (r Report) Sentences(against string) []string {
	all := []string{r.verdict(against)}
	if moved := r.moved(); len(moved) > 0 {
		all = append(all, "Columns that differ: "+strings.Join(moved, "; ")+".")
	}
	for _, name := range r.Later {
		all = append(all, fmt.Sprintf("%s is later in every row than in %s, as in new rows: it is not "+
			"compared.", name, against))
	}
	if !isNone(r.Supported) {
		all = append(all, fmt.Sprintf("%s of the rows look like rows of %s (99 %% is usual). For such "+
			"rows, its context of %.0f rows is as good as %.0f (effective sample size).",
			percent(r.Supported), against, float64(r.Context), float64(r.Effective)))
	}
	if r.Read > 0 {
		all = append(all, fmt.Sprintf("Labels that are not scored, because they are in rows of %s, "+
			"which the model has read: %d.", against, r.Read))
	}
	if r.Judged != nil {
		all = append(all, r.Judged.sentences(against)...)
	}
	return all
}

// verdict is the first sentence.
func (r Report) verdict(against string) string {
	if isNone(r.P) {
		return fmt.Sprintf("%s: too few rows to test the features: %d. The test needs at least %d rows "+
			"in the batch and in %s.", r.File, r.Rows, drift.LeastRows, against)
	}
	are, moved := "look like", "0"
	if r.P < significant {
		are, moved = "differ from", fmt.Sprintf("%.2f", r.Drift)
	}
	return fmt.Sprintf("%s: %d rows %s the rows of %s (p %s). A classifier tells them apart with an "+
		"AUC of %.2f (%.2f to %.2f; 0.5 is chance); drift is %s.", r.File, r.Rows, are, against,
		pValue(r.P), r.AUC, r.AUCLo, r.AUCHi, moved)
}

// mostMoved bounds the columns that a sentence names.
const mostMoved = 5

// moved words the columns that differ most.
func (r Report) moved() (words []string) {
	for _, c := range r.Columns {
		if !(c.P < significant) || len(words) == mostMoved {
			continue
		}
		text := fmt.Sprintf("%s (p %s", c.Name, pValue(c.P))
		if !isNone(c.Shift) {
			text += fmt.Sprintf(", mean %+.2f sd", float64(c.Shift))
		}
		if math.Abs(float64(c.Missing-c.MissingAtFit)) > 0.01 {
			text += fmt.Sprintf(", missing %s instead of %s", percent(c.Missing),
				percent(c.MissingAtFit))
		}
		if c.New > 0 {
			text += fmt.Sprintf(", new categories in %s", percent(c.New))
		}
		words = append(words, text+")")
	}
	return words
}

// sentences describes what the labels say; against names the context.
func (l *Labels) sentences(against string) (all []string) {
	if l.New > 0 {
		all = append(all, fmt.Sprintf("%d of %d labels are classes that %s lacks, so every prediction "+
			"for them is wrong. Correct these labels, or fit again with rows of these classes.", l.New,
			l.Rows, against))
	}
	if s := l.Coverage; s != nil {
		all = append(all, fmt.Sprintf("%s of %d labels are inside their %.12g %% predictive intervals "+
			"(exact 95 %% interval %s to %s; %s at the fit).",
			percent(s.Value), l.Rows, 100*l.Level, percent(s.Lo), percent(s.Hi), percent(s.AtFit)))
	}
	if s := l.Accuracy; s != nil {
		all = append(all, fmt.Sprintf("The most probable class is right in %s of %d rows (exact 95 %% "+
			"interval %s to %s; %s at the fit).",
			percent(s.Value), l.Rows, percent(s.Lo), percent(s.Hi), percent(s.AtFit)))
	}
	all = append(all, fmt.Sprintf("The %s is %s ± %s; at the fit it was %s ± %s (two standard "+
		"errors).", l.Metric, readable(l.Score), readable(2*l.ScoreSE), readable(l.ScoreAtFit),
		readable(2*l.ScoreAtFitSE)))
	return append(all, fmt.Sprintf("A bet, row after row, that these labels are unlike those of %s "+
		"has multiplied its stake by %s (exchangeability martingale). Without drift it reaches 100 in "+
		"at most 1 of 100 batches.", against, readable(l.Martingale)))
}

// isNone tells whether there is no figure.
func isNone(n evaluate.Number) bool { return n != n }

// percent writes a share.
func percent(n evaluate.Number) string {
	text := fmt.Sprintf("%.1f", 100*float64(n))
	return strings.TrimSuffix(text, ".0") + " %"
}

// readable writes a number with three digits, or with all of those before the point.
func readable(n evaluate.Number) string {
	if isNone(n) {
		return "unknown"
	}
	if n >= 1000 && n < 1e15 {
		return fmt.Sprintf("%.0f", float64(n))
	}
	return fmt.Sprintf("%.3g", float64(n))
}

// pValue writes a probability.
func pValue(n evaluate.Number) string {
	if n < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("%.2g", float64(n))
}
