package arrow

import (
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// encoder writes an Arrow stream, or an Arrow file if plain is set. A file allows one
// dictionary per column, but batches of different origin have different ones. So it writes
// dictionary columns as their values.
type encoder struct {
	writer interface {
		Write(rec arrow.RecordBatch) error
		Close() error
	}
	schema *arrow.Schema // of the output
}

// NewStreamEncoder prepares a stream with the given metadata in its schema.
func NewStreamEncoder(w io.Writer, to ground.Output) (ground.Encoder, error) {
	stored := arrow.NewSchema(to.Schema.Fields(), &to.Metadata)
	return &encoder{ipc.NewWriter(w, ipc.WithSchema(stored)), stored}, nil
}

// NewFileEncoder prepares a file with the given metadata in its schema.
func NewFileEncoder(w io.Writer, to ground.Output) (ground.Encoder, error) {
	fields := to.Schema.Fields()
	for i, f := range fields {
		if t, ok := f.Type.(*arrow.DictionaryType); ok {
			fields[i].Type = t.ValueType
		}
	}
	stored := arrow.NewSchema(fields, &to.Metadata)
	writer, err := ipc.NewFileWriter(w, ipc.WithSchema(stored))
	return &encoder{writer, stored}, err
}

// Write appends a batch.
func (e *encoder) Write(rec arrow.RecordBatch) error {
	stored, err := StoredBatch(e.schema, rec)
	if err != nil {
		return err
	}
	defer stored.Release()
	return e.writer.Write(stored)
}

// Close ends the stream or the file.
func (e *encoder) Close() error { return e.writer.Close() }
