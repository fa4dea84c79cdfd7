package serve

import (
	"context"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/batching"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/tabular"
)

// stream answers batch after batch, each as soon as it is there. It stands in the queue with two
// batches at a time, so that no request keeps others waiting for more than two runs.
type stream struct {
	model *model
	next  func(context.Context) (*tabular.Batch, error) // io.EOF after the last
	// write takes the answers in order.
	write func(*tabular.Batch, arrow.RecordBatch) error
	// interrupt ends a call of next that does not end by itself, after the error that there was.
	interrupt func(error)

	rows  int // answered so far
	notes notes
}

// window is how many batches are read and not yet written.
const window = 2

// waiting is a batch that waits for its answer.
type waiting struct {
	batch  *tabular.Batch
	answer *batching.Pending
}

// read is what next returns.
type read struct {
	batch *tabular.Batch
	err   error
}

// run reads, answers and writes until there is no batch.
func (s *stream) run(ctx context.Context) (err error) {
	ctx, stop := context.WithCancel(ctx)
	batches, ended, whole := make(chan read), make(chan error, 1), false
	go func() { ended <- panics.Job(func() error { s.read(ctx, batches); return nil })() }()
	defer func() {
		stop()
		if !whole && s.interrupt != nil {
			s.interrupt(err) // of a client that sends nothing more
		}
		if reading := <-ended; err == nil {
			err = reading
		}
	}()
	var pending []waiting
	for in := batches; in != nil || len(pending) > 0; {
		next, done := in, (<-chan struct{})(nil)
		if len(pending) == window {
			next = nil
		}
		if len(pending) > 0 {
			done = pending[0].answer.Done()
		}
		select {
		case r := <-next:
			if errors.Is(r.err, io.EOF) {
				in, whole = nil, true
				continue
			}
			p, err := s.join(ctx, r, len(pending) > 0 || s.rows > 0)
			if err != nil {
				return err
			}
			pending = append(pending, waiting{r.batch, p})
		case <-done:
			if err := s.take(pending[0]); err != nil {
				return err
			}
			pending = pending[1:]
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (s *stream) read(ctx context.Context, to chan<- read) {
	for {
		batch, err := s.next(ctx)
		select {
		case to <- read{batch, err}:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// join lets a batch wait. Only the first one can find the queue full.
func (s *stream) join(ctx context.Context, r read, always bool) (*batching.Pending, error) {
	if r.err != nil {
		return nil, r.err
	}
	query, err := s.model.Predictor.Encode(r.batch)
	if err != nil {
		return nil, err
	}
	return s.model.batcher.Join(ctx, query, always)
}

// take writes the answer for a batch, which is there.
func (s *stream) take(of waiting) error {
	answer, err := of.answer.Wait()
	if err != nil {
		return err
	}
	if err := s.notes.add(s.model.Predictor, answer); err != nil {
		return err
	}
	s.model.watched(answer)
	record, err := s.model.Predictor.Record(answer)
	if err != nil {
		return err
	}
	s.rows += answer.Rows()
	return s.write(of.batch, record)
}

// collected is a stream whose answers are kept for one response.
type collected struct {
	stream
	records []arrow.RecordBatch // in order
}

func (m *model) collect(
	ctx context.Context, next func(context.Context) (*tabular.Batch, error), interrupt func(error),
) (*collected, error) {
	c := &collected{stream: stream{model: m, next: next, interrupt: interrupt}}
	c.write = func(_ *tabular.Batch, record arrow.RecordBatch) error {
		c.records = append(c.records, record)
		if c.rows > m.limits.Rows {
			return tooManyRows(m.limits.Rows)
		}
		return nil
	}
	return c, c.run(ctx)
}
