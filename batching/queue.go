package batching

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/panics"
)

// queue holds queries in the order of their arrival.
type queue struct {
	mu       sync.Mutex
	pending  []*pending
	rows     int // of pending
	closed   bool
	err      error         // reason for the end of the work, nil for Close
	woken    chan struct{} // has an element when a query may have arrived, or the queue was closed
	expect   int           // number of queries for which the next run waits
	patience time.Duration // longest wait for them
}

// join queues a query, if fewer rows than limit wait; a negative limit means no limit.
func (q *queue) join(p *pending, limit int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.err != nil:
		return q.err
	case q.closed:
		return ErrClosed
	case limit >= 0 && q.rows > 0 && q.rows+p.query.Rows() > limit:
		return ErrQueueFull
	}
	q.pending = append(q.pending, p)
	q.rows += p.query.Rows()
	q.wake()
	return nil
}

// leave removes a query from the queue.
func (q *queue) leave(p *pending) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if at := slices.Index(q.pending, p); at >= 0 {
		q.pending = slices.Delete(q.pending, at, at+1)
		q.rows -= p.query.Rows()
	}
}

// wake makes the work check the queue again.
func (q *queue) wake() {
	select {
	case q.woken <- struct{}{}:
	default:
	}
}

// waiting returns the number of waiting rows.
func (q *queue) waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.rows
}

// close ends the work after all waiting queries are answered, and refuses others.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.wake()
}

// end gives the error of failed work to all waiting and later queries.
func (q *queue) end(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.err = true, err
	for _, p := range q.pending {
		p.finish(nil, err)
	}
	q.pending, q.rows = nil, 0
}

// take returns as many queries as fit into one run: at least one, unless all have left. open is
// false when the queue is closed and empty.
func (q *queue) take(room int) (taken []*pending, open bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	rows, n := 0, 0
	for n < len(q.pending) && (n == 0 || rows+q.pending[n].query.Rows() <= room) {
		rows += q.pending[n].query.Rows()
		n++
	}
	taken = slices.Clone(q.pending[:n])
	q.pending = slices.Delete(q.pending, 0, n)
	q.rows -= rows
	return taken, n > 0 || !q.closed
}

// any reports whether there is a reason to take: a query, or the end.
func (q *queue) any() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.pending) > 0 || q.closed
}

// foresee expects the clients of the run that has just ended to come back, besides those that wait
// already. Otherwise two halves of the clients would wait for each other's runs forever. While
// clients keep coming, a wait of a part of a run's time pays off.
func (q *queue) foresee(answered int, took, wait time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.expect = answered + len(q.pending)
	q.patience = max(wait, took/2)
}

// gather waits until the expected number of queries has arrived, a run is full, none has come
// within wait, or patience has ended.
func (q *queue) gather(room int, wait time.Duration) {
	quiet, late := time.NewTimer(wait), time.NewTimer(q.patience)
	defer quiet.Stop()
	defer late.Stop()
	for !q.enough(room) {
		select {
		case <-q.woken:
			quiet.Reset(wait)
		case <-quiet.C:
			return
		case <-late.C:
			return
		}
	}
}

// enough reports whether a run need not wait any longer.
func (q *queue) enough(room int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.pending) >= q.expect || q.rows >= room || q.closed
}

// next waits for queries and takes those of one run.
func (b *Batcher) next() (taken []*pending, open bool) {
	for !b.queue.any() {
		<-b.queue.woken
	}
	b.queue.gather(b.options.Rows, b.options.Wait)
	return b.queue.take(b.options.Rows)
}

// work runs queries until the queue is closed and empty.
func (b *Batcher) work(ctx context.Context) {
	for {
		taken, open := b.next()
		if !open {
			return
		}
		if len(taken) == 0 {
			continue
		}
		start, rows := time.Now(), 0
		for _, p := range taken {
			rows += p.query.Rows()
		}
		b.run(ctx, taken)
		took := time.Since(start)
		b.queue.foresee(len(taken), took, b.options.Wait)
		if b.options.Observe != nil {
			b.options.Observe(rows, len(taken), took)
		}
	}
}

// run answers queries together. If that fails, it answers them one by one, so that no query gets
// the error of another one's rows. It stops when nobody waits any more.
func (b *Batcher) run(ctx context.Context, taken []*pending) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var left atomic.Int64
	left.Store(int64(len(taken)))
	queries := make([]*pfnamp.Query, len(taken))
	for i, p := range taken {
		queries[i] = p.query
		defer context.AfterFunc(p.ctx, func() {
			if left.Add(-1) == 0 {
				stop()
			}
		})()
	}
	if !slices.ContainsFunc(taken, func(p *pending) bool { return p.ctx.Err() == nil }) {
		stop()
	}
	answers, err := b.answers(ctx, queries)
	for i, p := range taken {
		switch {
		case err == nil:
			p.finish(answers[i], nil)
		case len(taken) == 1 || ctx.Err() != nil:
			p.finish(nil, err)
		default:
			b.run(ctx, taken[i:i+1])
		}
	}
}

// answers runs the network; a panic becomes an error.
func (b *Batcher) answers(ctx context.Context, q []*pfnamp.Query) (a []*pfnamp.Answer, err error) {
	err = panics.Job(func() (err error) {
		a, err = b.predictor.Answers(ctx, q...)
		return err
	})()
	return a, err
}
