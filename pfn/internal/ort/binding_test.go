//go:build cgo && (linux || darwin)

package ort

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// A binding keeps what is bound, takes the rest anew with every run, and is not disturbed by a run
// that fails.
func TestBinding(t *testing.T) {
	s := open(t, start(t), addModel())
	y := Tensor{[]int64{2, 2}, []float32{10, 20, 30, 40}}
	b, err := s.Bind(map[string]Tensor{"y": y})
	must.Succeed(t, err)
	defer b.Close()
	name := s.Outputs[0].Name
	shapes := map[string][]int64{name: {2, 2}}
	run := func(values ...float32) (map[string]Tensor, error) {
		return b.Run(t.Context(), map[string]Tensor{"x": {[]int64{2, 2}, values}}, shapes)
	}
	for i := range 3 {
		v := float32(i)
		out, err := run(v, v, v, v)
		must.Succeed(t, err)
		if want := []float32{10 + v, 20 + v, 30 + v, 40 + v}; !slices.Equal(out[name].Data, want) {
			t.Errorf("got %v, want %v", out[name].Data, want)
		}
		for what, in := range map[string]map[string]Tensor{
			`input "x": it is missing`:                        {},
			`input "y": the graph has no`:                     {"x": y, "y": y},
			`input "x": the shape [4] does not have the rank`: {"x": {[]int64{4}, y.Data}},
		} {
			_, err := b.Run(t.Context(), in, shapes)
			must.Fail(t, what, err, what)
		}
	}
	var native *Error
	wide := map[string][]int64{name: {2, 3}}
	if _, err := b.Run(t.Context(), map[string]Tensor{"x": y}, wide); !errors.As(err, &native) {
		t.Errorf("an output of another shape: %v", err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Run(stopped, map[string]Tensor{"x": y}, shapes); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if out, err := run(1, 2, 3, 4); err != nil || out[name].Data[3] != 44 {
		t.Errorf("after errors: %v, %v", out, err)
	}
	must.Succeed(t, b.Close())
	if _, err := run(1, 2, 3, 4); !errors.Is(err, ErrClosed) || !errors.Is(b.Close(), ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// What cannot be bound is refused, and nothing is left.
func TestBindRefused(t *testing.T) {
	s := open(t, start(t), addModel())
	for what, fixed := range map[string]map[string]Tensor{
		"no such input": {"z": {[]int64{1, 1}, []float32{1}}},
		"do not fill":   {"y": {[]int64{2, 2}, []float32{1}}},
	} {
		_, err := s.Bind(fixed)
		must.Fail(t, what, err, what)
	}
}
