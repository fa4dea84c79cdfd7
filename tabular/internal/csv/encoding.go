package csv

import (
	"bufio"
	"bytes"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// The encodings, as tabular names them; "" stands for UTF-8.
const (
	utf16       = "utf-16"
	windows1252 = "windows-1252"
	latin1      = "latin1"
)

// Byte order marks.
var (
	bomUTF16LE = []byte{0xff, 0xfe}
	bomUTF16BE = []byte{0xfe, 0xff}
)

// decoder decodes to UTF-8; nil for UTF-8 itself.
func decoder(name string) *encoding.Decoder {
	switch name {
	case utf16:
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()
	case windows1252:
		return charmap.Windows1252.NewDecoder()
	case latin1:
		return charmap.ISO8859_1.NewDecoder()
	}
	return nil
}

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
		l.in, l.decoded = decoder(utf16).Reader(in), utf16
	case decoder(asked) != nil:
		l.in, l.decoded = decoder(asked).Reader(in), asked
	}
	return l
}
