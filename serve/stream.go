package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/warning"
)

// stream answers batch after batch, each as soon as it is there. It stands in the queue with one
// batch at a time, so that no request keeps others waiting for more than one run.
type stream struct {
	model *model
	next  func(context.Context) (*tabular.Batch, error) // io.EOF after the last
	write func(*tabular.Batch, arrow.RecordBatch) error // takes the answers in order

	rows  int // answered so far
	tally warning.Tally
}

// run reads, answers and writes until there is no batch.
func (s *stream) run(ctx context.Context) error {
	for {
		batch, err := s.next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = s.answer(ctx, batch)
		}
		if err != nil {
			return err
		}
	}
}

// answer answers a batch. Only the first one can find the queue full.
func (s *stream) answer(ctx context.Context, batch *tabular.Batch) error {
	p := s.model.Predictor
	query, err := p.Encode(batch)
	if err != nil {
		return err
	}
	answer, err := s.model.batcher.Answer(ctx, query, s.rows > 0)
	if err != nil {
		return err
	}
	s.tally.Add(answer.Tally)
	if err := p.RefuseNew("request", s.tally); err != nil {
		return err
	}
	if s.model.watch != nil {
		s.model.watch.Add(answer)
	}
	record, err := p.Record(answer)
	if err != nil {
		return err
	}
	s.rows += answer.Rows()
	return s.write(batch, record)
}

// collected is a stream whose answers are kept for one response.
type collected struct {
	stream
	records []arrow.RecordBatch // in order
}

func (m *model) collect(
	ctx context.Context, next func(context.Context) (*tabular.Batch, error),
) (*collected, error) {
	c := &collected{stream: stream{model: m, next: next}}
	c.write = func(_ *tabular.Batch, record arrow.RecordBatch) error {
		c.records = append(c.records, record)
		if c.rows > m.limits.Rows {
			return tooManyRows(m.limits.Rows)
		}
		return nil
	}
	return c, c.run(ctx)
}

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
