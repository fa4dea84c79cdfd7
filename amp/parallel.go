package amp

import (
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/internal/panics"
)

// parallel calls work for half-open blocks that partition 0..n-1, from several goroutines. It
// returns after all goroutines have ended: nil after every block, else the cause of ctx or the
// *panics.Error of a goroutine. Every goroutine calls start once for its work, and so has its own
// working memory.
func parallel(ctx context.Context, n, workers int, start func() func(lo, hi int)) error {
	const block = 8
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = max(1, min(workers, (n+block-1)/block))
	var next atomic.Int64
	var group errgroup.Group
	for range workers {
		group.Go(panics.Job(func() error {
			work := start()
			for ctx.Err() == nil {
				lo := int(next.Add(block)) - block
				if lo >= n {
					break
				}
				work(lo, min(lo+block, n))
			}
			return nil
		}))
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}
