package csv

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// utf16 is UTF-16 as tabular names encodings; "" stands for UTF-8.
const utf16 = "utf-16le"

// Byte order marks.
var (
	bomUTF16LE = []byte{0xff, 0xfe}
	bomUTF16BE = []byte{0xfe, 0xff}
)

// newText returns a lexer of a text, without a delimiter yet. The encoding is that of the byte
// order mark, else the requested one.
func newText(in *bufio.Reader, asked string) *lexer {
	l := newLexer(in, 0)
	head, _ := in.Peek(len(ground.BOM))
	switch {
	case bytes.HasPrefix(head, ground.BOM):
		skipped, _ := in.Discard(len(ground.BOM))
		l.base = int64(skipped)
	case bytes.HasPrefix(head, bomUTF16LE), bytes.HasPrefix(head, bomUTF16BE):
		l.in = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Reader(in)
		l.decoded = utf16
	default:
		if found, err := htmlindex.Get(asked); err == nil && found != unicode.UTF8 {
			l.in, l.decoded = found.NewDecoder().Reader(in), asked
		}
	}
	return l
}

// more reads further text and reports whether there was any.
func (l *lexer) more() bool {
	for range maxEmptyReads {
		if l.err != nil {
			return false
		}
		if l.start > 0 {
			n := copy(l.buf, l.buf[l.start:])
			l.buf = l.buf[:n]
			l.valid -= l.start
			l.base += int64(l.start)
			l.start = 0
		}
		if cap(l.buf)-len(l.buf) < ground.ReadSize {
			l.buf = slices.Grow(l.buf, max(ground.ReadSize, len(l.buf)))
		}
		n, err := l.in.Read(l.buf[len(l.buf):cap(l.buf)])
		l.buf = l.buf[:len(l.buf)+n]
		l.err = err
		if before := l.valid; l.check() > before {
			return true
		}
	}
	if l.err == nil {
		l.err = io.ErrNoProgress
	}
	return false
}

// check moves valid to the end of the complete, valid UTF-8 without NUL, and returns it. A bad byte
// ends the input with an error that names its offset.
func (l *lexer) check() int {
	fresh, bad := l.buf[l.valid:], -1
	if !utf8.Valid(fresh) {
		_, n, err := encoding.UTF8Validator.Transform(fresh, fresh, l.err != nil)
		if fresh = fresh[:n]; err == encoding.ErrInvalidUTF8 { // else the last rune is incomplete
			bad = n
		}
	}
	const save = "save the file as UTF-8"
	msg, hint := "the text is not valid UTF-8", save
	if nul := bytes.IndexByte(fresh, 0); nul >= 0 && (bad < 0 || nul < bad) {
		bad, msg = nul, "the text has a NUL byte"
		hint = "check whether it is a binary file, or UTF-16 without a byte order mark"
	}
	if l.decoded != "" && bad < 0 {
		bad = bytes.Index(fresh, []byte(string(utf8.RuneError)))
		msg, hint = "the text is not valid "+strings.ToUpper(string(l.decoded)), save
	}
	if bad < 0 {
		l.valid += len(fresh)
		return l.valid
	}
	l.valid += bad
	l.buf = l.buf[:l.valid]
	e := &ground.Error{Msg: msg, Hint: hint}
	if l.decoded == "" {
		e.Msg = fmt.Sprintf("%s (byte offset %d)", msg, l.base+int64(l.valid))
		if hint == save {
			e.Advise(save+"; or, if an older program wrote it, add %s windows-1252, windows-1250 for "+
				"Central Europe, windows-1251 for Cyrillic, gbk or shift_jis", ground.OptionEncoding)
		}
	}
	l.err = e
	return l.valid
}
