package pfn

import (
	"errors"
	"testing"

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
	if rows := predict(t, again, Matrix{Cols: 3}); len(rows) != 0 || m.query.session != nil ||
		m.Runtime().Device != "cpu" {
		t.Errorf("%d rows of none, session %v, on %+v", len(rows), m.query.session, m.Runtime())
	}
	for i, d := range predict(t, again, query) {
		if !sameBits(d, want[i]) {
			t.Fatalf("row %d differs", i)
		}
	}
	loaded := m.query.session
	if err := m.Load(t.Context()); err != nil || m.query.session != loaded || loaded == nil {
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
		err = m.Load(t.Context())
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
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if err := m.Load(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
}
