package main

import (
	"context"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/pfn"
)

// posteriors are the posteriors of all functionals at the rows of one batch.
type posteriors interface {
	// coupled returns the draws of functional f at a row, ordered by the ranks of a field there.
	coupled(f, row int, ranks []int) []float64
	// limits returns, by functional and row, the equal-tailed intervals of a level.
	limits(ctx context.Context, level float64) ([][]amp.Estimate, error)
}

// chainPosteriors are those made from chains.
type chainPosteriors struct {
	ppds      []amp.PPD
	summaries []*amp.Summarizer
	prepare   func(ctx context.Context, level float64) ([]*amp.Summarizer, error)
}

func (p chainPosteriors) coupled(f, row int, ranks []int) []float64 {
	return p.summaries[f].Coupled(p.ppds[row], ranks)
}

func (p chainPosteriors) limits(
	ctx context.Context, level float64,
) ([][]amp.Estimate, error) {
	summaries, err := p.prepare(ctx, level)
	if err != nil {
		return nil, err
	}
	return estimateRows(ctx, p.ppds, summaries)
}

// directPosteriors are the network's own posteriors of the median.
type directPosteriors []*pfn.Quantiles

func (p directPosteriors) coupled(_, row int, ranks []int) []float64 {
	draws := make([]float64, len(ranks))
	for b, rank := range ranks {
		draws[b] = p[row].Quantile((float64(rank) + 0.5) / float64(len(ranks)))
	}
	return draws
}

func (p directPosteriors) limits(_ context.Context, level float64) ([][]amp.Estimate, error) {
	limits := make([]amp.Estimate, len(p))
	tail := (1 - level) / 2
	for i, median := range p {
		limits[i] = amp.Estimate{Lo: median.Quantile(tail), Hi: median.Quantile(1 - tail)}
	}
	return [][]amp.Estimate{limits}, nil
}
