package evaluate

import (
	"context"
	"encoding/json"
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
// at a time. It stops at the first error and returns it; all goroutines have ended then.
func Run(
	ctx context.Context, cells []Cell, store *Store, workers int, done func(n int),
) ([]Outcome, error) {
	outcomes := make([]Outcome, len(cells))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, workers))
	var mu sync.Mutex
	finished := 0
	for i, c := range cells {
		group.Go(panics.Job(func() (err error) {
			if outcomes[i], err = store.outcome(ctx, c); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			finished++
			if done != nil {
				done(finished)
			}
			return nil
		}))
	}
	return outcomes, group.Wait()
}

// outcome loads or computes a cell. It is the same either way: JSON has no infinities.
func (s *Store) outcome(ctx context.Context, c Cell) (o Outcome, err error) {
	if err := ctx.Err(); err != nil {
		return o, err
	}
	o, known, err := s.load(c.Key)
	if known || err != nil {
		return o, err
	}
	computed, err := c.Run(ctx)
	if err != nil {
		return o, fmt.Errorf("%s: %w", c.Key, err)
	}
	text, err := json.Marshal(computed)
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	if err == nil {
		err = s.save(c.Key, o)
	}
	return o, err
}
