//go:build cgo && (linux || darwin)

package ort

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// start opens the runtime of the test library and closes it at the end of the test, when no
// native handle may be left.
func start(t testing.TB) *Runtime {
	t.Helper()
	return startOf(t, orttest.Library(t))
}

// startOf is start with a library.
func startOf(t testing.TB, library string) *Runtime {
	t.Helper()
	lib, _, err := Find(library, "cpu")
	must.Succeed(t, err)
	rt, err := Start(lib)
	must.Succeed(t, err)
	t.Cleanup(func() {
		must.Succeed(t, rt.Close())
		if n := Live(); n != 0 {
			t.Errorf("%d native handles are left", n)
		}
	})
	return rt
}

// open loads a graph on the CPU and closes it at the end of the test.
func open(t testing.TB, rt *Runtime, model []byte) *Session {
	t.Helper()
	s, err := rt.NewSession(t.Context(), model, SessionOptions{Device: "cpu"})
	must.Succeed(t, err)
	t.Cleanup(func() { must.Succeed(t, s.Close()) })
	return s
}

func TestRun(t *testing.T) {
	s := open(t, start(t), addModel())
	for _, rows := range []int64{1, 3, 0, 1000} { // shapes vary from run to run
		n := int(rows) * 2
		x, y := make([]float32, n), make([]float32, n)
		for i := range n {
			x[i], y[i] = float32(i), 0.5
		}
		shape := []int64{rows, 2}
		out, err := s.Run(t.Context(), map[string]Tensor{"x": {shape, x}, "y": {shape, y}})
		if err != nil {
			t.Fatalf("%d rows: %v", rows, err)
		}
		if len(out) != 1 || !slices.Equal(out[0].Shape, shape) || len(out[0].Data) != n {
			t.Fatalf("%d rows: got %d outputs, shape %v", rows, len(out), out[0].Shape)
		}
		for i, v := range out[0].Data {
			if v != float32(i)+0.5 {
				t.Fatalf("%d rows: value %d is %g", rows, i, v)
			}
		}
	}
	if in := s.Inputs; in[0].Name != "x" || !slices.Equal(in[1].Shape, []int64{-1, -1}) {
		t.Errorf("inputs are %v", in)
	}
	if p := s.Placement; p.Device != "cpu" || p.Reason == "" {
		t.Errorf("placement is %v", p)
	}
}

func TestRunErrors(t *testing.T) {
	s := open(t, start(t), addModel())
	m := func(rows, cols int64, n int) Tensor {
		return Tensor{[]int64{rows, cols}, make([]float32, n)}
	}
	good := m(2, 2, 4)
	cases := []struct {
		name string
		in   map[string]Tensor
		want string
	}{
		{"missing", map[string]Tensor{"x": good}, `input "y": it is missing`},
		{"unknown", map[string]Tensor{"x": good, "y": good, "z": good}, `input "z": the graph has no`},
		{"rank", map[string]Tensor{"x": good, "y": {[]int64{4}, good.Data}}, "rank"},
		{"negative", map[string]Tensor{"x": good, "y": m(-2, 2, 4)}, "does not fit"},
		{"short", map[string]Tensor{"x": good, "y": m(2, 2, 3)}, "3 values do not fill"},
		{"overflow", map[string]Tensor{"x": good, "y": m(math.MaxInt64, 4, 4)}, "do not fill"},
		{"broadcast", map[string]Tensor{"x": good, "y": m(3, 2, 6)}, "running Add node"},
	}
	for _, c := range cases {
		_, err := s.Run(t.Context(), c.in)
		if _, ok := errors.AsType[*Error](err); !ok || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
			continue
		}
		if msg := err.Error(); strings.Contains(msg, "\n") || strings.ToLower(msg[:1]) != msg[:1] {
			t.Errorf("%s: not one lower-case line: %q", c.name, msg)
		}
	}
}

// An output of rank 0, which the binding cannot hold, is an error and no panic, and leaves nothing.
func TestScalarOutput(t *testing.T) {
	s := open(t, start(t), scalarModel())
	for range 3 {
		_, err := s.Run(t.Context(), map[string]Tensor{"x": {[]int64{2, 2}, make([]float32, 4)}})
		if _, ok := errors.AsType[*Error](err); !ok {
			t.Fatalf("got %v", err)
		}
	}
}

