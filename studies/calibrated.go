package main

import (
	"context"
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// calibrated makes intervals from chains with one local effective sample size m for all rows. It is
// the largest m with which a model that reads half of the training rows covers the functionals of a
// model that reads the other half. This is the paper's surrogate for the truth, inside the training
// table. It needs nothing of the model but predictions. From the half to the whole
// table m grows with the paper's rate of contraction,
//
//	m(n) = m(n/2) 2^(2β-1),  β = 1/2 + 2/(1.1 d + 4).
//
// Both models share the network's bias, which calibration cannot see: with a small network these
// intervals cover the surrogate as promised and the truth of a simulation far less. They are here
// to show that, not to be used.
type calibrated struct {
	local  *evaluate.Local // the chains
	halves int             // random halvings, at least 1; each costs two predictions
}

// halvings is how many random halvings studies calibrate with.
const halvings = 2

// Name is [methodCalibrated].
func (c calibrated) Name() string { return methodCalibrated }

// Intervals chooses m for every functional.
func (c calibrated) Intervals(
	ctx context.Context, t *evaluate.Task, functionals []amp.Functional,
) ([][]evaluate.Interval, error) {
	all := make([][]evaluate.Interval, len(functionals))
	trials := make([]trial, c.halves)
	for i := range trials {
		var err error
		if trials[i], err = newTrial(ctx, t, i); err != nil {
			return nil, fmt.Errorf("calibration: %w", err)
		}
	}
	for k, f := range functionals {
		summary, err := c.local.Prepare(ctx, amp.Shape{}, amp.Spec{Functional: f, Level: t.Level})
		if err != nil {
			return nil, err
		}
		m := largestSize(trials, f, summary, t.Level)
		m *= math.Pow(2, 2*amp.PaperBeta(t.Train.Cols)-1)
		for _, ppd := range t.Prediction.PPDs {
			e := summary.Estimate(amp.Prediction{PPD: ppd, Size: m})
			all[k] = append(all[k], evaluate.Interval{Lo: e.Lo, Hi: e.Hi})
		}
	}
	return all, nil
}

// trial is one halving: what a model says of the rows of the other half, and what one says that
// reads these.
type trial struct{ half, surrogate evaluate.Prediction }

func newTrial(ctx context.Context, t *evaluate.Task, i int) (made trial, err error) {
	a, b, err := evaluate.Split(t.Seed, fmt.Sprintf("%s/half%d", t.Key, i), t.Train.Rows, 0.5)
	if err != nil {
		return made, err
	}
	other := t.Train.Take(b)
	if made.half, err = t.Model.Predict(ctx, t.Train.Take(a), other.Matrix); err != nil {
		return made, err
	}
	made.surrogate, err = t.Model.Predict(ctx, other, other.Matrix)
	return made, err
}

// largestSize returns the largest m of the grid 2^-6, 2^-5.75, ..., 2^17 with which the intervals
// of a functional cover at least the level, the smallest of the grid if there is none.
func largestSize(trials []trial, f amp.Functional, s amp.Summary, level float64) float64 {
	const perOctave, octaves = 4, 23
	truth := make([][]float64, len(trials))
	for i, t := range trials {
		truth[i] = t.surrogate.Points(f)
	}
	for i := perOctave * octaves; i > 0; i-- {
		m := math.Exp2(float64(i)/perOctave - 6)
		held, rows := 0, 0
		for at, t := range trials {
			for row, ppd := range t.half.PPDs {
				e := s.Estimate(amp.Prediction{PPD: ppd, Size: m})
				if y := truth[at][row]; e.Lo <= y && y <= e.Hi {
					held++
				}
				rows++
			}
		}
		if float64(held) >= level*float64(rows) {
			return m
		}
	}
	return math.Exp2(-6)
}
