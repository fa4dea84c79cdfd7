package serve

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/panics"
)

// job is a query that waits for its answer.
type job struct {
	ctx    context.Context
	query  *pfnamp.Query
	answer *pfnamp.Answer
	err    error
	done   chan struct{} // closed when answer or err is there
}

// finish hands over the answer.
func (j *job) finish(a *pfnamp.Answer, err error) {
	j.answer, j.err = a, err
	close(j.done)
}

// queue holds the jobs of one model in the order of their arrival, and runs what waits together.
type queue struct {
	predictor *pfnamp.Predictor
	limits    Limits
	observe   func(rows, jobs int, took time.Duration) // of every run

	mu       sync.Mutex
	jobs     []*job
	rows     int // of jobs
	closed   bool
	woken    chan struct{} // has an element when a job may have arrived, or the queue was closed
	expect   int           // jobs that the next run waits for
	patience time.Duration // for how long at most
}

// newQueue makes a queue, which work serves.
func newQueue(p *pfnamp.Predictor, l Limits) *queue {
	return &queue{predictor: p, limits: l, woken: make(chan struct{}, 1), expect: 1,
		patience: l.Wait}
}

// errFull refuses what a full queue has no room for.
var errFull = faultf(http.StatusTooManyRequests,
	"too many rows wait for this model: try again later")

// join lets a query wait. The error is errFull, unless the query is one that always has room.
func (q *queue) join(ctx context.Context, query *pfnamp.Query, always bool) (*job, error) {
	j := &job{ctx: ctx, query: query, done: make(chan struct{})}
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
		return nil, faultf(http.StatusServiceUnavailable, "the server stops")
	case !always && q.rows > 0 && q.rows+query.Rows() > q.limits.QueueRows:
		return nil, errFull
	}
	q.jobs = append(q.jobs, j)
	q.rows += query.Rows()
	q.wake()
	return j, nil
}

// wait returns the answer of a job, or the cause of its cancelled context; the job then leaves the
// queue.
func (q *queue) wait(j *job) (*pfnamp.Answer, error) {
	select {
	case <-j.done:
		return j.answer, j.err
	case <-j.ctx.Done():
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if at := slices.Index(q.jobs, j); at >= 0 {
		q.jobs = slices.Delete(q.jobs, at, at+1)
		q.rows -= j.query.Rows()
	}
	return nil, context.Cause(j.ctx)
}

// wake tells work that something has changed.
func (q *queue) wake() {
	select {
	case q.woken <- struct{}{}:
	default:
	}
}

// waiting is the number of rows that wait.
func (q *queue) waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.rows
}

// close lets work return when all jobs are done, and refuses others.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.wake()
}

// work runs jobs until the queue is closed and empty.
func (q *queue) work(ctx context.Context) {
	for {
		jobs, open := q.take()
		if !open {
			return
		}
		if len(jobs) == 0 {
			continue
		}
		start, rows := time.Now(), 0
		for _, j := range jobs {
			rows += j.query.Rows()
		}
		q.run(ctx, jobs)
		took := time.Since(start)
		q.foresee(len(jobs), took)
		q.observe(rows, len(jobs), took)
	}
}

// take waits for jobs and takes as many as one run has room for: at least one, unless all have
// left. open is false when the queue is closed and empty.
func (q *queue) take() (jobs []*job, open bool) {
	for !q.any() {
		<-q.woken
	}
	q.gather()
	q.mu.Lock()
	defer q.mu.Unlock()
	rows, n := 0, 0
	for n < len(q.jobs) && (n == 0 || rows+q.jobs[n].query.Rows() <= q.limits.BatchRows) {
		rows += q.jobs[n].query.Rows()
		n++
	}
	jobs = slices.Clone(q.jobs[:n])
	q.jobs = slices.Delete(q.jobs, 0, n)
	q.rows -= rows
	return jobs, n > 0 || !q.closed
}

// any reports whether there is a reason to take: a job, or the end.
func (q *queue) any() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.jobs) > 0 || q.closed
}

// foresee expects the clients of a run that has just ended back, besides those that wait already:
// otherwise two halves of the clients would wait for each other's runs for ever. As long as they
// come one after the other, waiting is worth a part of the time that a run takes.
func (q *queue) foresee(answered int, took time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.expect = answered + len(q.jobs)
	q.patience = max(q.limits.Wait, took/2)
}

// gather waits until as many jobs are there as are expected, a run is full, none has come for as long
// as the limit allows, or patience ends.
func (q *queue) gather() {
	quiet, late := time.NewTimer(q.limits.Wait), time.NewTimer(q.patience)
	defer quiet.Stop()
	defer late.Stop()
	for !q.enough() {
		select {
		case <-q.woken:
			quiet.Reset(q.limits.Wait)
		case <-quiet.C:
			return
		case <-late.C:
			return
		}
	}
}

// enough reports whether a run need not wait any longer.
func (q *queue) enough() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.jobs) >= q.expect || q.rows >= q.limits.BatchRows || q.closed
}

// run answers jobs together, and each by itself where that fails, so that nobody gets the error of
// another one's rows. It stops when nobody waits any more.
func (q *queue) run(ctx context.Context, jobs []*job) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var left atomic.Int64
	left.Store(int64(len(jobs)))
	queries := make([]*pfnamp.Query, len(jobs))
	for i, j := range jobs {
		queries[i] = j.query
		defer context.AfterFunc(j.ctx, func() {
			if left.Add(-1) == 0 {
				stop()
			}
		})()
	}
	if !slices.ContainsFunc(jobs, func(j *job) bool { return j.ctx.Err() == nil }) {
		stop()
	}
	answers, err := q.answers(ctx, queries...)
	for i, j := range jobs {
		switch {
		case err == nil:
			j.finish(answers[i], nil)
		case len(jobs) == 1 || ctx.Err() != nil:
			j.finish(nil, err)
		default:
			q.run(ctx, jobs[i:i+1])
		}
	}
}

// answers runs the network; a panic is an error.
func (q *queue) answers(
	ctx context.Context, queries ...*pfnamp.Query,
) (a []*pfnamp.Answer, err error) {
	err = panics.Job(func() (err error) {
		a, err = q.predictor.Answers(ctx, queries...)
		return err
	})()
	return a, err
}
