package check

import (
	"context"
	"math"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/drift"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/tabular"
)

// exact is the level of the interval of a coverage or an accuracy.
const exact = 0.95

// Labels is what labels of a batch say about the predictions.
type Labels struct {
	Rows int `json:"rows"`
	// New is the number of labels, of classes, that no row of the context has. A prediction is never
	// right about them, and their log loss is the largest that counts.
	New int `json:"new_labels"`
	// Coverage is the share of numbers inside their predictive intervals of a level, of classes null;
	// Lo and Hi are its exact interval of level 0.95 (Clopper and Pearson). AtFit is that of the
	// context, whose rows are predicted by models that have not read them.
	Coverage *Share `json:"coverage,omitempty"`
	// of classes: the most probable one is the label
	Accuracy     *Share          `json:"accuracy,omitempty"`
	Metric       string          `json:"metric"` // of Score: CRPS or log loss
	Score        evaluate.Number `json:"score"`
	ScoreSE      evaluate.Number `json:"score_se"`
	ScoreAtFit   evaluate.Number `json:"score_at_fit"`
	ScoreAtFitSE evaluate.Number `json:"score_at_fit_se"`
	// the most that it has reached; 100 by chance once in 100
	Martingale    evaluate.Number `json:"martingale"`
	MartingaleNow evaluate.Number `json:"martingale_now"`
	Level         float64         `json:"level"`
}

// Share is a share of rows with its exact interval, and that at the fit.
type Share struct {
	Value evaluate.Number `json:"value"`
	Lo    evaluate.Number `json:"lo"`
	Hi    evaluate.Number `json:"hi"`
	AtFit evaluate.Number `json:"at_fit"`
}

// JudgeLabels adds to a report what the labels of a batch say, in the order of its rows.
func (r *Report) JudgeLabels(ctx context.Context, f *pfnamp.Fitted, b Batch, level float64,
	seed uint64) error {
	rows, y := b.labelled()
	if len(rows) == 0 {
		return nil
	}
	found, err := f.CheckLabels(ctx, b.X.Take(rows), y, level, seed)
	if err != nil {
		return err
	}
	l := &Labels{Rows: len(rows), Metric: "CRPS", Level: level}
	for _, v := range y {
		if f.Classes() != nil && v == tabular.Unseen {
			l.New++
		}
	}
	l.Score, l.ScoreSE = means(found.Batch)
	l.ScoreAtFit, l.ScoreAtFitSE = means(found.Context)
	share := shareOf(found.BatchHit, found.ContextHit)
	if hits[f.Task().Name()] == "coverage" {
		l.Coverage = share
	} else {
		l.Metric, l.Accuracy = "log loss", share
	}
	ranks, m := drift.NewRanks(found.Calibration, seed), &drift.Martingale{}
	for _, score := range found.Apart {
		m.Add(ranks.Add(score))
	}
	l.Martingale, l.MartingaleNow = number(m.Most()), number(m.Value())
	r.Judged = l
	return nil
}

// means are the mean of scores and its standard error.
func means(scores []float64) (mean, se evaluate.Number) {
	var m evaluate.Moments
	for _, v := range scores {
		m.Add(v)
	}
	return number(m.Mean()), number(m.SE())
}

// shareOf is the share of hits of a batch beside that of the context.
func shareOf(batch, context []bool) *Share {
	count := func(hits []bool) (n int) {
		for _, hit := range hits {
			if hit {
				n++
			}
		}
		return n
	}
	k, n := count(batch), len(batch)
	lo, hi := evaluate.BinomialInterval(k, n, exact)
	return &Share{number(float64(k) / float64(n)), number(lo), number(hi),
		number(float64(count(context)) / float64(len(context)))}
}

// number is a figure that JSON may lack.
func number(v float64) evaluate.Number { return evaluate.Number(v) }

// nan stands for a figure that a batch lacks.
var nan = number(math.NaN())
