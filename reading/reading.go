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

// read returns the predictions of rows for the network. Label and surface are as the network gives
// them, and may contradict each other. Labels of numbers need their surface even if own is not set.
func read(
	ctx context.Context, c *pfn.Context, x pfn.Matrix, own bool,
) ([]amp.Prediction, error) {
	classes := c.Model().Classifier()
	results, err := c.Results(ctx, x, own || !classes)
	if err != nil {
		return nil, err
	}
	rows := make([]amp.Prediction, len(results))
	for i, r := range results {
		rows[i].PPD = r.PPD
		if classes {
			if rows[i].PPD, err = distr.NewClasses(r.Classes); err != nil {
				return nil, err
			}
		}
		switch own := r.Own.(type) {
		case *distr.Surface:
			rows[i].Own = &amp.Surface{Surface: *own, Label: r.PPD}
		case *distr.ClassPosterior:
			rows[i].Own = &amp.ClassPosterior{ClassPosterior: *own}
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
