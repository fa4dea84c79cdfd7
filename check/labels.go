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

// Labels compares the labels of a batch with the predictions.
type Labels struct {
	Rows int `json:"rows"` // number of labels
	// New is the number of labels that no row of the context has, for classes. Every prediction for
	// them is wrong, and their log loss is capped.
	New int `json:"new_labels"`
	// Coverage is the share of labels inside their predictive intervals of level Level; nil for
	// classes.
	Coverage *Share `json:"coverage,omitempty"`
	// Accuracy is the share of rows whose most probable class is the label; nil for numbers.
	Accuracy     *Share          `json:"accuracy,omitempty"`
	Metric       string          `json:"metric"` // "CRPS" (numbers) or "log loss" (classes)
	Score        evaluate.Number `json:"score"`  // mean of the metric; smaller is better
	ScoreSE      evaluate.Number `json:"score_se"`
	ScoreAtFit   evaluate.Number `json:"score_at_fit"`
	ScoreAtFitSE evaluate.Number `json:"score_at_fit_se"`
	// Martingale is the largest value of the martingale over the batch (drift.Martingale). Without
	// drift it reaches c with probability at most 1/c.
	Martingale    evaluate.Number `json:"martingale"`
	MartingaleNow evaluate.Number `json:"martingale_now"` // after the last row
	Level         float64         `json:"level"`          // of predictive intervals, in (0, 1)
}

// Share is a share of rows of the batch. Lo and Hi are its exact 95 % interval (Clopper and
// Pearson 1934). AtFit is the same share of rows of the context, each predicted by a model that has
// not read it.
type Share struct {
	Value evaluate.Number `json:"value"`
	Lo    evaluate.Number `json:"lo"`
	Hi    evaluate.Number `json:"hi"`
	AtFit evaluate.Number `json:"at_fit"`
}

// JudgeLabels compares the labels of a batch with predictions and sets Judged, which stays nil
// without labels, and Read. The martingale follows the order of the rows. Errors are those of
// pfnamp.Fitted.CheckLabels.
func (r *Report) JudgeLabels(ctx context.Context, f *pfnamp.Fitted, b Batch, level float64,
	seed uint64) error {
	at, y := b.labelled(f)
	if r.Read = b.Labelled() - len(at); len(at) == 0 {
		return nil
	}
	found, err := f.CheckLabels(ctx, b.Take(at), y, level, seed)
	if err != nil {
		return err
	}
	l := &Labels{Rows: len(at), Metric: "CRPS", Level: level}
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
