package pfn

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// A late model knows itself without its query graph, loads it for the first rows, and predicts the
// same bits.
func TestLate(t *testing.T) {
	early := embedded(t, "default")
	c := fit(t, early, synthetic(1, 40, 3))
	query := synthetic(2, 9, 3).X
	want := predict(t, c, query)

	m := open(t, Options{Restore: true, Late: true, Device: "cpu"})
	again := restored(t, m, saved(t, c, ""))
	if rows := predict(t, again, Matrix{Cols: 3}); len(rows) != 0 || len(m.graphs.sessions) > 0 ||
		m.Runtime().Device != "cpu" {
		t.Errorf("%d rows of none, sessions %v, on %+v", len(rows), m.graphs.sessions, m.Runtime())
	}
	checkRows(t, "late", predict(t, again, query), want)
	loaded := m.graphs.sessions["query float32"]
	if err := again.Load(t.Context(), false); err != nil || loaded == nil ||
		m.graphs.sessions["query float32"] != loaded || len(m.graphs.sessions) != 1 {
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
	if _, ok := errors.AsType[*NativeError](err); !ok || err.Error() != at.Error() {
		t.Errorf("late: %v; at once: %v", err, at)
	}
}

// Load of a closed model does nothing.
func TestLoadClosed(t *testing.T) {
	m := open(t, Options{Restore: true, Late: true, Device: "cpu"})
	c := fit(t, m, synthetic(1, 40, 3))
	must.Succeed(t, m.Close())
	if err := c.Load(t.Context(), false); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
}

// A bound context predicts the same bits, is freed with the context or with the model, whichever is
// closed first, and cannot be used afterwards.
func TestBound(t *testing.T) {
	c := fit(t, embedded(t, "default"), synthetic(1, 40, 3))
	file, query := saved(t, c, ""), synthetic(2, 300, 3).X
	want := predict(t, c, query)

	m := open(t, Options{Restore: true, Device: "cpu"})
	m.binds = true
	var contexts [2]*Context
	for i := range contexts {
		contexts[i] = restored(t, m, file)
		for range 2 { // what was bound once stays
			checkRows(t, "bound", predict(t, contexts[i], query), want)
		}
	}
	must.Succeed(t, contexts[0].Close())
	if _, err := contexts[0].Predict(t.Context(), query); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed context: %v", err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := contexts[1].Predict(stopped, query); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	must.Succeed(t, m.Close())
	if err := contexts[1].Close(); err != nil {
		t.Errorf("closed after its model: %v", err)
	}
}

// A device whose memory ends gets smaller blocks, and answers do not change. Other errors stay.
func TestDeviceMemoryEnds(t *testing.T) {
	m := open(t, Options{Device: "cpu"})
	c := fit(t, m, synthetic(1, 40, 3))
	query := synthetic(2, 700, 3).X
	want := predict(t, c, query)
	m.binds, m.deviceMemory = true, 8<<30
	defer func() { m.binds = false }()
	if most := c.deviceBlock(); most != 65_536 {
		t.Errorf("a block has %d rows", most)
	}
	asked := []*voice{c.voices[ofLabel]}
	ended := &NativeError{Status: "CUBLAS failure 3: CUBLAS_STATUS_ALLOC_FAILED"}
	var tried []int
	blocks, err := c.fitted(func() ([]block, error) {
		tried = append(tried, c.deviceBlock())
		if c.deviceBlock() > 256 {
			return nil, fmt.Errorf("model: %w", ended)
		}
		return c.run(t.Context(), query, block{rows: query.Rows}, asked)
	})
	if err != nil || len(blocks) != 3 || len(tried) != 9 || tried[8] != 256 {
		t.Fatalf("%d blocks after %v, %v", len(blocks), tried, err)
	}
	checkRows(t, "in small blocks", predict(t, c, query), want)
	for _, fault := range []error{&NativeError{Status: "invalid argument"}, context.Canceled, ended} {
		_, err := c.fitted(func() ([]block, error) { return nil, fault })
		if !errors.Is(err, fault) {
			t.Errorf("%v becomes %v", fault, err)
		}
	}
	if most := c.deviceBlock(); most != leastRows { // memory never sufficed
		t.Errorf("a block has %d rows", most)
	}
}

// Blocks of a device are powers of two, smaller where memory is short or the context long.
func TestDeviceBlock(t *testing.T) {
	for rows, want := range map[int]int{1: 32, 32: 32, 33: 64, 1000: 1024} {
		if got := powerOfTwo(rows); got != want {
			t.Errorf("%d rows: a block of %d, want %d", rows, got, want)
		}
	}
	c := fit(t, embedded(t, "default"), synthetic(1, 40, 3))
	last := 0
	for _, memory := range []uint64{1 << 20, 64 << 20, 512 << 20, 8 << 30} {
		m := &Model{bundle: c.model.bundle, family: c.model.family, widths: c.model.widths,
			deviceMemory: memory}
		of := &Context{model: m, columns: 3, rows: 40}
		most := of.deviceBlock()
		if most < last || most&(most-1) != 0 {
			t.Errorf("%d bytes: %d rows after %d", memory, most, last)
		}
		long := &Context{model: m, columns: 3, rows: 10_000}
		if memory > 1<<20 && memory < 8<<30 && long.deviceBlock() >= most {
			t.Errorf("%d bytes: %d rows of a long context, %d of a short one", memory,
				long.deviceBlock(), most)
		}
		last = most
	}
}

// TestFitFreesTheContextGraph counts native handles around Fit: without Refit the context graph
// is gone after it, and a second Fit gives what the first one gave.
func TestFitFreesTheContextGraph(t *testing.T) {
	train := Training{X: Matrix{Rows: 4, Cols: 1, Data: []float64{1, 2, 3, 4}},
		Y: []float64{1, 3, 2, 5}}
	query := Matrix{Rows: 1, Cols: 1, Data: []float64{2.5}}
	for _, refit := range []bool{false, true} {
		m := open(t, Options{Members: 2, Refit: refit})
		before := LiveHandles()
		first := predict(t, fit(t, m, train), query)
		if freed := before - LiveHandles(); (freed > 0) == refit {
			t.Errorf("refit %v: Fit frees %d handles", refit, freed)
		}
		if second := predict(t, fit(t, m, train), query); !reflect.DeepEqual(first, second) {
			t.Errorf("refit %v: a second Fit gives another distribution", refit)
		}
	}
}
