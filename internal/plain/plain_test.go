package plain

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"größe ≤ 5 µm":           "größe ≤ 5 µm",
		"a\x1b[31mb":             `a\u001b[31mb`,
		"two\nlines\tof\rtext":   `two\u000alines\u0009of\u000dtext`,
		"invoice\u202efdp.exe":   `invoice\u202efdp.exe`,
		"\ufeffa\u200bb\u2066c":  `\ufeffa\u200bb\u2066c`,
		"\u009b31m\x7f":          `\u009b31m\u007f`,
		"\U000e0041":             `\udb40\udc41`,
		"half a rune \xc3, \xff": `half a rune \xc3, \xff`,
		"\ufffd":                 "\ufffd",
	} {
		if got := Text(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestWriter writes texts in pieces of any size: what arrives does not depend on the pieces, and
// holds nothing but graphic runes, line feeds and tabs.
func TestWriter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		text := rapid.String().Draw(t, "text") + string(raw) + "."
		var whole, pieces bytes.Buffer
		if n, err := (&Writer{To: &whole}).Write([]byte(text)); n != len(text) || err != nil {
			t.Fatal(n, err)
		}
		w := &Writer{To: &pieces}
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if whole.String() != pieces.String() {
			t.Fatalf("%q as a whole, %q in pieces", whole.String(), pieces.String())
		}
		for _, r := range whole.String() {
			if !unicode.IsGraphic(r) && !strings.ContainsRune("\n\t", r) {
				t.Fatalf("%q holds %U", whole.String(), r)
			}
		}
	})
}

// TestWriterKeepsJSON sends JSON through it: it decodes to the same.
func TestWriterKeepsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		data, err := json.Marshal(map[string]string{"a": text})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := (&Writer{To: &out}).Write(data); err != nil {
			t.Fatal(err)
		}
		var got map[string]string
		if err := json.Unmarshal(out.Bytes(), &got); err != nil || got["a"] != text {
			t.Fatalf("%s: %q, %v", out.String(), got, err)
		}
	})
}
