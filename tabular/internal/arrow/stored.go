package arrow

import (
	"context"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/compute"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

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
