package panics

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestJob(t *testing.T) {
	if err := Job(func() error { return io.EOF })(); err != io.EOF {
		t.Errorf("an error became %v", err)
	}
	if err := Job(func() error { return nil })(); err != nil {
		t.Errorf("no error became %v", err)
	}
	var index []int
	err := Job(func() error { index[3] = 1; return nil })()
	caught, ok := errors.AsType[*Error](err)
	if !ok || !strings.Contains(err.Error(), "internal error: runtime error: index out of range") ||
		!strings.Contains(string(caught.Stack), "TestJob") {
		t.Errorf("a panic became %v", err)
	}
	if again := Job(func() error { panic(err) })(); again != err {
		t.Errorf("a panic that was thrown again became %v", again)
	}
	if err := Job(func() error { panic(io.ErrNoProgress) })(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a panic with an error became %v", err)
	}
}
