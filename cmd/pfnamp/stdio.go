package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/pfnamp/pfnamp/internal/plain"
)

// stdio holds the standard streams of one run of the program.
type stdio struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// shown is s with output streams that escape what is not text. Everything that the program prints
// goes through them but the rows of a table that is not printed to a terminal (see table), and the
// sequences with which progress rewrites its line.
func (s stdio) shown() stdio {
	s.out, s.err = &plain.Writer{To: s.out}, &plain.Writer{To: s.err}
	return s
}

// table is the stream for a table on standard output: as it is, unless a terminal shows it.
func (s stdio) table() io.Writer {
	if terminal(s.out) {
		return s.out
	}
	return behind(s.out)
}

// behind is the stream itself.
func behind(stream io.Writer) io.Writer {
	if shown, ok := stream.(*plain.Writer); ok {
		return shown.To
	}
	return stream
}

// notef writes one line to standard error.
func (s stdio) notef(format string, args ...any) {
	line := strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", `\u000a`)
	fmt.Fprintf(s.err, "pfnamp: %s\n", line)
}

// terminal reports whether a stream is a terminal.
func terminal(stream io.Writer) bool {
	file, ok := behind(stream).(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// cancellable returns a reader that stops waiting for input when ctx is
// cancelled: a pipe or terminal may otherwise block a read for ever.
func cancellable(ctx context.Context, r io.Reader) io.Reader {
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
