package arrow

import (
	"context"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/compute"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

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
		var err error
		if columns[i], err = storedArray(rec.Column(i), schema.Field(i).Type); err != nil {
			return nil, &ground.Error{Column: rec.ColumnName(i), Msg: "cannot be encoded", Err: err}
		}
	}
	return array.NewRecordBatch(schema, columns, rec.NumRows()), nil
}

// storedArray converts an array to its stored type.
func storedArray(a arrow.Array, t arrow.DataType) (arrow.Array, error) {
	if arrow.TypeEqual(a.DataType(), t) {
		a.Retain()
		return a, nil
	}
	switch a := a.(type) {
	case *array.Dictionary:
		return decodeDictionary(a, t)
	case *array.Duration:
		d := a.Data()
		same := array.NewData(t, d.Len(), d.Buffers(), nil, d.NullN(), d.Offset())
		defer same.Release()
		return array.MakeFromData(same), nil
	case *array.StringView:
		return rebuilt(a, array.NewStringBuilder(memory.DefaultAllocator)), nil
	case *array.BinaryView:
		b := array.NewBinaryBuilder(memory.DefaultAllocator, arrow.BinaryTypes.Binary)
		return rebuilt(a, b), nil
	}
	return nil, fmt.Errorf("cannot store %s as %s", a.DataType(), t)
}

// rebuilt copies the values of an array to a builder, releases the builder and returns its array.
func rebuilt[T any](
	a interface {
		arrow.Array
		Value(i int) T
	},
	b interface {
		array.Builder
		Append(T)
	},
) arrow.Array {
	defer b.Release()
	for i := range a.Len() {
		if a.IsNull(i) {
			b.AppendNull()
		} else {
			b.Append(a.Value(i))
		}
	}
	return b.NewArray()
}

// decodeDictionary returns the values of a dictionary array.
func decodeDictionary(a *array.Dictionary, t arrow.DataType) (arrow.Array, error) {
	values, err := storedArray(a.Dictionary(), t)
	if err != nil {
		return nil, err
	}
	defer values.Release()
	return compute.TakeArray(context.Background(), values, a.Indices())
}
