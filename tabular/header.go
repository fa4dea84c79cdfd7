package tabular

import (
	"bytes"
	"fmt"
	"io"
)

// skipLines leaves out lines of a text before the one that names the columns.
func (l *lexer) skipLines(n int) error {
	for l.line <= int64(n) {
		data := l.data()
		at := bytes.IndexAny(data, "\r\n")
		if at >= 0 && data[at] == '\r' && at+1 == len(data) && l.more() {
			continue // and a line feed may follow
		}
		switch {
		case at >= 0:
			if bytes.HasPrefix(data[at:], []byte("\r\n")) {
				at++
			}
			l.start += at + 1
			l.line++
		case len(data) > maxRecord:
			return &Error{Line: l.line, Msg: fmt.Sprintf("the line is longer than %d bytes", maxRecord)}
		case !l.more() && l.err != io.EOF:
			return &Error{Line: l.line, Msg: "reading stopped", Err: l.err}
		case l.err == io.EOF && len(l.data()) == len(data):
			return noHeader(n+1, "line")
		}
	}
	return nil
}

// noHeader is the error of a row of names that is not there.
func noHeader(row int, kind string) *Error {
	e := &Error{Msg: fmt.Sprintf("%s %d, which is to name the columns, is empty or not there", kind,
		row)}
	return e.advise("say which one names them: %s 3 for the third", OptionHeaderRow)
}
