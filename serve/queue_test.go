package serve

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pfnamp/pfnamp"
)

// query encodes rows of price.
func query(t *testing.T, rows []map[string]any) *pfnamp.Query {
	t.Helper()
	q, err := predictor(t, "price").Encode(tableOf(t, rows).Batches[0])
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// started lets a queue work until the test ends, and returns the rows of its runs.
func started(t *testing.T, q *queue) <-chan int {
	t.Helper()
	runs, done := make(chan int, 100), make(chan struct{})
	q.observe = func(rows, _ int, _ time.Duration) { runs <- rows }
	go func() {
		q.work(context.Background())
		close(done)
	}()
	t.Cleanup(func() {
		q.close()
		<-done
	})
	return runs
}

// What waits is run together, as far as a run has room, and what is too large for one by itself.
func TestQueueRunsTogether(t *testing.T) {
	q := newQueue(predictor(t, "price"), Limits{BatchRows: 6}.withDefaults())
	one, many := query(t, queries(1)), query(t, queries(9))
	var jobs []*job
	for _, next := range []*pfnamp.Query{one, one, one, many, one, one} {
		j, err := q.join(t.Context(), next, false)
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, j)
	}
	runs := started(t, q)
	for _, j := range jobs {
		if a, err := q.wait(j); err != nil || a.Rows() != j.query.Rows() {
			t.Errorf("%v", err)
		}
	}
	if a, b, c := <-runs, <-runs, <-runs; a != 3 || b != 9 || c != 2 {
		t.Errorf("runs of %d, %d, %d rows", a, b, c)
	}
}

// A run waits for those that are expected while they come, but no longer than half the last one took.
func TestQueueWaitsWhileTheyCome(t *testing.T) {
	one := query(t, queries(1))
	for _, c := range []struct {
		expected int
		apart    time.Duration
		together int
		waited   time.Duration
	}{
		{3, 1500 * time.Microsecond, 3, 3 * time.Millisecond},
		{3, 3 * time.Millisecond, 1, 2 * time.Millisecond},
		{20, 1500 * time.Microsecond, 7, 10 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			q := newQueue(nil, Limits{}.withDefaults())
			q.foresee(c.expected, 20*time.Millisecond)
			var clients sync.WaitGroup
			clients.Go(func() {
				for range c.expected {
					if _, err := q.join(t.Context(), one, false); err != nil {
						t.Error(err)
					}
					time.Sleep(c.apart)
				}
			})
			start := time.Now()
			jobs, _ := q.take()
			if waited := time.Since(start); len(jobs) != c.together || waited != c.waited {
				t.Errorf("%d jobs after %v, want %d after %v", len(jobs), waited, c.together, c.waited)
			}
			clients.Wait()
		})
	}
}

// A full queue refuses, has room again when somebody leaves, and always takes the rest of what it
// has begun.
func TestQueueFull(t *testing.T) {
	q := newQueue(predictor(t, "price"), Limits{QueueRows: 10}.withDefaults())
	ctx, cancel := context.WithCancel(t.Context())
	seven := query(t, queries(7))
	j, err := q.join(ctx, seven, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := q.join(t.Context(), seven, false); !errors.Is(err, errFull) {
		t.Errorf("%v", err)
	}
	rest, err := q.join(t.Context(), seven, true)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := q.wait(j); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if q.waiting() != 7 {
		t.Errorf("%d rows wait", q.waiting())
	}
	started(t, q)
	if _, err := q.wait(rest); err != nil {
		t.Error(err)
	}
	if _, err := q.join(t.Context(), seven, false); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// A request that nobody waits for any more stops its run; one that shares the run is answered.
func TestCancelledRun(t *testing.T) {
	q := newQueue(predictor(t, "price"), Limits{}.withDefaults())
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	first := &job{ctx: gone, query: query(t, queries(3)), done: make(chan struct{})}
	second := &job{ctx: t.Context(), query: query(t, queries(2)), done: make(chan struct{})}
	q.run(t.Context(), []*job{first, second})
	if second.err != nil || second.answer.Rows() != 2 {
		t.Errorf("%v", second.err)
	}
	alone := &job{ctx: gone, query: query(t, queries(3)), done: make(chan struct{})}
	q.run(t.Context(), []*job{alone})
	if !errors.Is(alone.err, context.Canceled) {
		t.Errorf("%v", alone.err)
	}
}

// A closed queue answers what it has and refuses the rest.
func TestQueueClosed(t *testing.T) {
	q := newQueue(predictor(t, "price"), Limits{}.withDefaults())
	j, err := q.join(t.Context(), query(t, queries(1)), false)
	if err != nil {
		t.Fatal(err)
	}
	q.close()
	started(t, q)
	if _, err := q.wait(j); err != nil {
		t.Error(err)
	}
	if _, err := q.join(t.Context(), j.query, true); told(err).status != 503 {
		t.Errorf("%v", err)
	}
}
