package csv

import (
	"bytes"
	"cmp"
	"fmt"
	"io"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// simpleRecord is the largest length of a record that simple tries.
const simpleRecord = 4 << 10

// maxEmptyReads is how often in a row an input may return nothing before the lexer gives up.
const maxEmptyReads = 100

// lexer cuts delimited text into records by RFC 4180, with CR, LF and CRLF all ending a record.
// Its input is UTF-8 without a byte order mark at its beginning; anything else in it is an error.
// It leaves out a mark before a record, as where files were joined.
//
// All positions in a record are relative to its first byte, so that they stay true when the
// buffer moves or grows.
type lexer struct {
	in    io.Reader
	delim byte
	// decoded is the original encoding, "" for UTF-8: U+FFFD in the text then means damage.
	decoded string
	// err is the reason for the end of the input: io.EOF, a read error, or a *ground.Error about
	// its bytes.
	err error
	// buf[start:valid] is checked and not consumed; buf[valid:] is an incomplete rune.
	buf          []byte
	start, valid int
	base         int64  // offset of buf[0] in the text
	line         int64  // 1-based line of buf[start]
	breaks       int64  // line breaks in quoted cells of this record
	joined       string // a note on the first byte order mark before a record, "" for none

	// Results of next: the record's bytes, its cells and the line on which it starts.
	record []byte
	cells  []cell
	at     int64
}

// cell is a cell of a record: record[from:to] is its text, without the quotes around it.
type cell struct {
	from, to int
	quoted   bool
	doubled  bool // the text holds doubled quotes
}

// newLexer returns a lexer that reads from in.
func newLexer(in io.Reader, delim byte) *lexer { return &lexer{in: in, delim: delim, line: 1} }

// data returns the checked text that is not consumed yet.
func (l *lexer) data() []byte { return l.buf[l.start:l.valid] }

// next finds the next record. It returns io.EOF after the last one.
func (l *lexer) next() error {
	l.cells = l.cells[:0]
	l.at, l.breaks = l.line, 0
	for l.start == l.valid || bytes.HasPrefix(l.data(), ground.BOM) {
		if l.start < l.valid {
			l.start += len(ground.BOM)
			l.joined = cmp.Or(l.joined, fmt.Sprintf("line %d begins with a byte order mark, as where files "+
				"are joined: pfnamp leaves the mark out", l.line))
		} else if !l.more() {
			return l.ended(0)
		}
	}
	if l.simple() {
		return nil
	}
	for i := 0; ; i++ {
		var err error
		if l.peek(i) && l.data()[i] == '"' {
			i, err = l.quoted(i)
		} else {
			i, err = l.plain(i)
		}
		switch {
		case err != nil:
			return err
		case len(l.cells) > ground.MaxColumns:
			return l.fail(i, "the row has more than %d cells", ground.MaxColumns)
		case !l.peek(i):
			if l.err != io.EOF {
				return l.ended(i)
			}
			l.consume(i, i)
			return nil
		case l.data()[i] == l.delim:
			continue
		}
		end := i
		if l.data()[i] == '\r' && l.peek(i+1) && l.data()[i+1] == '\n' {
			i++
		}
		l.consume(end, i+1)
		l.line++
		return nil
	}
}

// simple finds the next record if it is short, in the buffer, ends with LF or CRLF and has no
// quotes, like most records. Otherwise it does nothing and returns false.
func (l *lexer) simple() bool {
	data := l.data()
	end := bytes.IndexByte(data[:min(len(data), simpleRecord)], '\n')
	if end < 0 || bytes.IndexByte(data[:end], '"') >= 0 {
		return false
	}
	n := end + 1
	if cr := bytes.IndexByte(data[:end], '\r'); cr >= 0 {
		if end--; cr < end {
			return false
		}
	}
	from := 0
	cells, delim := l.cells, l.delim
	for i, c := range data[:end] {
		if c == delim {
			cells = append(cells, cell{from: from, to: i})
			from = i + 1
		}
	}
	l.cells = append(cells, cell{from: from, to: end})
	l.consume(end, n)
	l.line++
	return true
}

// peek reports whether the record has a byte at i.
func (l *lexer) peek(i int) bool {
	for i >= l.valid-l.start {
		if !l.more() {
			return false
		}
	}
	return true
}

// consume takes the record that ends at end and advances by n bytes.
func (l *lexer) consume(end, n int) {
	l.record = l.data()[:end:end]
	l.start += n
	l.line += l.breaks
}

// plain reads a cell without quotes that begins at i, and returns the position after it.
func (l *lexer) plain(i int) (int, error) {
	from := i
	for {
		data := l.data()
		for i < len(data) {
			c := data[i]
			if c == l.delim || c == '\n' || c == '\r' {
				break
			}
			if c == '"' {
				err := l.fail(i, "an unquoted cell contains a quote")
				err.Hint = `put quotes around the cell and write the quote twice: "5"" pipe"`
				if len(bytes.Trim(data[from:i], " \t")) == 0 {
					err.Hint = "remove the space before the opening quote"
				}
				return i, err
			}
			i++
		}
		if i-from > ground.MaxCell || i > ground.MaxRecord {
			return i, l.tooLong(from)
		}
		if i < len(data) || !l.more() {
			l.cells = append(l.cells, cell{from: from, to: i})
			return i, nil
		}
	}
}

// quoted reads a cell whose opening quote is at i, and returns the position after its closing
// quote.
func (l *lexer) quoted(i int) (int, error) {
	open := i
	c := cell{from: open + 1, quoted: true}
	for i++; ; {
		n := bytes.IndexByte(l.data()[i:], '"')
		if n < 0 {
			i = l.valid - l.start
		} else {
			i += n
		}
		if i-open > ground.MaxCell || i > ground.MaxRecord {
			return i, l.tooLong(open)
		}
		if n < 0 {
			if l.more() {
				continue
			}
			if l.err != io.EOF {
				return i, l.ended(i)
			}
			err := l.fail(open, "the opening quote has no closing quote")
			err.Hint = `close the quote, or write a quote inside a quoted cell twice: "5"" pipe"`
			return i, err
		}
		if l.peek(i+1) && l.data()[i+1] == '"' {
			c.doubled = true
			i += 2
			continue
		}
		c.to = i
		break
	}
	i++
	l.cells = append(l.cells, c)
	l.breaks += lineBreaks(l.data()[c.from:c.to])
	if l.peek(i) && !l.separator(l.data()[i]) {
		err := l.fail(i, "there is text after a closing quote")
		err.Hint = `write a quote inside a quoted cell twice: "5"" pipe"`
		return i, err
	}
	return i, nil
}

// separator reports whether c ends a cell.
func (l *lexer) separator(c byte) bool { return c == l.delim || c == '\n' || c == '\r' }

// text returns the text of a cell. It may rewrite the record's bytes, so call it once per cell.
func (l *lexer) text(c cell) []byte {
	b := l.record[c.from:c.to]
	if !c.doubled {
		return b
	}
	n := 0
	for i := 0; i < len(b); i++ {
		b[n] = b[i]
		n++
		if b[i] == '"' {
			i++
		}
	}
	return b[:n]
}

// lineBreaks counts the line breaks in b; CRLF is one.
func lineBreaks(b []byte) int64 {
	lf := bytes.Count(b, []byte{'\n'})
	cr := bytes.Count(b, []byte{'\r'})
	if lf > 0 && cr > 0 {
		cr -= bytes.Count(b, []byte("\r\n"))
	}
	return int64(lf + cr)
}

// fail returns an error about the record's byte i.
func (l *lexer) fail(i int, format string, args ...any) *ground.Error {
	line := l.line + lineBreaks(l.data()[:i])
	return &ground.Error{Line: line, Msg: fmt.Sprintf(format, args...)}
}

// ended returns the reason why the input ended at the record's byte i.
func (l *lexer) ended(i int) error {
	if l.err == io.EOF {
		return io.EOF
	}
	return ground.RestUnread(l.line+lineBreaks(l.data()[:i]), l.err)
}

// tooLong returns the error for a cell or a record beyond the limits.
func (l *lexer) tooLong(from int) error {
	err := l.fail(from, "a cell is longer than %d bytes", ground.MaxCell)
	if from > ground.MaxRecord-ground.MaxCell {
		err = l.fail(0, "the row is longer than %d bytes", ground.MaxRecord)
	}
	err.Hint = "check whether a closing quote is missing, or whether this is a text table"
	return err
}
