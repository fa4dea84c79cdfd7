// Package reading turns a network's output for query rows into predictions for the methods of
// package amp.
//
//	donors := reading.NewDonors(train, 0, seed)
//	rows, err := donors.Predictions(ctx, context, query, true)
//	intervals := reading.CentralIntervals(rows, 0.9)
//
// It also does two things:
//
//   - It answers a row with missing cells by the mean over possible values of these cells. [Donors]
//     lend the cells, and [Missing] selects this treatment.
//   - It makes the distribution of a label agree with the network's own posterior, or adds the
//     posterior of a companion (pfn.Context.Companion, amp.Accompany).
//
// Most programs use package pfnamp, which calls this one.
package reading

import (
	"context"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/pfn"
)

// separate returns predictions with label and surface unchanged from the network. They may
// contradict each other.
func separate(ctx context.Context, c *pfn.Context, x pfn.Matrix) ([]amp.Prediction, error) {
	if c.Model().Classifier() {
		return nil, &pfn.TaskError{Model: c.Model().Name(), Classifier: true}
	}
	results, err := c.Results(ctx, x, true)
	if err != nil {
		return nil, err
	}
	rows := make([]amp.Prediction, len(results))
	for i, r := range results {
		rows[i] = amp.Prediction{PPD: r.PPD}
		if s, ok := r.Own.(*distr.Surface); ok {
			rows[i].Own = &amp.Surface{Surface: *s, Label: r.PPD}
		}
	}
	return rows, nil
}

// classRows returns the predictions of a classifier.
func classRows(
	ctx context.Context, c *pfn.Context, x pfn.Matrix, own bool,
) ([]amp.Prediction, error) {
	if !c.Model().Classifier() {
		return nil, &pfn.TaskError{Model: c.Model().Name()}
	}
	results, err := c.Results(ctx, x, own)
	if err != nil {
		return nil, err
	}
	rows := make([]amp.Prediction, len(results))
	for i, r := range results {
		label, err := distr.NewClasses(r.Classes)
		if err != nil {
			return nil, err
		}
		rows[i] = amp.Prediction{PPD: label}
		if p, ok := r.Own.(*distr.ClassPosterior); ok {
			rows[i].Own = &amp.ClassPosterior{ClassPosterior: *p}
		}
	}
	return rows, nil
}

// CentralIntervals returns the central interval of the label of every row.
func CentralIntervals(rows []amp.Prediction, level float64) []distr.Interval {
	intervals := make([]distr.Interval, len(rows))
	for i, row := range rows {
		intervals[i].Lo, intervals[i].Hi = amp.PredictiveInterval(row.PPD, level)
	}
	return intervals
}