func TestNewSessionErrors(t *testing.T) {
	rt := start(t)
	good := addModel()
	unknown := modelOf("y", []string{"x"}, node("Nonsense", "x", "y"))
	ints := orttest.Graph{Nodes: []message{node("Add", "x", "x", "y")},
		Inputs:  []message{value("x", elemInt64, -1)},
		Outputs: []message{value("y", elemInt64, -1)}}
	cases := []struct {
		name  string
		model []byte
		opt   SessionOptions
		want  string
	}{
		{"empty", nil, SessionOptions{}, "not an onnx model"},
		{"text", []byte("hello world, this is no model"), SessionOptions{}, "not an onnx model"},
		{"truncated", good[:len(good)-20], SessionOptions{}, "not an onnx model"},
		{"integers", ints.Model(), SessionOptions{}, "not a float32 tensor"},
		{"operator", unknown, SessionOptions{}, "nonsense"},
		{"device", good, SessionOptions{Device: "tpu"}, "write one of auto, cpu, cuda"},
		{"index", good, SessionOptions{Device: "cuda:x"}, "write one of auto, cpu, cuda"},
		{"cuda", good, SessionOptions{Device: "cuda"}, "cannot be used: "},
	}
	for _, c := range cases {
		s, err := rt.NewSession(t.Context(), c.model, c.opt)
		if err == nil {
			s.Close()
			if c.name != "cuda" { // there is a GPU
				t.Errorf("%s: no error", c.name)
			}
			continue
		}
		must.Hold(t, c.name, strings.ToLower(err.Error()), c.want)
	}
}

func TestCancel(t *testing.T) {
	s := open(t, start(t), endlessModel())
	in := map[string]Tensor{"x": {[]int64{4}, make([]float32, 4)}}

	for range 20 {
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("enough")
		time.AfterFunc(5*time.Millisecond, func() { cancel(why) })
		began := time.Now()
		_, err := s.Run(ctx, in)
		if !errors.Is(err, why) {
			t.Fatalf("got %v", err)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("cancelling took %v", took)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Run(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before the run: got %v", err)
	}
	deadline, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	if _, err := s.Run(deadline, in); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("deadline: got %v", err)
	}
}

func TestConcurrentRuns(t *testing.T) {
	s := open(t, start(t), chainModel(3))
	run := func(rows int64) []float32 {
		const w = 16
		x, m := make([]float32, rows*w), make([]float32, w*w)
		for i := range x {
			x[i] = float32(i%7) - 3
		}
		for i := range m {
			m[i] = float32(i%5) - 2
		}
		out, err := s.Run(t.Context(), map[string]Tensor{
			"x": {[]int64{rows, w}, x}, "m": {[]int64{w, w}, m}})
		if err != nil {
			t.Error(err)
			return nil
		}
		return out[0].Data
	}
	want := run(40)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for range 50 {
				got := run(int64(40 - g)) // every row is independent of the others
				if !slices.Equal(got, want[:len(got)]) {
					t.Error("a concurrent run differs")
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestClose(t *testing.T) {
	rt := start(t)
	s, err := rt.NewSession(t.Context(), endlessModel(), SessionOptions{})
	must.Succeed(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	in := map[string]Tensor{"x": {[]int64{1}, []float32{1}}}
	ended := make(chan error)
	idle := Live()
	go func() {
		_, err := s.Run(ctx, in)
		ended <- err
	}()
	for Live() < idle+2 { // until the run has made its value and its options
		time.Sleep(time.Millisecond)
	}
	time.AfterFunc(10*time.Millisecond, cancel)
	if err := s.Close(); err != nil { // waits for the run
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("run ended with %v", err)
	}
	if _, err := s.Run(t.Context(), in); !errors.Is(err, ErrClosed) {
		t.Errorf("run after close: %v", err)
	}
	if err := s.Close(); !errors.Is(err, ErrClosed) {
		t.Errorf("second close: %v", err)
	}
}

func TestStartTwice(t *testing.T) {
	rt := start(t)
	again, err := Start(rt.lib)
	if err != nil || again != rt {
		t.Fatalf("got %p, %v; want %p", again, err, rt)
	}
	must.Succeed(t, again.Close())
	other := rt.lib
	other.Path += ".other"
	_, err = Start(other)
	must.Fail(t, "another library", err, "already running")
}

func TestRestart(t *testing.T) {
	for range 3 { // the environment can be created again after it has been released
		t.Run("", func(t *testing.T) {
			s := open(t, start(t), addModel())
			x := Tensor{[]int64{1, 1}, []float32{2}}
			out, err := s.Run(t.Context(), map[string]Tensor{"x": x, "y": x})
			if err != nil || out[0].Data[0] != 4 {
				t.Fatal(out, err)
			}
		})
	}
}
