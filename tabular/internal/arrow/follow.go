package arrow

import (
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// follow goes on with the stream that follows the one that has ended. It returns io.EOF where
// nothing does and all rows are there, as far as that can be told.
func (s *Reader) follow() error {
	if s.total >= 0 {
		if s.first != s.total {
			return &ground.Error{Msg: fmt.Sprintf(
				"the file has become shorter while it was read: %d of %s", s.first,
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
			"other columns: " + at, Hint: "streams can follow each other where names and types " +
			"of their columns are the same; send this one by itself"}
	}
	s.messages, s.reader = next, reader
	return nil
}

// unmarked is the end of a stream without its end marker, which the format allows: the producer
// may have left it out, or may have been stopped between two batches.
func (s *Reader) unmarked() error {
	ends := "the Arrow stream ends without its end marker, after " + ground.Count(int(s.first), "row")
	if s.opt.RequireEOS {
		return &ground.Error{Msg: ends, Args: []any{ground.OptionRequireEOS},
			Advice: "the producer has stopped early, or writes no marker: then do without %s"}
	}
	s.note = ends + ": if its producer was stopped, rows are missing"
	return io.EOF
}

// behind is an error about what follows a stream and is none.
func (s *Reader) behind(err error) error {
	if located, ok := errors.AsType[*ground.Error](err); ok {
		return located
	}
	return &ground.Error{Row: s.first + 1, Err: ground.Brief(err),
		Msg:  "there are bytes behind the end of the Arrow stream that are no second one",
		Hint: "streams may follow each other in one input, and nothing else may"}
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
