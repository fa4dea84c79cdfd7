// Package batching answers many goroutines together: rows that wait together share one run.
//
//	batcher := batching.New(predictor, batching.Options{})
//	defer batcher.Close()
//	answer, err := batcher.Rows(ctx, rows) // from any goroutine
//
// A [Batcher] returns the same bits as pfnamp.Predictor. [Options] limit how long a run waits and
// how many rows may wait; a full queue is [ErrQueueFull].
package batching

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/tabular"
)

// Batcher answers the queries of many goroutines together. A run of the network costs far more than
// a row, so queries that wait at the same time share a run. Every answer has the same bits as
// [pfnamp.Predictor.Predict], because a row's answer does not depend on its neighbours. A Batcher
// is safe for concurrent use.
//
// A run waits for as many queries as the last run answered or left waiting, but at most
// [Options.Wait] for each of them, and half the time of that run. A single goroutine never waits.
type Batcher struct {
	predictor *pfnamp.Predictor
	options   Options
	queue     queue
	done      chan struct{} // closed when no run follows
	stop      context.CancelFunc
}

// Options limit the queue and the runs. 0 means the default.
type Options struct {
	Rows  int           // largest number of rows in a run; 256
	Wait  time.Duration // longest wait of a run for the next query, if more are expected; 2 ms
	Queue int           // largest number of waiting rows; 8,192
	// Observe is called after every run, from one goroutine; nil means no call.
	Observe func(rows, queries int, took time.Duration)
}

// withDefaults replaces zeros by defaults.
func (o Options) withDefaults() Options {
	o.Rows = cmp.Or(o.Rows, 256)
	o.Wait = cmp.Or(o.Wait, 2*time.Millisecond)
	o.Queue = cmp.Or(o.Queue, 8192)
	return o
}

var (
	// ErrQueueFull reports that too many rows wait for a Batcher. Retry the query later.
	ErrQueueFull = errors.New("pfnamp: too many rows wait for an answer: retry later")
	// ErrClosed reports a query to a closed Batcher.
	ErrClosed = errors.New("pfnamp: the batcher is closed")
)

// New starts a Batcher for a predictor. Close the Batcher first, then the predictor.
func New(p *pfnamp.Predictor, opt Options) *Batcher {
	b := newBatcher(p, opt)
	b.start()
	return b
}

// start begins to answer waiting queries.
func (b *Batcher) start() {
	var ctx context.Context
	ctx, b.stop = context.WithCancel(context.Background())
	go func() {
		defer close(b.done)
		b.queue.end(panics.Job(func() error { b.work(ctx); return nil })())
	}()
}

// newBatcher returns a Batcher that is not started.
func newBatcher(p *pfnamp.Predictor, opt Options) *Batcher {
	b := &Batcher{predictor: p, options: opt.withDefaults(), done: make(chan struct{})}
	b.queue = queue{woken: make(chan struct{}, 1), expect: 1, patience: b.options.Wait}
	return b
}

// Rows answers rows of Go values, like [pfnamp.Predictor.Rows]. It fails with the errors of that
// method, [ErrQueueFull] and [ErrClosed].
func (b *Batcher) Rows(ctx context.Context, rows any) (*pfnamp.Answer, error) {
	batch, err := b.predictor.Batch(rows)
	if err != nil {
		return nil, err
	}
	return b.Predict(ctx, batch)
}

// Predict answers the rows of a batch, like [pfnamp.Predictor.Predict]. It fails with the errors of
// that method, [ErrQueueFull] and [ErrClosed].
func (b *Batcher) Predict(ctx context.Context, batch *tabular.Batch) (*pfnamp.Answer, error) {
	q, err := b.predictor.Encode(batch)
	if err != nil {
		return nil, err
	}
	p, err := b.join(ctx, q, false)
	if err != nil {
		return nil, err
	}
	a, err := p.wait()
	if err != nil {
		return nil, q.Failed(err)
	}
	return a, nil
}

// Answer answers an encoded query. With always, it also joins a full queue, for the rest of a table
// whose beginning is answered. It fails with [ErrQueueFull] or [ErrClosed], with the errors of
// [pfnamp.Predictor.Answers], or with the cause of a cancelled ctx. A query leaves the queue when
// ctx ends, and a run stops when the contexts of all its queries have ended.
func (b *Batcher) Answer(
	ctx context.Context, q *pfnamp.Query, always bool,
) (*pfnamp.Answer, error) {
	p, err := b.join(ctx, q, always)
	if err != nil {
		return nil, err
	}
	return p.wait()
}

// join queues a query for the next run with room.
func (b *Batcher) join(ctx context.Context, q *pfnamp.Query, always bool) (*pending, error) {
	p := &pending{ctx: ctx, query: q, batcher: b, done: make(chan struct{})}
	limit := b.options.Queue
	if always {
		limit = -1
	}
	return p, b.queue.join(p, limit)
}

// Waiting returns the number of waiting rows.
func (b *Batcher) Waiting() int { return b.queue.waiting() }

// Close answers waiting queries, refuses later ones, and returns after the last run. A second call
// does nothing.
func (b *Batcher) Close() {
	b.queue.close()
	<-b.done
	b.stop()
}

// pending is a queued query.
type pending struct {
	ctx     context.Context
	query   *pfnamp.Query
	batcher *Batcher
	answer  *pfnamp.Answer
	err     error
	done    chan struct{} // closed when answer or err is set
}

func (p *pending) wait() (*pfnamp.Answer, error) {
	select {
	case <-p.done:
		if p.err == nil || p.ctx.Err() == nil {
			return p.answer, p.err
		}
	case <-p.ctx.Done():
		p.batcher.queue.leave(p)
	}
	return nil, context.Cause(p.ctx)
}

func (p *pending) finish(a *pfnamp.Answer, err error) {
	p.answer, p.err = a, err
	close(p.done)
}
