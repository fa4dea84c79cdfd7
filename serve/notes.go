package serve

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/warning"
)

// notes collect what is odd about the rows of a request: categories that the training table lacks,
// values outside its range, columns that are read in another way than they are written.
type notes struct{ warning.Tally }

// add notes an answer for the next rows. It fails if most rows so far have unknown categories.
func (n *notes) add(p *pfnamp.Predictor, a *pfnamp.Answer) error {
	n.Add(a.Tally)
	return p.RefuseNew("request", n.Tally)
}

// mostNotes is the most notes of an answer.
const mostNotes = 20

// list says what is odd, a sentence without a full stop each.
func (n *notes) list(p *pfnamp.Predictor) []string {
	texts := slices.Clone(n.Notes)
	for _, w := range p.Warnings(n.Tally) {
		texts = append(texts, w.Text)
	}
	if more := len(texts) - mostNotes; more > 0 {
		texts = append(texts[:mostNotes], fmt.Sprintf("and %d more", more))
	}
	return texts
}

// text is the list as one sentence, "" for nothing.
func (n *notes) text(p *pfnamp.Predictor) string { return strings.Join(n.list(p), "; ") }

// warningsHeader is the trailer of a table with the list, as JSON in ASCII.
const warningsHeader = "Pfnamp-Warnings"

// header is the list as a header has it, "" for nothing.
func (n *notes) header(p *pfnamp.Predictor) string {
	list := n.list(p)
	if len(list) == 0 {
		return ""
	}
	text, _ := json.Marshal(list) // texts have their JSON
	ascii := make([]byte, 0, len(text))
	for _, r := range string(text) {
		if r < utf8.RuneSelf {
			ascii = append(ascii, byte(r))
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			ascii = fmt.Appendf(ascii, "\\u%04x", unit)
		}
	}
	return string(ascii)
}
