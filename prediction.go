package pfnamp

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// Predictions returns what a network says about query rows, as methods of package amp take it;
// every PPD is a pfn.PPD. With own, the network's own posterior comes too, from the same run, where
// its bundle has one: a surface, or the posterior of the median; and so does the local sample size
// that this tells (amp.LocalSize), which is otherwise unknown. Errors are those of
// pfn.Context.Predict.
func Predictions(
	ctx context.Context, c *pfn.Context, x pfn.Matrix, own bool,
) ([]amp.Prediction, error) {
	m := c.Model()
	var ppds []pfn.PPD
	var err error
	of := func(int) amp.Own { return nil }
	switch {
	case own && m.Surface():
		var surfaces []*pfn.Surface
		ppds, surfaces, err = c.PredictSurface(ctx, x)
		of = func(i int) amp.Own { return ownSurface(ppds[i], surfaces[i]) }
	case own && m.Direct():
		var medians []*pfn.Quantiles
		ppds, medians, err = c.PredictMedian(ctx, x)
		of = func(i int) amp.Own { return ownMedian{medians[i]} }
	default:
		ppds, err = c.Predict(ctx, x)
	}
	if err != nil {
		return nil, err
	}
	rows := make([]amp.Prediction, len(ppds))
	for i, ppd := range ppds {
		rows[i] = amp.Prediction{PPD: ppd, Own: of(i), Size: math.NaN()}
		if rows[i].Own != nil {
			rows[i].Size = amp.LocalSize(ppd, rows[i].Own.Of(median))
		}
	}
	return rows, nil
}

// ownSurface is a network's posterior of all functionals.
func ownSurface(ppd pfn.PPD, s *pfn.Surface) *amp.Surface {
	return &amp.Surface{Label: ppd, Levels: s.Levels, PosteriorLevels: s.PosteriorLevels,
		Quantiles: s.Quantiles, Mean: s.Mean, Scale: s.Scale, Widened: s.Widened}
}

// median is the one functional that a direct output knows.
var median = amp.Quantile{Level: 0.5}

// ownMedian is a network's posterior of the noise-free conditional median.
type ownMedian struct{ *pfn.Quantiles }

// Of implements amp.Own.
func (m ownMedian) Of(f amp.Functional) amp.Marginal {
	if f != median {
		return nil
	}
	return m.Quantiles
}

// CheckDirect tells whether networks of a manifest have a posterior of their own of functionals.
// The error is a *pfn.NoDirectError or a *amp.FunctionalError.
func CheckDirect(m models.Manifest, functionals []amp.Functional) error {
	switch {
	case m.Surface != nil || m.ClassPosterior != nil:
		return nil
	case m.Direct == nil:
		return &pfn.NoDirectError{Model: m.Name + " " + m.Version}
	}
	unknown := func(f amp.Functional) bool { return f != median }
	if i := slices.IndexFunc(functionals, unknown); i >= 0 {
		return &amp.FunctionalError{Functional: functionals[i], Method: string(Direct)}
	}
	return nil
}

// ClassPredictions returns what a classifier says about query rows, as methods of package amp take
// it, and the most probable classes; every PPD is an amp.Classes. With own, the network's own
// posterior of the probabilities comes too, where its bundle has one. Errors are those of
// pfn.Context.PredictClasses.
func ClassPredictions(
	ctx context.Context, c *pfn.Context, x pfn.Matrix, own bool,
) ([]amp.Prediction, []int, error) {
	var classes []pfn.Classes
	var posteriors []*pfn.ClassPosterior
	var err error
	if own = own && c.Model().ClassPosterior(); own {
		classes, posteriors, err = c.PredictClassPosteriors(ctx, x)
	} else {
		classes, err = c.PredictClasses(ctx, x)
	}
	if err != nil {
		return nil, nil, err
	}
	rows, best := make([]amp.Prediction, len(classes)), make([]int, len(classes))
	for i, p := range classes {
		best[i] = p.Best()
		label, err := amp.NewClasses(p)
		if err != nil {
			return nil, nil, err
		}
		rows[i] = amp.Prediction{PPD: label, Size: math.NaN()}
		if own {
			rows[i].Own = &amp.ClassPosterior{PosteriorLevels: posteriors[i].Levels,
				Quantiles: posteriors[i].Quantiles}
		}
	}
	return rows, best, nil
}

// RowsError tells at which query rows the network failed.
type RowsError struct {
	File        string
	First, Last int64 // from 1
	Err         error
}

// Error names the rows and the cause.
func (e *RowsError) Error() string {
	return fmt.Sprintf("predicting rows %d to %d of %s: %v", e.First, e.Last, e.File, e.Err)
}

// Unwrap returns the cause.
func (e *RowsError) Unwrap() error { return e.Err }

// rowsError names the rows of a batch that got no answer.
func rowsError(b *tabular.Batch, err error) error {
	return &RowsError{File: b.File, First: b.First + 1, Last: b.First + int64(b.Rows()), Err: err}
}
