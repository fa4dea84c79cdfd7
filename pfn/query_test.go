package pfn

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/internal/orttest"
)

// A late model knows itself without its query graph, loads it for the first rows, and predicts the
// same bits.
func TestLate(t *testing.T) {
	early := embedded(t)
	c := fit(t, early, synthetic(1, 40, 3))
	query := synthetic(2, 9, 3).X
	want := predict(t, c, query)

	m := open(t, Options{Restore: true, Late: true, Device: "cpu"})
	again, err := restore(m, saved(t, c, ""))
	if err != nil {
		t.Fatal(err)
	}
	if rows := predict(t, again, Matrix{Cols: 3}); len(rows) != 0 || len(m.query.sessions) > 0 ||
		m.Runtime().Device != "cpu" {
		t.Errorf("%d rows of none, sessions %v, on %+v", len(rows), m.query.sessions, m.Runtime())
	}
	for i, d := range predict(t, again, query) {
		if !sameBits(d, want[i]) {
			t.Fatalf("row %d differs", i)
		}
	}
	loaded := m.query.sessions[Float32]
	if err := again.Load(t.Context()); err != nil || loaded == nil ||
		m.query.sessions[Float32] != loaded || len(m.query.sessions) != 1 {
		t.Errorf("loaded twice, %v", err)
	}
}

// What the library refuses to load is the same error, at once or late.
func TestLateRefused(t *testing.T) {
	b := hostileBundle(t, "integers")
	m, at := Open(b, Options{Library: orttest.Library(t), Restore: true})
	if at == nil {
		m.Close()
		t.Fatal("the graph is loaded")
	}
	m, err := Open(b, Options{Library: orttest.Library(t), Restore: true, Late: true})
	if err == nil {
		_, err = m.loadQuery(t.Context(), Float32)
		defer m.Close()
	}
	var native *NativeError
	if !errors.As(err, &native) || err.Error() != at.Error() {
		t.Errorf("late: %v; at once: %v", err, at)
	}
}

// Load of a closed model does nothing.
func TestLoadClosed(t *testing.T) {
	m := open(t, Options{Restore: true, Late: true, Device: "cpu"})
	c := fit(t, m, synthetic(1, 40, 3))
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.Load(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
}

// A bound context predicts the same bits, is freed with the context or with the model, whichever is
// closed first, and cannot be used afterwards.
func TestBound(t *testing.T) {
	c := fit(t, embedded(t), synthetic(1, 40, 3))
	file, query := saved(t, c, ""), synthetic(2, 300, 3).X
	want := predict(t, c, query)

	before := LiveHandles()
	m, err := Open(bundle(t), Options{Library: orttest.Library(t), Restore: true, Device: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	m.binds = true
	var contexts [2]*Context
	for i := range contexts {
		if contexts[i], err = restore(m, file); err != nil {
			t.Fatal(err)
		}
		for range 2 { // what was bound once stays
			for row, d := range predict(t, contexts[i], query) {
				if !sameBits(d, want[row]) {
					t.Fatalf("row %d differs", row)
				}
			}
		}
	}
	if err := contexts[0].Close(); err != nil {
		t.Error(err)
	}
	if _, err := contexts[0].Predict(t.Context(), query); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed context: %v", err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := contexts[1].Predict(stopped, query); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	if err := contexts[1].Close(); err != nil {
		t.Errorf("closed after its model: %v", err)
	}
	if n := LiveHandles() - before; n != 0 {
		t.Errorf("%d native handles are alive", n)
	}
}

// BenchmarkBound compares runs of a bound context with others, in turn, over 256 rows beside one of
// 1,000 rows.
func BenchmarkBound(b *testing.B) {
	m := embedded(b)
	c := fit(b, m, synthetic(1, 1000, 10))
	query := synthetic(2, 256, 10).X
	defer func() { m.binds = false }()
	var took [2]time.Duration
	for b.Loop() {
		for i, binds := range []bool{false, true} {
			m.binds = binds
			start := time.Now()
			predict(b, c, query)
			took[i] += time.Since(start)
		}
	}
	b.ReportMetric(took[0].Seconds()*1e3/float64(b.N), "run-ms")
	b.ReportMetric(took[1].Seconds()*1e3/float64(b.N), "bound-ms")
}
