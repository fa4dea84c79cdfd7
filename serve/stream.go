package serve

import (
	"context"
	"errors"
	"io"

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
