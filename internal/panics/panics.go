// Package panics turns a panic into an error at the border of a goroutine, so that it reaches the
// caller instead of ending the program.
package panics

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"golang.org/x/sync/errgroup"
)

// Error is a caught panic: a bug in the program, never an error of its input.
type Error struct {
	Value any    // argument of panic
	Stack []byte // of the goroutine with the panic
}

// Error returns "internal error: " and the value of the panic, without the stack.
func (e *Error) Error() string { return fmt.Sprintf("internal error: %v", e.Value) }

// Unwrap returns the error given to panic, or nil.
func (e *Error) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Catch turns a panic into the error of the function that defers it:
//
//	defer panics.Catch(&err)
func Catch(err *error) {
	v := recover()
	switch caught := v.(type) {
	case nil:
	case *Error: // thrown again by a goroutine that waited for another one
		*err = caught
	default:
		*err = &Error{v, debug.Stack()}
	}
}

// Each calls f for 0..n-1 from several goroutines, one per processor, and waits for all. It returns
// a panic as an error.
func Each(n int, f func(i int)) error { return EachOf(0, n, f) }

// EachOf is Each with this number of goroutines; 0 means one per processor.
func EachOf(workers, n int, f func(i int)) error {
	var jobs errgroup.Group
	jobs.SetLimit(cmp.Or(workers, runtime.GOMAXPROCS(0)))
	for i := range n {
		jobs.Go(func() (err error) {
			defer Catch(&err)
			f(i)
			return nil
		})
	}
	return jobs.Wait()
}

// All is Each that panics if f has panicked.
func All(n int, f func(i int)) {
	if err := Each(n, f); err != nil {
		panic(err)
	}
}

// Job returns f with panics as errors, for a goroutine.
func Job(f func() error) func() error {
	return func() (err error) {
		defer Catch(&err)
		return f()
	}
}
