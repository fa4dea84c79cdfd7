package batching

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/pfn"
)

func TestMain(m *testing.M) { orttest.Main(m, "^Example") }

// flats are labelled rows with a number and a category.
func flats(n int) []map[string]any {
	rows := make([]map[string]any, n)
	for i := range rows {
		area := float64(20 + i*i%37)
		rows[i] = map[string]any{"area": area, "town": []string{"Bath", "York", "Hull"}[i%3],
			"y": 3*area + float64(i*7%11)}
	}
	return rows
}

// prices is a predictor over flats.
func prices(t *testing.T) *pfnamp.Predictor {
	t.Helper()
	m, err := pfnamp.Open(filepath.Join("..", "testdata", "tiny"),
		pfn.Options{Library: orttest.Library(t)})
	must.Succeed(t, err)
	t.Cleanup(func() { m.Close() })
	table, err := pfnamp.Table("flats", flats(60))
	must.Succeed(t, err)
	f, err := pfnamp.Fit(t.Context(), m, table, pfnamp.FitOptions{Target: "y"})
	must.Succeed(t, err)
	t.Cleanup(func() { f.Close() })
	p, err := f.Prepare(t.Context(), pfnamp.Question{Chains: 50})
	must.Succeed(t, err)
	return p
}

// encoded are rows of flats as a query.
func encoded(t *testing.T, p *pfnamp.Predictor, n int) *pfnamp.Query {
	t.Helper()
	batch, err := p.Batch(flats(n))
	must.Succeed(t, err)
	q, err := p.Encode(batch)
	must.Succeed(t, err)
	return q
}

// started lets a batcher work until the test ends, and returns the rows of its runs.
func started(t *testing.T, b *Batcher) <-chan int {
	t.Helper()
	runs := make(chan int, 100)
	b.options.Observe = func(rows, _ int, _ time.Duration) { runs <- rows }
	b.start()
	t.Cleanup(b.Close)
	return runs
}

// What waits is run together, as far as a run has room, and what is too large for one by itself.
func TestBatcherRunsTogether(t *testing.T) {
	p := prices(t)
	b := newBatcher(p, Options{Rows: 6})
	one, many := encoded(t, p, 1), encoded(t, p, 9)
	var all []*pending
	for _, next := range []*pfnamp.Query{one, one, one, many, one, one} {
		w, err := b.join(t.Context(), next, false)
		must.Succeed(t, err)
		all = append(all, w)
	}
	runs := started(t, b)
	for _, w := range all {
		if a, err := w.wait(); err != nil || a.Rows() != w.query.Rows() {
			t.Errorf("%v", err)
		}
	}
	if a, b, c := <-runs, <-runs, <-runs; a != 3 || b != 9 || c != 2 {
		t.Errorf("runs of %d, %d, %d rows", a, b, c)
	}
}

// A run waits for those that are expected while they come, but no longer than half the last one
// took.
func TestBatcherWaitsWhileTheyCome(t *testing.T) {
	one := encoded(t, prices(t), 1)
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
			b := newBatcher(nil, Options{})
			b.queue.foresee(c.expected, 20*time.Millisecond, b.options.Wait)
			var clients sync.WaitGroup
			clients.Go(func() {
				for range c.expected {
					if _, err := b.join(t.Context(), one, false); err != nil {
						t.Error(err)
					}
					time.Sleep(c.apart)
				}
			})
			start := time.Now()
			taken, _ := b.next()
			if waited := time.Since(start); len(taken) != c.together || waited != c.waited {
				t.Errorf("%d queries after %v, want %d after %v", len(taken), waited, c.together, c.waited)
			}
			clients.Wait()
		})
	}
}

// A full queue refuses, has room again when somebody leaves, and always takes the rest of what it
// has begun.
func TestBatcherFull(t *testing.T) {
	p := prices(t)
	b := newBatcher(p, Options{Queue: 10})
	ctx, cancel := context.WithCancel(t.Context())
	seven := encoded(t, p, 7)
	first, err := b.join(ctx, seven, false)
	must.Succeed(t, err)
	if _, err := b.join(t.Context(), seven, false); !errors.Is(err, ErrQueueFull) {
		t.Errorf("%v", err)
	}
	rest, err := b.join(t.Context(), seven, true)
	must.Succeed(t, err)
	cancel()
	if _, err := first.wait(); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if b.Waiting() != 7 {
		t.Errorf("%d rows wait", b.Waiting())
	}
	started(t, b)
	if _, err := rest.wait(); err != nil {
		t.Error(err)
	}
	if _, err := b.join(t.Context(), seven, false); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// A query that nobody waits for any more stops its run; one that shares the run is answered.
func TestBatcherCancelledRun(t *testing.T) {
	p := prices(t)
	b := newBatcher(p, Options{})
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	first := &pending{ctx: gone, query: encoded(t, p, 3), done: make(chan struct{})}
	second := &pending{ctx: t.Context(), query: encoded(t, p, 2), done: make(chan struct{})}
	b.run(t.Context(), []*pending{first, second})
	if second.err != nil || second.answer.Rows() != 2 {
		t.Errorf("%v", second.err)
	}
	alone := &pending{ctx: gone, query: encoded(t, p, 3), done: make(chan struct{})}
	b.run(t.Context(), []*pending{alone})
	if !errors.Is(alone.err, context.Canceled) {
		t.Errorf("%v", alone.err)
	}
}

// A closed batcher answers what it has and refuses the rest.
func TestBatcherClosed(t *testing.T) {
	p := prices(t)
	b := newBatcher(p, Options{})
	w, err := b.join(t.Context(), encoded(t, p, 1), false)
	must.Succeed(t, err)
	b.queue.close()
	started(t, b)
	if _, err := w.wait(); err != nil {
		t.Error(err)
	}
	if _, err := b.join(t.Context(), w.query, true); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
	b.Close()
	b.Close()
}

// Goroutines with single rows share runs, and each gets the bits that its row has alone.
func TestBatcherRows(t *testing.T) {
	p := prices(t)
	var runs atomic.Int64
	b := New(p, Options{Observe: func(int, int, time.Duration) { runs.Add(1) }})
	defer b.Close()
	const clients, each = 16, 8
	rows := flats(clients)
	var all sync.WaitGroup
	for i := range clients {
		want, err := p.Rows(t.Context(), rows[i:i+1])
		must.Succeed(t, err)
		all.Go(func() {
			for range each {
				a, err := b.Rows(t.Context(), rows[i:i+1])
				if err != nil {
					t.Error(err)
					return
				}
				got, want := a.Posteriors[0].Estimates[0][0], want.Posteriors[0].Estimates[0][0]
				if math.Float64bits(got.Hi) != math.Float64bits(want.Hi) || got.Point != want.Point {
					t.Errorf("row %d: %v, want %v", i, got, want)
				}
			}
		})
	}
	all.Wait()
	if n := runs.Load(); n >= clients*each {
		t.Errorf("%d runs of %d rows", n, clients*each)
	}
	if _, err := b.Rows(t.Context(), []map[string]any{{"area": "wide", "town": "Bath"}}); err == nil {
		t.Error("a wrong cell is answered")
	}
}

// What fails in a run is the error of the query, with its rows.
func TestBatcherErrors(t *testing.T) {
	p := prices(t)
	b := New(p, Options{})
	defer b.Close()
	p.Fitted().Close()
	_, err := b.Rows(t.Context(), flats(5)[:1])
	if rows, ok := errors.AsType[*pfnamp.RowsError](err); !ok || rows.First != 1 ||
		!errors.Is(err, pfn.ErrClosed) {
		t.Errorf("%v", err)
	}
}
