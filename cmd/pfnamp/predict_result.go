package main

import (
	"context"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/pfn"
)

// result holds what is computed of one batch of query rows.
type result struct {
	estimates        [][]amp.Estimate // [functional][row]
	labelLo, labelHi []float64        // predictive interval of the label, by row; not of classes
	best             []int            // the most probable class, by row; nil of numbers

	posteriors posteriors
	bands      [][]amp.Estimate // limits of simultaneous bands, by functional and row
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

// estimateRows summarises every functional of every row, by functional and row.
func estimateRows(
	ctx context.Context, ppds []amp.PPD, summaries []*amp.Summarizer,
) ([][]amp.Estimate, error) {
	var all [][]amp.Estimate
	for _, summary := range summaries {
		estimates := make([]amp.Estimate, len(ppds))
		if err := summary.Rows(ctx, estimates, ppds); err != nil {
			return nil, err
		}
		all = append(all, estimates)
	}
	return all, nil
}

// columns lists the computed columns of numbers in the order of computedColumns.
func (r *result) columns(errors, bands bool) [][]float64 {
	var columns [][]float64
	for f, estimates := range r.estimates {
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
		if bands {
			lo, hi := make([]float64, len(estimates)), make([]float64, len(estimates))
			for row, e := range r.bands[f] {
				lo[row], hi[row] = e.Lo, e.Hi
			}
			columns = append(columns, lo, hi)
		}
	}
	if r.best != nil {
		return columns
	}
	return append(columns, r.labelLo, r.labelHi)
}
