package heldout

import (
	"context"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
)

// Target is the kind of target of a context, [Numbers] or [Labels].
type Target interface {
	// Doubts returns how unsure predictions are. For numbers it is the width of the predictive
	// interval of the level, in the target's unit. For classes it is 1 minus the probability of the
	// most probable one, in [0, 1].
	Doubts(rows []amp.Prediction, level float64) []float64

	// classes returns the number of classes of the whole context, 0 for numbers.
	classes() int
	// held scores rows with a model that has not read them; a larger score is stranger.
	held(ctx context.Context, r Reader, t pfn.Training, level float64) ([]float64, error)
	// judge scores predictions of rows at their labels, and reports which of them hold; see
	// [LabelCheck].
	judge(rows []amp.Prediction, y []float64, level float64) (scores []float64, hits []bool)
}

// Numbers is the [Target] of numbers.
type Numbers struct{}

func (Numbers) classes() int { return 0 }

// held returns how far a label is outside the central interval, negative inside.
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

// judge returns the CRPS, and whether the number is inside its predictive interval.
func (Numbers) judge(
	rows []amp.Prediction, y []float64, level float64,
) (scores []float64, hits []bool) {
	scores, hits = make([]float64, len(y)), make([]bool, len(y))
	for i, in := range reading.CentralIntervals(rows, level) {
		scores[i] = rows[i].PPD.(interface{ CRPS(y float64) float64 }).CRPS(y[i])
		hits[i] = in.Miss(y[i]) <= 0
	}
	return scores, hits
}

// Doubts returns the widths of predictive intervals.
func (Numbers) Doubts(rows []amp.Prediction, level float64) []float64 {
	widths := make([]float64, len(rows))
	for i, in := range reading.CentralIntervals(rows, level) {
		widths[i] = in.Hi - in.Lo
	}
	return widths
}

// Labels is the [Target] of this number of classes.
type Labels int

func (l Labels) classes() int { return int(l) }

// mostSurprise is the largest log loss of a label, that of the probability 1e-15.
const mostSurprise = 34.5

// held returns how strange a label is, by the probabilities.
func (Labels) held(ctx context.Context, r Reader, t pfn.Training, _ float64) ([]float64, error) {
	rows, err := r.probabilities(ctx, t.X, false)
	scores := make([]float64, len(rows))
	for i, row := range rows {
		scores[i] = strangeness(row.PPD.(distr.Classes), int(t.Y[i]))
	}
	return scores, err
}

// judge returns the log loss, and whether the class is the most probable one.
func (Labels) judge(
	rows []amp.Prediction, y []float64, _ float64,
) (scores []float64, hits []bool) {
	scores, hits = make([]float64, len(y)), make([]bool, len(y))
	for i, row := range rows {
		p := row.PPD.(distr.Classes)
		scores[i] = mostSurprise
		if k := int(y[i]); k >= 0 {
			scores[i] = math.Min(mostSurprise, -math.Log(p[k]))
			hits[i] = p.Best() == k
		}
	}
	return scores, hits
}

// Doubts returns the total probability of all classes but the most probable one.
func (Labels) Doubts(rows []amp.Prediction, _ float64) []float64 {
	rest := make([]float64, len(rows))
	for i, row := range rows {
		rest[i] = 1 - slices.Max(row.PPD.(distr.Classes))
	}
	return rest
}
