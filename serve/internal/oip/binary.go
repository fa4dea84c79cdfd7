package oip

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Binary makes a tensor of elements in binary: little-endian, a byte for every truth value, and
// before every text its length in four bytes. Errors are an *Error.
func Binary(name string, d Datatype, shape []int64, data []byte) (Tensor, error) {
	t := Tensor{Name: name, Datatype: d, Shape: shape}
	typ, size, n, err := t.extent()
	if err != nil {
		return t, err
	}
	if size > 0 && len(data) != n*size {
		return t, faultf("input %q has %d bytes, but %d elements of %s with shape %v need %d", name,
			len(data), n, d, shape, n*size)
	}
	builder := array.NewBuilder(memory.DefaultAllocator, typ)
	defer builder.Release()
	if texts, ok := builder.(*array.StringBuilder); ok {
		err = readTexts(texts, name, n, data)
	} else {
		builder.Reserve(n)
		readFixed(builder, n, data)
	}
	t.Elements = builder.NewArray()
	return t, err
}

// readTexts reads n texts, each behind its length.
func readTexts(b *array.StringBuilder, name string, n int, data []byte) error {
	for i := range n {
		if len(data) < 4 {
			return faultf("input %q ends within element %d of %d", name, i+1, n)
		}
		size := binary.LittleEndian.Uint32(data)
		data = data[4:]
		if int64(size) > int64(len(data)) {
			return faultf("input %q: element %d of %d declares %d bytes, but %d are left", name, i+1, n,
				size, len(data))
		}
		if err := appendCell(b, name, i, data[:size]); err != nil {
			return err
		}
		data = data[size:]
	}
	if len(data) > 0 {
		return faultf("input %q has %d bytes after its %d elements", name, len(data), n)
	}
	return nil
}

// appendCell appends a text; the empty one is missing.
func appendCell(b *array.StringBuilder, name string, i int, text []byte) error {
	switch {
	case !utf8.Valid(text):
		return faultf("input %q: element %d is not valid UTF-8", name, i+1)
	case len(text) == 0:
		b.AppendNull()
	default:
		b.BinaryBuilder.Append(text)
	}
	return nil
}

// readFixed reads n elements of one size. data has enough bytes.
func readFixed(builder array.Builder, n int, data []byte) {
	order := binary.LittleEndian
	for i := range n {
		switch b := builder.(type) {
		case *array.BooleanBuilder:
			b.Append(data[i] != 0)
		case *array.Uint8Builder:
			b.Append(data[i])
		case *array.Int8Builder:
			b.Append(int8(data[i]))
		case *array.Uint16Builder:
			b.Append(order.Uint16(data[2*i:]))
		case *array.Int16Builder:
			b.Append(int16(order.Uint16(data[2*i:])))
		case *array.Uint32Builder:
			b.Append(order.Uint32(data[4*i:]))
		case *array.Int32Builder:
			b.Append(int32(order.Uint32(data[4*i:])))
		case *array.Uint64Builder:
			b.Append(order.Uint64(data[8*i:]))
		case *array.Int64Builder:
			b.Append(int64(order.Uint64(data[8*i:])))
		case *array.Float32Builder:
			b.Append(math.Float32frombits(order.Uint32(data[4*i:])))
		case *array.Float64Builder:
			b.Append(math.Float64frombits(order.Uint64(data[8*i:])))
		}
	}
}

// AppendBinary appends the elements of an array in binary: of the types that a response has.
func AppendBinary(data []byte, elements arrow.Array) []byte {
	order := binary.LittleEndian
	for i := range elements.Len() {
		switch a := elements.(type) {
		case *array.Float64:
			data = order.AppendUint64(data, math.Float64bits(a.Value(i)))
		case *array.Int64:
			data = order.AppendUint64(data, uint64(a.Value(i)))
		case *array.Boolean:
			bit := byte(0)
			if a.Value(i) {
				bit = 1
			}
			data = append(data, bit)
		case *array.String:
			data = order.AppendUint32(data, uint32(len(a.Value(i))))
			data = append(data, a.Value(i)...)
		}
	}
	return data
}
