package arrow

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// StoredArray converts an array to its stored type.
func StoredArray(a arrow.Array, t arrow.DataType) (arrow.Array, error) {
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
	values, err := StoredArray(a.Dictionary(), t)
	if err != nil {
		return nil, err
	}
	defer values.Release()
	builder := array.NewBuilder(memory.DefaultAllocator, t)
	defer builder.Release()
	builder.Reserve(a.Len())
	put, err := copier(builder, values)
	if err != nil {
		return nil, err
	}
	for i := range a.Len() {
		if a.IsNull(i) || values.IsNull(a.GetValueIndex(i)) {
			builder.AppendNull()
			continue
		}
		if err := put(a.GetValueIndex(i)); err != nil {
			return nil, err
		}
	}
	return builder.NewArray(), nil
}

// copier returns the function that appends a value of an array to a builder of its type.
func copier(builder array.Builder, values arrow.Array) (func(at int) error, error) {
	switch b := builder.(type) {
	case *array.StringBuilder:
		v := values.(*array.String)
		return func(at int) error { b.Append(v.Value(at)); return nil }, nil
	case *array.LargeStringBuilder:
		v := values.(*array.LargeString)
		return func(at int) error { b.Append(v.Value(at)); return nil }, nil
	case *array.BinaryBuilder:
		v, ok := values.(interface{ Value(int) []byte })
		if !ok {
			break
		}
		return func(at int) error { b.Append(v.Value(at)); return nil }, nil
	case *array.Int64Builder:
		v := values.(*array.Int64)
		return func(at int) error { b.Append(v.Value(at)); return nil }, nil
	case *array.Float64Builder:
		v := values.(*array.Float64)
		return func(at int) error { b.Append(v.Value(at)); return nil }, nil
	}
	return func(at int) error { return builder.AppendValueFromString(values.ValueStr(at)) }, nil
}
