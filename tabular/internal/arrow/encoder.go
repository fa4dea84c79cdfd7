package arrow

import (
	"context"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/compute"
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

// StoredBatch converts the columns of a batch to the types of a schema, in which they are stored.
func StoredBatch(schema *arrow.Schema, rec arrow.RecordBatch) (arrow.RecordBatch, error) {
	columns := make([]arrow.Array, rec.NumCols())
	for i := range columns {
		columns[i] = rec.Column(i)
		t := schema.Field(i).Type
		if arrow.TypeEqual(columns[i].DataType(), t) {
			continue
		}
		var err error
		columns[i], err = compute.CastArray(context.Background(), columns[i], compute.SafeCastOptions(t))
		if err != nil {
			return nil, &ground.Error{Column: rec.ColumnName(i), Msg: "cannot be encoded", Err: err}
		}
	}
	return array.NewRecordBatch(schema, columns, rec.NumRows()), nil
}
