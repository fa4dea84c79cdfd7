package main

import (
	"context"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/tabular"
)

// sink takes the answers of a run: the table, a screen, a figure, a report, draws and averages of
// rows together, counters. A new one is a type with these methods, and a line where sinks are
// opened.
type sink interface {
	// Add takes the rows of a batch with their answers, in order.
	Add(ctx context.Context, batch *tabular.Batch, a *pfnamp.Answer) error
	// Finish follows the last row. It returns a finisher for every file, which completes the file
	// but for its name.
	Finish(ctx context.Context) ([]finisher, error)
	// Discard removes what has not been finished.
	Discard()
}

// sinks are several that take the same answers.
type sinks []sink

// Add implements sink.
func (s sinks) Add(ctx context.Context, batch *tabular.Batch, a *pfnamp.Answer) error {
	for _, to := range s {
		if err := to.Add(ctx, batch, a); err != nil {
			return err
		}
	}
	return nil
}

// Finish implements sink.
func (s sinks) Finish(ctx context.Context) (files []finisher, err error) {
	for _, to := range s {
		more, err := to.Finish(ctx)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	return files, nil
}

// Discard implements sink.
func (s sinks) Discard() {
	for _, to := range s {
		to.Discard()
	}
}

// sinkOf finds the sink of a type, if there is one.
func sinkOf[T sink](all sinks) (found T, ok bool) {
	for _, to := range all {
		if found, ok = to.(T); ok {
			return found, true
		}
	}
	return found, false
}
