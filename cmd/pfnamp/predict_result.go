package main

import (
	"context"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/pfn"
)

// result holds what is computed of one batch of query rows.
type result struct {
	estimates        [][]amp.Estimate // [functional][row]
	labelLo, labelHi []float64        // predictive interval of the label, by row
}

// newResult computes the equal-tailed predictive interval of every row.
func newResult(ppds []pfn.PPD, level float64) *result {
	r := &result{labelLo: make([]float64, len(ppds)), labelHi: make([]float64, len(ppds))}
	tail := (1 - level) / 2
	for i, ppd := range ppds {
		r.labelLo[i], r.labelHi[i] = ppd.Quantile(tail), ppd.Quantile(1-tail)
	}
	return r
}

// summarize computes the predictive interval and every functional of every
// row.
func summarize(
	ctx context.Context, rows []pfn.PPD, summaries []*amp.Summarizer, level float64,
) (*result, error) {
	r := newResult(rows, level)
	ppds := make([]amp.PPD, len(rows))
	for i, ppd := range rows {
		ppds[i] = ppd
	}
	for _, summary := range summaries {
		estimates := make([]amp.Estimate, len(rows))
		if err := summary.Rows(ctx, estimates, ppds); err != nil {
			return nil, err
		}
		r.estimates = append(r.estimates, estimates)
	}
	return r, nil
}

// columns lists the computed columns in the order of computedColumns.
func (r *result) columns(errors bool) [][]float64 {
	var columns [][]float64
	for _, estimates := range r.estimates {
		parts := make([][]float64, 5)
		for i := range parts {
			parts[i] = make([]float64, len(estimates))
		}
		for row, e := range estimates {
			for i, x := range [...]float64{e.Point, e.Lo, e.Hi, e.LoSE, e.HiSE} {
				parts[i][row] = x
			}
		}
		if !errors {
			parts = parts[:3]
		}
		columns = append(columns, parts...)
	}
	return append(columns, r.labelLo, r.labelHi)
}
