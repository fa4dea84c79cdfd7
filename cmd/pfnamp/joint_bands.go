package main

import (
	"context"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/tabular"
)

// bands finds the level of simultaneous bands. Rows wait for it until the last one is known, then
// they go on to the next sinks with their bands.
type bands struct {
	job  *askJob
	band *amp.Simultaneous
	held []heldBatch
	next sinks
	rows int
}

// heldBatch waits for the level of the bands.
type heldBatch struct {
	batch  *tabular.Batch
	answer *pfnamp.Answer
}

// openBands starts the bands.
func (j opening) openBands(context.Context) (coupledPart, error) {
	return &bands{job: j.askJob, band: amp.NewSimultaneous(j.opt.question.Draws())}, nil
}

// couple implements coupledPart.
func (b *bands) couple(_ int64, rows []joint.Row, _ []string) error {
	for _, row := range rows {
		b.band.Add(row.Ranks)
	}
	b.rows += len(rows)
	return nil
}

// Add implements sink.
func (b *bands) Add(_ context.Context, batch *tabular.Batch, a *pfnamp.Answer) error {
	b.held = append(b.held, heldBatch{batch, a})
	return nil
}

// Finish implements sink: rows get the intervals of the level that holds in all at once.
func (b *bands) Finish(ctx context.Context) ([]finisher, error) {
	wanted := b.job.opt.question.Level
	level := b.band.PointwiseLevel(wanted)
	for i, held := range b.held {
		var err error
		if held.answer.Bands, err = b.job.predictor.At(ctx, held.answer, level); err != nil {
			return nil, err
		}
		if err := b.next.Add(ctx, held.batch, held.answer); err != nil {
			return nil, err
		}
		b.held[i] = heldBatch{}
	}
	switch draws := float64(b.job.opt.question.Draws()); {
	case b.rows == 0:
	case level > 1-1.5/draws:
		b.job.warnf("%g draws are too few for a band around %s: it holds less often than %g. Use more "+
			"--chains, fewer rows or a longer --length",
			draws, count(b.rows, "row"), wanted)
	default:
		b.job.notef("*_band_lo, *_band_hi hold in all rows at once with probability %g; in a single "+
			"row with %.4g", wanted, level)
	}
	return b.next.Finish(ctx)
}

// Discard implements sink.
func (b *bands) Discard() { b.next.Discard() }
