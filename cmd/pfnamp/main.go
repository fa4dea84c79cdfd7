package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/self"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/descriptors"
	"github.com/pfnamp/pfnamp/internal/panics"
)

func main() { os.Exit(mainStatus()) }

// mainStatus runs the program under the process's own streams and signals
// and returns its exit status.
func mainStatus() int {
	patient, patience := self.WithPatience(context.Background())
	ctx, stop := cancelOnSignal(patient)
	defer stop()
	std := stdio.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	if descriptors.Closed(1) {
		std.Out = closedStream{}
	}
	done := make(chan int, 1)
	go func() {
		var err error // run catches panics itself
		defer panics.Catch(&err)
		done <- program(ctx, std, os.Args)
	}()
	select {
	case status := <-done:
		return status
	case <-ctx.Done():
	}
	select {
	case status := <-done:
		return status
	case <-time.After(patience()):
		return tell(ctx, context.Cause(ctx), std.Err, os.Args)
	}
}

// closedStream is a standard output that was closed before the program started.
type closedStream struct{}

// Write fails as writing to a closed file does.
func (closedStream) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "stdout", Err: syscall.EBADF}
}

// stoppedBy is the cause of a context cancelled by a signal.
func stoppedBy(sig syscall.Signal) error {
	code := fault.ExitInterrupted
	if sig == syscall.SIGTERM {
		code = fault.ExitTerminated
	}
	return &fault.Error{Kind: fault.Interrupted, Code: code, Msg: "stopped by signal: " + sig.String()}
}

// cancelOnSignal cancels the context at the first interrupt or termination
// signal; a second one ends the process at once.
func cancelOnSignal(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		var err error // nobody is there to be told; select does not panic
		defer panics.Catch(&err)
		select {
		case s := <-signals:
			sig, _ := s.(syscall.Signal)
			signal.Stop(signals)
			cancel(stoppedBy(sig))
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(errors.New("finished"))
	}
}
