// Package stdio has the standard streams of one run of the program.
package stdio

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/internal/plain"
)

// Streams holds the standard streams of one run of the program.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// Of are the streams of the program that runs a command.
func Of(c *cli.Context) Streams { return Streams{c.App.Reader, c.App.Writer, c.App.ErrWriter} }

// Shown is s with output streams that escape what is not text. Everything that the program prints
// goes through them but the rows of a table that is not printed to a terminal (see Table), and the
// sequences with which progress rewrites its line.
func (s Streams) Shown() Streams {
	s.Out, s.Err = &plain.Writer{To: s.Out}, &plain.Writer{To: s.Err}
	return s
}

// Table is the stream for a table on standard output: as it is, unless a terminal shows it.
func (s Streams) Table() io.Writer {
	if Terminal(s.Out) {
		return s.Out
	}
	return Behind(s.Out)
}

// Behind is the stream itself.
func Behind(stream io.Writer) io.Writer {
	if shown, ok := stream.(*plain.Writer); ok {
		return shown.To
	}
	return stream
}

// Notef writes one line to standard error.
func (s Streams) Notef(format string, args ...any) {
	line := strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", `\u000a`)
	fmt.Fprintf(s.Err, "pfnamp: %s\n", line)
}

// Lines writes each line with a line feed to standard output.
func (s Streams) Lines(lines ...string) error {
	_, err := io.WriteString(s.Out, strings.Join(lines, "\n")+"\n")
	return err
}

// JSON writes a value as one line.
func JSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// Checked remembers the first error of a stream.
type Checked struct {
	io.Writer
	Failure error
}

// Write writes to the stream.
func (w *Checked) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if w.Failure == nil {
		w.Failure = err
	}
	return n, err
}

// Terminal reports whether a stream is a terminal.
func Terminal(stream any) bool {
	if shown, ok := stream.(*plain.Writer); ok {
		stream = shown.To
	}
	if checked, ok := stream.(*Checked); ok {
		stream = checked.Writer
	}
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// Cancellable returns a reader that stops waiting for input when ctx is
// cancelled: a pipe or terminal may otherwise block a read for ever. A regular
// file, whose size and place are known, is read as it is.
func Cancellable(ctx context.Context, r io.Reader) io.Reader {
	if file, ok := r.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return readerFunc(func(p []byte) (int, error) {
		data, err := UnlessStopped(ctx, func() ([]byte, error) {
			data := make([]byte, len(p))
			n, err := r.Read(data)
			return data[:n], err
		}, nil)
		return copy(p, data), err
	})
}

// UnlessStopped waits for work, but not longer than until ctx ends, whose cause is the error then.
// It is for what the system lets wait for ever, such as opening a named pipe that nobody else
// opens. late, if not nil, gets a result for which nobody waits any more.
func UnlessStopped[T any](
	ctx context.Context, work func() (T, error), late func(T),
) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		r.err = panics.Job(func() (err error) {
			r.value, err = work()
			return err
		})()
		done <- r
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
	}
	if late != nil {
		go func() {
			var err error // nobody is there to be told
			defer panics.Catch(&err)
			if r := <-done; r.err == nil {
				late(r.value)
			}
		}()
	}
	var none T
	return none, context.Cause(ctx)
}

// readerFunc is a function that reads.
type readerFunc func(p []byte) (int, error)

// Read calls f.
func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// Create is atomicfile.Create, which waits for a reader of a named pipe.
func Create(ctx context.Context, path string) (*atomicfile.File, error) {
	return UnlessStopped(ctx, func() (*atomicfile.File, error) {
		return atomicfile.Create(path)
	}, func(f *atomicfile.File) { f.Abort() })
}
