package workbook

import (
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// maxTexts is the largest size of the shared texts, in bytes; each counts 32 more.
const maxTexts = 64 << 20

// readStrings reads the texts that cells share.
func (b *Book) readStrings(name string) error {
	p, err := b.open(name)
	if err != nil {
		return err
	}
	defer p.Close()
	var text textReader
	size := 0
	for {
		token, err := p.token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		text.take(token)
		if end, ok := token.(xml.EndElement); ok && end.Name.Local == "si" {
			if size += text.Len() + 32; size > maxTexts {
				return fmt.Errorf("the texts take more than %d MiB", maxTexts>>20)
			}
			b.strings = append(b.strings, unescape(text.String()))
			text.Reset()
		}
	}
}

// textReader joins the runs of a cell's text or of a shared string. It skips the pronunciation
// above them.
type textReader struct {
	strings.Builder
	inside, spoken bool
}

// take adds a token.
func (t *textReader) take(token xml.Token) {
	switch v := token.(type) {
	case xml.StartElement:
		t.inside = t.inside || v.Name.Local == "t"
		t.spoken = t.spoken || v.Name.Local == "rPh"
	case xml.EndElement:
		t.inside = t.inside && v.Name.Local != "t"
		t.spoken = t.spoken && v.Name.Local != "rPh"
	case xml.CharData:
		if t.inside && !t.spoken {
			t.Write(v)
		}
	}
}

// escaped matches a character that XML cannot hold, in the form of ECMA-376 (ST_Xstring).
var escaped = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// unescape restores such characters.
func unescape(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	return escaped.ReplaceAllStringFunc(text, func(code string) string {
		n, err := strconv.ParseUint(code[2:6], 16, 16)
		if err != nil || 0xd800 <= n && n < 0xe000 {
			return code
		}
		return string(rune(n))
	})
}
