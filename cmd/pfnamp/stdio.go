package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// stdio holds the standard streams of one run of the program.
type stdio struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// notef writes one line to standard error.
func (s stdio) notef(format string, args ...any) {
	fmt.Fprintf(s.err, "pfnamp: "+format+"\n", args...)
}

// terminal reports whether a stream is a terminal.
func terminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// cancellable returns a reader that stops waiting for input when ctx is
// cancelled: a pipe or terminal may otherwise block a read for ever. A regular
// file, whose size and place are known, is read as it is.
func cancellable(ctx context.Context, r io.Reader) io.Reader {
	if file, ok := r.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return readerFunc(func(p []byte) (int, error) {
		type chunk struct {
			data []byte
			err  error
		}
		done := make(chan chunk, 1)
		go func() {
			data := make([]byte, len(p))
			n, err := r.Read(data)
			done <- chunk{data[:n], err}
		}()
		select {
		case c := <-done:
			return copy(p, c.data), c.err
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	})
}

// readerFunc is a function that reads.
type readerFunc func(p []byte) (int, error)

// Read calls f.
func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
