package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(mainStatus()) }

// mainStatus runs the program under the process's own streams and signals
// and returns its exit status.
func mainStatus() int {
	ctx, stop := cancelOnSignal(context.Background())
	defer stop()
	std := stdio{in: os.Stdin, out: os.Stdout, err: os.Stderr}
	return run(ctx, std, os.Args)
}

// signalError is the cause of a context cancelled by a signal.
type signalError struct{ sig syscall.Signal }

func (e signalError) Error() string { return "stopped by signal: " + e.sig.String() }

// cancelOnSignal cancels the context at the first interrupt or termination
// signal; a second one ends the process at once.
func cancelOnSignal(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case s := <-signals:
			sig, _ := s.(syscall.Signal)
			signal.Stop(signals)
			cancel(signalError{sig})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(errors.New("finished"))
	}
}
