package serve

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp/batching"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/tabular"
)

// tableJob answers for the rows of a table.
type tableJob struct {
	model *model
	in    *tabular.Reader
	out   *tabular.Writer
	keep  []string
	of    *request
	notes notes

	interrupt func(error) // ends a read of the body, after the error that there was
}

// fields lists the columns of the answer.
func (t *tableJob) fields() ([]arrow.Field, error) {
	if _, err := t.model.schema.Match("request", t.in.Names()); err != nil {
		return nil, err
	}
	var fields []arrow.Field
	for i, name := range t.keep {
		if slices.Contains(t.keep[:i], name) {
			return nil, faultf(http.StatusBadRequest, "the parameter keep names the column %q twice", name)
		}
		kept, ok := t.in.Schema().FieldsByName(name)
		if !ok {
			return nil, faultf(http.StatusBadRequest, "the table has no column %q to keep", name)
		}
		fields = append(fields, kept...)
	}
	for _, field := range t.model.outputs {
		if slices.Contains(t.keep, field.Name) {
			return nil, faultf(http.StatusBadRequest, "the column %q cannot be kept, because an output has "+
				"the same name: rename the column", field.Name)
		}
		fields = append(fields, field)
	}
	return fields, nil
}

// window is how many batches of a table are read and not yet written.
const window = 2

// waiting is a batch that waits for its answer.
type waiting struct {
	batch  *tabular.Batch
	answer *batching.Pending
}

// read is what reading returns.
type read struct {
	batch *tabular.Batch
	err   error
}

// run reads, answers and writes batch by batch, each as soon as it is there.
func (t *tableJob) run(ctx context.Context) (err error) {
	ctx, stop := context.WithCancel(ctx)
	batches, ended, whole := make(chan read), make(chan error, 1), false
	go func() { ended <- panics.Job(func() error { t.read(ctx, batches); return nil })() }()
	defer func() {
		stop()
		if !whole {
			t.interrupt(err) // of a client that sends nothing more
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
			switch {
			case errors.Is(r.err, io.EOF):
				in, whole = nil, true
				continue
			case r.err != nil:
				return r.err
			}
			p, err := t.join(ctx, r.batch, len(pending) > 0 || t.of.rows > 0)
			if err != nil {
				return err
			}
			pending = append(pending, waiting{r.batch, p})
		case <-done:
			if err := t.write(pending[0]); err != nil {
				return err
			}
			pending = pending[1:]
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// read sends all batches, and at the end an error.
func (t *tableJob) read(ctx context.Context, to chan<- read) {
	for {
		batch, err := t.in.Next(ctx)
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

// join lets a batch wait.
func (t *tableJob) join(
	ctx context.Context, batch *tabular.Batch, always bool,
) (*batching.Pending, error) {
	query, err := t.model.Predictor.Encode(batch)
	if err != nil {
		return nil, err
	}
	return t.model.batcher.Join(ctx, query, always)
}

// write writes the answer for a batch, which is there.
func (t *tableJob) write(of waiting) error {
	answer, err := of.answer.Wait()
	if err != nil {
		return err
	}
	if err := t.notes.add(t.model.Predictor, answer); err != nil {
		return err
	}
	t.model.watched(answer)
	computed, err := t.model.Predictor.Record(answer)
	if err != nil {
		return err
	}
	var columns []arrow.Array
	var fields []arrow.Field
	for _, name := range t.keep {
		column, _ := of.batch.Column(name) // fields has found it
		kept, _ := t.in.Schema().FieldsByName(name)
		columns, fields = append(columns, column), append(fields, kept...)
	}
	columns = append(columns, computed.Columns()...)
	fields = append(fields, computed.Schema().Fields()...)
	t.of.rows += answer.Rows()
	return t.out.Write(array.NewRecordBatch(arrow.NewSchema(fields, nil), columns,
		int64(answer.Rows())))
}
