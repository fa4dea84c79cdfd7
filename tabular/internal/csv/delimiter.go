package csv

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// sampleRows is how many rows the delimiter is detected from.
const sampleRows = 100

// sampleBytes bounds the text that the delimiter is detected from.
const sampleBytes = 256 << 10

// candidates are the delimiters that are detected, the usual one first.
const candidates = ",;\t|"

// delimit sets the lexer's delimiter: the one asked for, else the one that the file's extension
// tells, else the only one that cuts the header and the first rows into the same number of cells,
// at least two. It refuses where that leaves a doubt.
func (s *Reader) delimit(asked rune) error {
	if asked != 0 {
		if asked >= 0x80 || strings.ContainsRune("\"\r\n\x00", asked) {
			return &ground.Error{
				Msg:  fmt.Sprintf("%q cannot be a delimiter", asked),
				Hint: "a delimiter is one ASCII character, such as , ; | or a tab",
			}
		}
		s.lex.delim = byte(asked)
		return nil
	}
	if err := s.fill(); err != nil {
		return err
	}
	text, whole := s.lex.data(), s.lex.err == io.EOF
	var fits, wide, rows []sample
	for _, delim := range []byte(candidates) {
		c := takeSample(text, delim, whole)
		switch {
		case c.header > 1 && c.fits:
			fits = append(fits, c)
		case c.header > 1:
			wide = append(wide, c)
		case c.rows > 1:
			rows = append(rows, c)
		}
	}
	s.lex.delim = candidates[0]
	told := s.told
	if told != 0 {
		if c := takeSample(text, told, whole); c.header > 1 || len(fits) == 0 {
			s.lex.delim = told
			return nil
		}
		return doubt(fits, fmt.Sprintf("the extension tells %s, but the header has one column",
			delimiterName(told)))
	}
	if len(fits) == 0 {
		fits = wide
	}
	switch {
	case len(fits) == 1:
		s.lex.delim = fits[0].delim
	case len(fits) > 1:
		return doubt(fits, "more than one delimiter is possible")
	case len(rows) > 0:
		e := doubt(rows, "the header has one column, the rows have more")
		args := append(e.Args, ground.OptionHeaderRow)
		return e.Advise(e.Advice+", or put cells that hold it in double quotes; where titles "+
			"stand above, say which line names the columns: %s 3 for the third", args...)
	}
	return nil
}

// fill reads enough text to detect the delimiter.
func (s *Reader) fill() error {
	for len(s.lex.data()) < sampleBytes && s.lex.more() {
	}
	if _, ok := s.lex.err.(*ground.Error); !ok && s.lex.err != nil && s.lex.err != io.EOF {
		return &ground.Error{Msg: "reading stopped", Err: s.lex.err}
	}
	return nil
}

// sample is how a delimiter cuts the beginning of a text.
type sample struct {
	delim  byte
	header int  // cells of the header
	rows   int  // cells of every row, 0 where they differ or there is none
	fits   bool // every row has as many cells as the header
}

// takeSample cuts the first rows of a text. The last, unfinished row of a text that goes on is
// left out.
func takeSample(text []byte, delim byte, whole bool) sample {
	c := sample{delim: delim, fits: true}
	l := newLexer(bytes.NewReader(text), delim)
	for n := 0; n <= sampleRows; {
		err := l.next()
		if err == nil && !whole && l.base+int64(l.start) == int64(len(text)) {
			break
		}
		if err != nil {
			c.fits = c.fits && (err == io.EOF || !whole && l.err == io.EOF)
			break
		}
		if len(l.record) == 0 {
			continue
		}
		c.add(n, len(l.cells))
		n++
	}
	return c
}

// add notes that the nth record, the header being the 0th, has so many cells.
func (c *sample) add(n, cells int) {
	if n == 0 {
		c.header = cells
		return
	}
	c.fits = c.fits && cells == c.header
	if n == 1 {
		c.rows = cells
	} else if c.rows != cells {
		c.rows = 0
	}
}

// doubt is the error of a text whose delimiter is not certain.
func doubt(found []sample, why string) *ground.Error {
	names := make([]string, len(found))
	ways := make([]string, len(found))
	var args []any
	for i, c := range found {
		n := max(c.header, c.rows)
		names[i] = fmt.Sprintf("%s (%d columns)", delimiterName(c.delim), n)
		ways[i] = "%s %s"
		args = append(args, ground.OptionDelimiter, delimiterText(c.delim))
	}
	e := &ground.Error{Line: 1, Msg: fmt.Sprintf("%s: %s", why, strings.Join(names, " or "))}
	return e.Advise("say which one: "+strings.Join(ways, " or "), args...)
}

// delimiterName is the English name of a delimiter.
func delimiterName(delim byte) string {
	switch delim {
	case ',':
		return "a comma"
	case ';':
		return "a semicolon"
	case '\t':
		return "a tab"
	case '|':
		return "a bar"
	}
	return fmt.Sprintf("%q", delim)
}

// delimiterText is how a delimiter is written where one is asked for.
func delimiterText(delim byte) string {
	if delim == '\t' {
		return "tab"
	}
	return "'" + string(delim) + "'"
}
