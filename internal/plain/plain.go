// Package plain makes text of unknown origin safe to show. Cells, file names and manifests may
// contain escape sequences that a terminal obeys, or marks that reverse the direction of the
// following text and so disguise it.
//
// Characters that are not graphic (letters, marks, numbers, punctuation, symbols, spaces) are
// written like in JSON, such as \u001b and \u202e, so that they are visible. Bytes that are not
// UTF-8 become \x and two digits. Inside JSON the result is the same JSON.
package plain

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns a text on one line: it also escapes line feeds and tabs.
func Text(s string) string {
	return string(escape(nil, []byte(s), ""))
}

// escape appends a text; runes of layout stay as they are.
func escape(to, s []byte, layout string) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		switch {
		case r == utf8.RuneError && n == 1:
			to = fmt.Appendf(to, `\x%02x`, s[0])
		case unicode.IsGraphic(r) || strings.ContainsRune(layout, r):
			to = append(to, s[:n]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			to = fmt.Appendf(to, `\u%04x\u%04x`, high, low)
		default:
			to = fmt.Appendf(to, `\u%04x`, r)
		}
		s = s[n:]
	}
	return to
}

// Writer makes its output safe to show; line feeds and tabs stay.
type Writer struct {
	To io.Writer

	cut []byte // beginning of an incomplete rune
}

// Write writes p to w.To, escaped. It returns len(p) unless writing fails.
func (w *Writer) Write(p []byte) (int, error) {
	text := append(w.cut, p...)
	end := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if rest := text[len(text)-back:]; utf8.RuneStart(rest[0]) {
			if !utf8.FullRune(rest) {
				end -= back
			}
			break
		}
	}
	_, err := w.To.Write(escape(nil, text[:end], "\n\t"))
	w.cut = append([]byte(nil), text[end:]...)
	if err != nil {
		return 0, err
	}
	return len(p), nil
}
