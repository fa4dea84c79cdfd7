package csv

import (
	"bytes"
	"fmt"
	"io"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// skipLines skips lines of a text before the one that names the columns.
func (l *lexer) skipLines(n int) error {
	for l.line <= int64(n) {
		data := l.data()
		at := bytes.IndexAny(data, "\r\n")
		if at >= 0 && data[at] == '\r' && at+1 == len(data) && l.more() {
			continue // a line feed may follow
		}
		switch {
		case at >= 0:
			if bytes.HasPrefix(data[at:], []byte("\r\n")) {
				at++
			}
			l.start += at + 1
			l.line++
		case len(data) > ground.MaxRecord:
			return &ground.Error{Line: l.line,
				Msg: fmt.Sprintf("the line is longer than %d bytes", ground.MaxRecord)}
		case !l.more() && l.err != io.EOF:
			return &ground.Error{Line: l.line, Msg: "pfnamp cannot read the rest of the file", Err: l.err}
		case l.err == io.EOF && len(l.data()) == len(data):
			return ground.NoHeader(n+1, "line")
		}
	}
	return nil
}
