package csv

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// sampleRows is the number of rows in the sample for detecting the delimiter.
const sampleRows = 100

// sampleBytes is the largest size of that sample.
const sampleBytes = 256 << 10

// candidates are the delimiters that can be detected, the most usual one first.
const candidates = ",;\t|"

// candidateNames are what messages call candidates, and how options write them.
var candidateNames = map[byte][2]string{',': {"a comma", "','"}, ';': {"a semicolon", "';'"},
	'\t': {"a tab", "tab"}, '|': {"a bar", "'|'"}}

// delimit sets the lexer's delimiter: the requested one, else that of the file's extension, else
// the only one that cuts the header and the first rows into the same number of cells, at least two.
// It refuses the text if that leaves a doubt.
func (s *Reader) delimit(asked rune) error {
	if asked != 0 {
		if asked >= 0x80 || strings.ContainsRune("\"\r\n\x00", asked) {
			return &ground.Error{
				Msg:  fmt.Sprintf("%q cannot be a delimiter", asked),
				Hint: "use one ASCII character, such as , ; | or a tab",
			}
		}
		s.lex.delim = byte(asked)
		if len(s.names) == 0 {
			return nil
		}
	}
	for len(s.lex.data()) < sampleBytes && s.lex.more() {
	}
	if _, ok := s.lex.err.(*ground.Error); !ok && s.lex.err != nil && s.lex.err != io.EOF {
		return ground.RestUnread(0, s.lex.err)
	}
	text, whole := s.lex.data(), s.lex.err == io.EOF
	if best, ok := s.named(text, whole, byte(asked)); ok || asked != 0 {
		s.lex.delim = best
		return nil
	}
	var fits, wide, rows []sample
	for _, delim := range []byte(candidates) {
		c := s.sample(text, delim, whole)
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
		if c := s.sample(text, told, whole); c.header > 1 || len(fits) == 0 {
			s.lex.delim = told
			return nil
		}
		return doubt(fits, fmt.Sprintf("the extension implies %s, but with it the header has one column",
			candidateNames[told][0]), "")
	}
	if len(fits) == 0 {
		fits = wide
	}
	switch {
	case len(fits) == 1:
		s.lex.delim = fits[0].delim
	case len(fits) > 1:
		return doubt(fits, "more than one delimiter fits the file", "")
	case len(rows) > 0:
		return doubt(rows, "the header has one column, but the rows have more", ", or quote cells that "+
			"contain it; if there are titles above the table, give the line with the column names: %s 3 "+
			"for the third", ground.OptionHeaderRow)
	}
	return nil
}

// named returns the delimiter that finds more of the expected names in the header than any other,
// and whether there is one: asked, if that finds one at all.
func (s *Reader) named(text []byte, whole bool, asked byte) (best byte, ok bool) {
	if asked != 0 && s.sample(text, asked, whole).names > 0 {
		return asked, true
	}
	most := 0
	for _, delim := range []byte(candidates) {
		if n := s.sample(text, delim, whole).names; n >= most {
			best, most, ok = delim, n, n > most
		}
	}
	if !ok {
		return asked, false
	}
	return best, true
}

// sample describes how a delimiter cuts the beginning of a text.
type sample struct {
	delim  byte
	header int  // cells of the header
	names  int  // of the expected columns in it
	rows   int  // cells of every row, 0 if they differ or there are no rows
	fits   bool // every row has as many cells as the header
}

// sample cuts the first rows of a text. It leaves out an unfinished last row, but counts the names
// in an unfinished header.
func (s *Reader) sample(text []byte, delim byte, whole bool) sample {
	c := sample{delim: delim, fits: true}
	l := newLexer(bytes.NewReader(text), delim)
	for n := 0; n <= sampleRows; {
		err := l.next()
		for _, cell := range l.cells {
			if n == 0 && err == nil &&
				slices.Contains(s.names, strings.TrimSpace(string(l.record[cell.from:cell.to]))) {
				c.names++
			}
		}
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
		cells := len(l.cells)
		switch {
		case n == 0:
			c.header = cells
		case n == 1:
			c.rows = cells
		case c.rows != cells:
			c.rows = 0
		}
		c.fits = c.fits && cells == c.header
		n++
	}
	return c
}

// doubt returns the error for a text whose delimiter is uncertain; more is the end of the advice.
func doubt(found []sample, why, more string, also ...any) *ground.Error {
	var names, ways []string
	var args []any
	for _, c := range found {
		name := candidateNames[c.delim]
		names = append(names, fmt.Sprintf("%s (%d columns)", name[0], max(c.header, c.rows)))
		ways = append(ways, "%s %s")
		args = append(args, ground.OptionDelimiter, name[1])
	}
	e := &ground.Error{Line: 1, Msg: fmt.Sprintf("%s: %s", why, strings.Join(names, " or "))}
	return e.Advise("choose one with "+strings.Join(ways, " or ")+more, append(args, also...)...)
}
