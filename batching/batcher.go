// Package batching answers for many goroutines at the same time: rows that wait together share one
// run of the network. A run costs far more than a row.
//
//	batcher := batching.New(predictor, batching.Options{})
//	defer batcher.Close()
//	answer, err := batcher.Rows(ctx, rows) // from any goroutine
//
// A [Batcher] gives the bits that pfnamp.Predictor gives. [Options] bound how long a run waits and
// how many rows may wait; a full queue is [ErrQueueFull]. [Batcher.Join] returns a [Pending] answer
// at once.
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

// Batcher answers the questions of many goroutines together. A run of the network costs far more
// than a row, so that rows that wait at the same time share a run. Every answer has the bits that
// [pfnamp.Predictor.Predict] gives: those of a row do not depend on its neighbours. A Batcher is
// safe for concurrent use.
//
// A run waits for as many queries as the last run answered or left waiting, but at most
// [Options.Wait] for each of them, and half the time of that run. A single goroutine never
// waits.
type Batcher struct {
	predictor *pfnamp.Predictor
	options   Options
	queue     queue
	done      chan struct{} // closed when no run follows
	stop      context.CancelFunc
}

// Options bound what waits and what is run together. Zero stands for the default.
type Options struct {
	Rows  int           // of a run; 256
	Wait  time.Duration // of a run for the next query, if more are expected; 2 ms
	Queue int           // rows that wait at most; 8,192
	// Observe is called after every run, from one goroutine; nil calls nothing.
	Observe func(rows, queries int, took time.Duration)
}

// withDefaults fills in what is zero.
func (o Options) withDefaults() Options {
	o.Rows = cmp.Or(o.Rows, 256)
	o.Wait = cmp.Or(o.Wait, 2*time.Millisecond)
	o.Queue = cmp.Or(o.Queue, 8192)
	return o
}

var (
	// ErrQueueFull reports that too many rows wait for a Batcher. The same query may be answered
	// later.
	ErrQueueFull = errors.New("pfnamp: too many rows wait for an answer: try again later")
	// ErrClosed reports a query to a Batcher that was closed.
	ErrClosed = errors.New("pfnamp: the batcher is closed")
)

// New starts to answer for a predictor. The caller closes the Batcher first, then the
// predictor.
func New(p *pfnamp.Predictor, opt Options) *Batcher {
	b := newBatcher(p, opt)
	b.start()
	return b
}

// start begins to answer what waits.
func (b *Batcher) start() {
	var ctx context.Context
	ctx, b.stop = context.WithCancel(context.Background())
	go func() {
		defer close(b.done)
		b.queue.end(panics.Job(func() error { b.work(ctx); return nil })())
	}()
}

// newBatcher makes a Batcher that does not work yet.
func newBatcher(p *pfnamp.Predictor, opt Options) *Batcher {
	b := &Batcher{predictor: p, options: opt.withDefaults(), done: make(chan struct{})}
	b.queue = queue{woken: make(chan struct{}, 1), expect: 1, patience: b.options.Wait}
	return b
}

// Predictor returns the predictor that answers.
func (b *Batcher) Predictor() *pfnamp.Predictor { return b.predictor }

// Rows answers for rows of Go values, as [pfnamp.Predictor.Rows] does. Errors are its, and
// [ErrQueueFull] and [ErrClosed].
func (b *Batcher) Rows(ctx context.Context, rows any) (*pfnamp.Answer, error) {
	batch, err := b.predictor.Batch(rows)
	if err != nil {
		return nil, err
	}
	return b.Predict(ctx, batch)
}

// Predict answers for the rows of a batch, as [pfnamp.Predictor.Predict] does. Errors are its, and
// [ErrQueueFull] and [ErrClosed].
func (b *Batcher) Predict(ctx context.Context, batch *tabular.Batch) (*pfnamp.Answer, error) {
	q, err := b.predictor.Encode(batch)
	if err != nil {
		return nil, err
	}
	p, err := b.Join(ctx, q, false)
	if err != nil {
		return nil, err
	}
	a, err := p.Wait()
	if err != nil {
		return nil, q.Failed(err)
	}
	return a, nil
}

// Join lets a query wait for the next run that has room, and returns at once. With always it joins
// a full queue too, as the rest of a table does whose beginning is answered. The error is
// [ErrQueueFull] or [ErrClosed]. A query leaves the queue when ctx ends, and a run stops
// when the contexts of all its queries have ended.
func (b *Batcher) Join(ctx context.Context, q *pfnamp.Query, always bool) (*Pending, error) {
	p := &Pending{ctx: ctx, query: q, batcher: b, done: make(chan struct{})}
	limit := b.options.Queue
	if always {
		limit = -1
	}
	return p, b.queue.join(p, limit)
}

// Waiting is the number of rows that wait.
func (b *Batcher) Waiting() int { return b.queue.waiting() }

// Close answers what waits, refuses what comes later, and returns when no run is left. A second
// call does nothing.
func (b *Batcher) Close() {
	b.queue.close()
	<-b.done
	b.stop()
}

// Pending is a query that waits for its answer.
type Pending struct {
	ctx     context.Context
	query   *pfnamp.Query
	batcher *Batcher
	answer  *pfnamp.Answer
	err     error
	done    chan struct{} // closed when answer or err is there
}

// Done is closed when the answer is there.
func (p *Pending) Done() <-chan struct{} { return p.done }

// Wait returns the answer. Errors are those of [pfnamp.Predictor.Answers], or the cause of the
// cancelled context that the query has joined with.
func (p *Pending) Wait() (*pfnamp.Answer, error) {
	select {
	case <-p.done:
		return p.answer, p.err
	case <-p.ctx.Done():
	}
	p.batcher.queue.leave(p)
	return nil, context.Cause(p.ctx)
}

// finish hands over the answer.
func (p *Pending) finish(a *pfnamp.Answer, err error) {
	p.answer, p.err = a, err
	close(p.done)
}
