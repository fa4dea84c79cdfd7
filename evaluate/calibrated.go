package evaluate

import (
	"context"
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/amp"
)

// Calibrated makes intervals from chains whose local effective sample size is calibrated inside the
// training table: m(x) = λ s(x), where s(x) is 1 or, if Shaped, the model's own m(x), and λ is the
// largest factor with which the intervals of a model that reads half of the training rows cover
// the functionals of a model that reads the other half, the paper's surrogate for the truth. From
// the half to the whole table an unshaped m grows with the paper's rate of contraction,
//
//	m(n) = m(n/2) 2^(2β-1),  β = 1/2 + 2/(1.1 d + 4);
//
// a shaped one has grown by itself. Both models may share a bias, which stays invisible.
type Calibrated struct {
	Label  string // name of the method
	Local  *Local // the chains, whose label is not used
	Halves int    // random halvings, at least 1; each costs two predictions
	Shaped bool   // needs a model that tells local sample sizes
}

// Names of the two kinds of [Calibrated].
const (
	MethodCalibrated = "calibrated"
	MethodShaped     = "calibrated local"
)

// halvings is how many random halvings studies calibrate with.
const halvings = 2

// Name implements [Method].
func (c Calibrated) Name() string { return c.Label }

// Intervals implements [Method].
func (c Calibrated) Intervals(
	ctx context.Context, t *Task, functionals []amp.Functional,
) ([][]Interval, error) {
	all := make([][]Interval, len(functionals))
	if c.Shaped && t.Prediction.Sizes == nil {
		return all, nil
	}
	trials := make([]trial, c.Halves)
	for i := range trials {
		var err error
		if trials[i], err = newTrial(ctx, t, i, functionals); err != nil {
			return nil, fmt.Errorf("calibration: %w", err)
		}
	}
	for k, f := range functionals {
		summary, err := c.Local.summarizer(ctx,
			amp.Spec{Functional: f, Level: t.Level, Posterior: c.Local.Kind})
		if err != nil {
			return nil, err
		}
		factor := c.largestFactor(trials, k, summary, t.Level)
		if !c.Shaped {
			factor *= math.Pow(2, 2*amp.PaperBeta(t.Train.Cols)-1)
		}
		for row, ppd := range t.Prediction.PPDs {
			e := summary.Row(ppd, factor*c.shape(t.Prediction.Sizes, row))
			all[k] = append(all[k], Interval{e.Lo, e.Hi})
		}
	}
	return all, nil
}

// trial is one halving: what a model says of the rows of the other half, and what one says that
// reads these.
type trial struct {
	half  Prediction
	truth [][]float64 // by functional and row
}

func newTrial(ctx context.Context, t *Task, i int, functionals []amp.Functional) (trial, error) {
	a, b, err := Split(t.Seed, fmt.Sprintf("%s/half%d", t.Key, i), t.Train.Rows, 0.5)
	if err != nil {
		return trial{}, err
	}
	other := t.Train.Take(b)
	half, err := t.Model.Predict(ctx, t.Train.Take(a), other.Matrix)
	if err != nil {
		return trial{}, err
	}
	surrogate, err := t.Model.Predict(ctx, other, other.Matrix)
	if err != nil {
		return trial{}, err
	}
	made := trial{half: half}
	for _, f := range functionals {
		made.truth = append(made.truth, surrogate.points(f))
	}
	return made, nil
}

// shape is s(x) of a row.
func (c Calibrated) shape(sizes []float64, row int) float64 {
	if c.Shaped {
		return sizes[row]
	}
	return 1
}

// largestFactor returns the largest λ of the grid 2^-6, 2^-5.75, ..., 2^17 with which the
// intervals of functional k cover at least the level, the smallest of the grid if there is none.
func (c Calibrated) largestFactor(
	trials []trial, k int, s *amp.LocalSummarizer, level float64,
) float64 {
	const perOctave, octaves = 4, 23
	for i := perOctave * octaves; i > 0; i-- {
		factor := math.Exp2(float64(i)/perOctave - 6)
		held, rows := 0, 0
		for _, t := range trials {
			for row, ppd := range t.half.PPDs {
				e := s.Row(ppd, factor*c.shape(t.half.Sizes, row))
				if y := t.truth[k][row]; e.Lo <= y && y <= e.Hi {
					held++
				}
				rows++
			}
		}
		if float64(held) >= level*float64(rows) {
			return factor
		}
	}
	return math.Exp2(-6)
}
