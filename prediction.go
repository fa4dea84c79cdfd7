package pfnamp

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

// Predictions returns what a network says about query rows, as methods of package amp take it;
// every PPD is a pfn.PPD. With own, the network's own posterior comes too, from the same run. Local
// sample sizes are unknown. Errors are those of pfn.Context.Predict and PredictMedian.
func Predictions(
	ctx context.Context, c *pfn.Context, x pfn.Matrix, own bool,
) ([]amp.Prediction, error) {
	var ppds []pfn.PPD
	var medians []*pfn.Quantiles
	var err error
	if own {
		ppds, medians, err = c.PredictMedian(ctx, x)
	} else {
		ppds, err = c.Predict(ctx, x)
	}
	if err != nil {
		return nil, err
	}
	rows := make([]amp.Prediction, len(ppds))
	for i, ppd := range ppds {
		rows[i] = amp.Prediction{PPD: ppd, Size: math.NaN()}
		if own {
			rows[i].Own = ownMedian{medians[i]}
		}
	}
	return rows, nil
}

// median is the one functional that the direct output of today's bundles knows.
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

// CheckDirect tells whether bundles of a manifest have a posterior of their own of functionals. The
// error is a *pfn.NoDirectError or a *amp.FunctionalError.
func CheckDirect(m models.Manifest, functionals []amp.Functional) error {
	if m.Direct == nil {
		return &pfn.NoDirectError{Model: m.Name + " " + m.Version}
	}
	unknown := func(f amp.Functional) bool { return f != median }
	if i := slices.IndexFunc(functionals, unknown); i >= 0 {
		return &amp.FunctionalError{Functional: functionals[i], Method: string(Direct)}
	}
	return nil
}

// classPredictions returns the distributions of the classes of query rows, and the most probable
// ones.
func classPredictions(
	ctx context.Context, c *pfn.Context, x pfn.Matrix,
) ([]amp.Prediction, []int, error) {
	classes, err := c.PredictClasses(ctx, x)
	if err != nil {
		return nil, nil, err
	}
	rows, best := make([]amp.Prediction, len(classes)), make([]int, len(classes))
	for i, p := range classes {
		best[i] = p.Best()
		rows[i].Size = math.NaN()
		if rows[i].PPD, err = amp.NewClasses(p); err != nil {
			return nil, nil, err
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
