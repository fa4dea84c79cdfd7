package arrow

import (
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// follow continues with the stream after the one that has ended. It returns io.EOF if there is none
// and, as far as it can tell, all rows have arrived.
func (s *Reader) follow() error {
	if s.total >= 0 {
		if s.first != s.total {
			return &ground.Error{Msg: fmt.Sprintf(
				"the file became shorter while pfnamp read it: %d of %s", s.first,
				ground.Count(int(s.total), "row")), Hint: ground.ShorterHint}
		}
		return io.EOF
	}
	if !s.messages.Marked() {
		return s.unmarked()
	}
	next, err := s.messages.Next()
	if err == io.EOF {
		return io.EOF
	}
	if err != nil {
		return s.behind(err)
	}
	reader, err := next.Open()
	if err != nil {
		return s.behind(err)
	}
	if at := differs(s.exposed, exposedSchema(reader.Schema(), s.opt)); at != "" {
		return &ground.Error{Row: s.first + 1, Msg: "a second Arrow stream follows, with " +
			"other columns: " + at, Hint: "send this stream by itself: streams that follow each " +
			"other must have columns of the same names and types"}
	}
	s.messages, s.reader = next, reader
	return nil
}

// unmarked handles the end of a stream without its end marker, which the format allows. The
// producer may have left the marker out, or may have stopped between two batches.
func (s *Reader) unmarked() error {
	ends := "the Arrow stream ends without its end marker, after " + ground.Count(int(s.first), "row")
	if s.opt.RequireEOS {
		return &ground.Error{Msg: ends, Args: []any{ground.OptionRequireEOS},
			Advice: "check whether the producer stopped early; if it never writes a marker, drop %s"}
	}
	s.note = ends + ": if the producer stopped early, rows are missing"
	return io.EOF
}

// behind returns an error about bytes after a stream that are not another stream.
func (s *Reader) behind(err error) error {
	if located, ok := errors.AsType[*ground.Error](err); ok {
		return located
	}
	return &ground.Error{Row: s.first + 1, Err: ground.Brief(err),
		Msg:  "the bytes after the end of the Arrow stream are not another stream",
		Hint: "remove them: only Arrow streams may follow each other in one input"}
}

// differs names the first column in which two schemas differ, "" if names and types are the same.
func differs(a, b *arrow.Schema) string {
	if a.NumFields() != b.NumFields() {
		return fmt.Sprintf("%d instead of %d", b.NumFields(), a.NumFields())
	}
	for i, f := range a.Fields() {
		if g := b.Field(i); f.Name != g.Name || !arrow.TypeEqual(f.Type, g.Type) {
			return fmt.Sprintf("%q of type %s instead of %q of type %s", g.Name, g.Type, f.Name, f.Type)
		}
	}
	return ""
}
