package tabular

import (
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// arrowEncoder writes an Arrow stream, or an Arrow file if plain is set. A file allows one
// dictionary per column, but batches of different origin have different ones. So it writes
// dictionary columns as their values.
type arrowEncoder struct {
	writer interface {
		Write(rec arrow.RecordBatch) error
		Close() error
	}
	schema *arrow.Schema // of the output
}

// newArrowStreamEncoder prepares a stream with the given metadata in its schema.
func newArrowStreamEncoder(w io.Writer, to destination) (encoder, error) {
	stored := arrow.NewSchema(to.schema.Fields(), &to.meta)
	return &arrowEncoder{ipc.NewWriter(w, ipc.WithSchema(stored)), stored}, nil
}

// newArrowFileEncoder prepares a file with the given metadata in its schema.
func newArrowFileEncoder(w io.Writer, to destination) (encoder, error) {
	fields := to.schema.Fields()
	for i, f := range fields {
		if t, ok := f.Type.(*arrow.DictionaryType); ok {
			fields[i].Type = t.ValueType
		}
	}
	stored := arrow.NewSchema(fields, &to.meta)
	writer, err := ipc.NewFileWriter(w, ipc.WithSchema(stored))
	return &arrowEncoder{writer, stored}, err
}

// write appends a batch.
func (e *arrowEncoder) write(rec arrow.RecordBatch) error {
	columns := make([]arrow.Array, rec.NumCols())
	for i := range columns {
		a, err := storedArray(rec.Column(i), e.schema.Field(i).Type)
		if err != nil {
			return &Error{Column: rec.ColumnName(i), Msg: "cannot be encoded", Err: err}
		}
		columns[i] = a
	}
	stored := array.NewRecordBatch(e.schema, columns, rec.NumRows())
	defer stored.Release()
	return e.writer.Write(stored)
}

// close ends the stream or the file.
func (e *arrowEncoder) close() error { return e.writer.Close() }
