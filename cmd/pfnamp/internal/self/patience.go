package self

import (
	"context"
	"sync/atomic"
	"time"
)

// Patience is how long a signal waits for the program to clean up. What keeps it longer is a system
// call that the system does not end, such as writing to a pipe that nobody reads.
const Patience = 20 * time.Second

// patienceKey is the key of a context's *atomic.Int64: a patience that is longer.
type patienceKey struct{}

// WithPatience returns a context in which jobs can extend the patience, which the function tells.
func WithPatience(parent context.Context) (context.Context, func() time.Duration) {
	longer := &atomic.Int64{}
	return context.WithValue(parent, patienceKey{}, longer), func() time.Duration {
		return max(Patience, time.Duration(longer.Load()))
	}
}

// ExtendPatience lets a job clean up for longer.
func ExtendPatience(ctx context.Context, to time.Duration) {
	if longer, ok := ctx.Value(patienceKey{}).(*atomic.Int64); ok {
		longer.Store(int64(to))
	}
}
