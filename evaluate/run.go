package evaluate

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/internal/panics"
)

// Cell is a part of an experiment that is computed as a whole.
type Cell struct {
	Key    string // unique in its experiment; a file name
	Params []Param
	Run    func(ctx context.Context) (Outcome, error)
}

// Run computes cells, up to workers at a time, and returns their outcomes in order. Finished
// cells are kept in the store, which may be nil, and those that it has are not computed again.
// done, if not nil, is called after every cell with the number of cells done, from one goroutine
// at a time. It stops at the first error and returns the one of the first cell that has one; all
// goroutines have ended when it returns.
func Run(
	ctx context.Context, cells []Cell, store *Store, workers int, done func(n int),
) ([]Outcome, error) {
	r := &runner{store: store, done: done, outcomes: make([]Outcome, len(cells)),
		errors: make([]error, len(cells))}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	next := make(chan int)
	var group errgroup.Group
	for range max(1, workers) {
		group.Go(panics.Job(func() error {
			for i := range next {
				r.errors[i] = panics.Job(func() error { return r.cell(ctx, i, cells[i]) })()
				if r.errors[i] != nil {
					stop()
				}
			}
			return nil
		}))
	}
	for i := range cells {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	group.Wait() // the errors are in the runner
	return r.outcomes, r.err(ctx)
}

// runner is one call of Run.
type runner struct {
	store    *Store
	outcomes []Outcome
	errors   []error

	mu       sync.Mutex
	finished int
	done     func(n int)
}

// cell computes or loads one cell.
func (r *runner) cell(ctx context.Context, i int, c Cell) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	outcome, known, err := r.store.load(c.Key)
	if err != nil {
		return err
	}
	if !known {
		if outcome, err = c.Run(ctx); err != nil {
			return fmt.Errorf("%s: %w", c.Key, err)
		}
		outcome.keepable()
		if err := r.store.save(c.Key, outcome); err != nil {
			return err
		}
	}
	r.outcomes[i] = outcome
	r.mu.Lock()
	defer r.mu.Unlock()
	r.finished++
	if r.done != nil {
		r.done(r.finished)
	}
	return nil
}

// err is the first error that is not the echo of another one.
func (r *runner) err(ctx context.Context) error {
	var echo error
	for _, err := range r.errors {
		switch {
		case err == nil:
		case errors.Is(err, context.Canceled):
			echo = err
		default:
			return err
		}
	}
	if echo == nil {
		echo = ctx.Err()
	}
	return echo
}
