package serve

import (
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// mostNotes is the most notes of an answer.
const mostNotes = 20

// notes say what is odd about the rows so far, a sentence without a full stop each: categories that
// the training table lacks, values outside its range, columns that are read in another way than
// they are written.
func (s *stream) notes() []string {
	texts := slices.Clone(s.tally.Notes)
	for _, w := range s.model.Predictor.Warnings(s.tally) {
		texts = append(texts, w.Text)
	}
	if more := len(texts) - mostNotes; more > 0 {
		texts = append(texts[:mostNotes], fmt.Sprintf("and %d more", more))
	}
	return texts
}

// warningsHeader is the trailer of a table with the notes, as JSON in ASCII.
const warningsHeader = "Pfnamp-Warnings"

// header are the notes as a header has them, "" for nothing.
func (s *stream) header() string {
	list := s.notes()
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
