package heldout

import (
	"context"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/conformal"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
)

// Target is what a context has to predict, [Numbers] or [Labels].
type Target interface {
	// Doubts are how unsure predictions are: of numbers the width of the predictive interval of a
	// level, in the target's unit; of classes 1 minus the probability of the most probable one, in
	// [0, 1].
	Doubts(rows []amp.Prediction, level float64) []float64

	// classes counts those of the whole context, 0 of numbers.
	classes() int
	// held scores rows by a model that has not read them: larger is stranger.
	held(ctx context.Context, r Reader, t pfn.Training, level float64) ([]float64, error)
	// predictions reads rows with a model that may have read a part of the context only.
	predictions(ctx context.Context, r Reader, x pfn.Matrix) ([]amp.Prediction, error)
	// judge scores predictions of rows at their labels, and says which of them hold; see [LabelCheck].
	judge(rows []amp.Prediction, y []float64, level float64) (scores []float64, hits []bool)
}

// Numbers is the [Target] of numbers.
type Numbers struct{}

func (Numbers) classes() int { return 0 }

// held is how far a label misses the central interval.
func (Numbers) held(
	ctx context.Context, r Reader, t pfn.Training, level float64,
) ([]float64, error) {
	rows, err := r.donors.Separate(ctx, r.context, t.X)
	scores := make([]float64, len(rows))
	for i, in := range reading.CentralIntervals(rows, level) {
		scores[i] = in.Miss(t.Y[i])
	}
	return scores, err
}

// predictions reads rows with a model that may have read a part of the context.
func (Numbers) predictions(
	ctx context.Context, r Reader, x pfn.Matrix,
) ([]amp.Prediction, error) {
	return r.donors.Predictions(ctx, r.context, x, false)
}

// judge is the CRPS, and whether the number is inside its predictive interval.
func (Numbers) judge(
	rows []amp.Prediction, y []float64, level float64,
) (scores []float64, hits []bool) {
	scores, hits = make([]float64, len(y)), make([]bool, len(y))
	for i, row := range rows {
		scores[i] = row.PPD.(interface{ CRPS(y float64) float64 }).CRPS(y[i])
		lo, hi := amp.PredictiveInterval(row.PPD, level)
		hits[i] = lo <= y[i] && y[i] <= hi
	}
	return scores, hits
}

// Doubts are the widths of predictive intervals.
func (Numbers) Doubts(rows []amp.Prediction, level float64) []float64 {
	widths := make([]float64, len(rows))
	for i, row := range rows {
		lo, hi := amp.PredictiveInterval(row.PPD, level)
		widths[i] = hi - lo
	}
	return widths
}

// Labels is the [Target] of so many classes.
type Labels int

func (l Labels) classes() int { return int(l) }

// mostSurprise bounds the log loss of a label, that of the probability 1e-15.
const mostSurprise = 34.5

// held is how strange a label is by the probabilities.
func (Labels) held(
	ctx context.Context, r Reader, t pfn.Training, _ float64,
) ([]float64, error) {
	rows, err := r.probabilities(ctx, t.X)
	scores := make([]float64, len(rows))
	for i, p := range rows {
		scores[i] = conformal.Strangeness(p, int(t.Y[i]))
	}
	return scores, err
}

// predictions reads rows with a model that may have read a part of the context.
func (Labels) predictions(
	ctx context.Context, r Reader, x pfn.Matrix,
) ([]amp.Prediction, error) {
	said, err := r.probabilities(ctx, x)
	rows := make([]amp.Prediction, len(said))
	for i, p := range said {
		rows[i].PPD = p
	}
	return rows, err
}

// judge is the log loss, and whether the class is the most probable one.
func (Labels) judge(
	rows []amp.Prediction, y []float64, _ float64,
) (scores []float64, hits []bool) {
	scores, hits = make([]float64, len(y)), make([]bool, len(y))
	for i, row := range rows {
		p := row.PPD.(amp.Classes)
		scores[i] = mostSurprise
		if k := int(y[i]); k >= 0 {
			scores[i] = math.Min(mostSurprise, -math.Log(p[k]))
			hits[i] = slices.Index(p, slices.Max(p)) == k
		}
	}
	return scores, hits
}

// Doubts are the probabilities of all classes but the most probable one.
func (Labels) Doubts(rows []amp.Prediction, _ float64) []float64 {
	rest := make([]float64, len(rows))
	for i, row := range rows {
		rest[i] = 1 - slices.Max(row.PPD.(amp.Classes))
	}
	return rest
}
