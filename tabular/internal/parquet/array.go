package parquet

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// read reads the next n rows as an array of the column's type.
func (c *columnReader) read(n int) (arrow.Array, error) {
	if t, ok := c.typ.(*arrow.DictionaryType); ok {
		plain, err := c.readAs(t.ValueType, n)
		if err != nil {
			return nil, err
		}
		return encodeDictionary(t, plain)
	}
	return c.readAs(c.typ, n)
}

// readAs reads the next n rows as an array of a type that is not a dictionary.
func (c *columnReader) readAs(t arrow.DataType, n int) (arrow.Array, error) {
	switch r := c.reader.(type) {
	case *file.BooleanColumnChunkReader:
		return c.readBooleans(r, n)
	case *file.Int32ColumnChunkReader:
		return c.readInt32(r, t, n)
	case *file.Int64ColumnChunkReader:
		return c.readInt64(r, t, n)
	case *file.Int96ColumnChunkReader:
		return c.readInt96(r, t, n)
	case *file.Float32ColumnChunkReader:
		return readFixed(c, r, t, n)
	case *file.Float64ColumnChunkReader:
		return readFixed(c, r, t, n)
	case *file.ByteArrayColumnChunkReader:
		return c.readBytes(r, t, n)
	case *file.FixedLenByteArrayColumnChunkReader:
		return c.readFixedBytes(r, t, n)
	}
	return nil, fmt.Errorf("the physical type %s is unknown", c.reader.Type())
}

// newArray makes an array of the batch's validity and the given buffers.
func (c *columnReader) newArray(t arrow.DataType, n int, buffers ...*memory.Buffer) arrow.Array {
	if t.ID() == arrow.NULL {
		return array.NewNull(n)
	}
	buffers = append([]*memory.Buffer{c.validity()}, buffers...)
	data := array.NewData(t, n, buffers, nil, c.nulls, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// spread moves the values that are not null to the positions of their rows.
func spread[T any](c *columnReader, dense []T, n int) []T {
	if c.nulls == 0 {
		return dense
	}
	from := len(dense)
	dense = append(dense, make([]T, n-len(dense))...)
	var zero T
	for i := n - 1; i >= 0; i-- {
		if bitutil.BitIsSet(c.valid, i) {
			from--
			dense[i] = dense[from]
		} else {
			dense[i] = zero
		}
	}
	return dense
}

// gather reads n rows of values that need no conversion.
func gather[T any](c *columnReader, r pageReader[T], n int) ([]T, error) {
	dense := make([]T, 0, n)
	err := readDense(c, r, n, func(run []T) error {
		dense = append(dense, run...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return spread(c, dense, n), nil
}

// readFixed reads n rows of a type whose values are stored as Arrow stores them.
func readFixed[T arrow.FixedWidthType](c *columnReader, r pageReader[T], t arrow.DataType,
	n int,
) (arrow.Array, error) {
	values, err := gather(c, r, n)
	if err != nil {
		return nil, err
	}
	return c.newArray(t, n, memory.NewBufferBytes(arrow.GetBytes(values))), nil
}

// readBooleans reads n rows of truth values.
func (c *columnReader) readBooleans(r *file.BooleanColumnChunkReader, n int) (arrow.Array, error) {
	values, err := gather(c, r, n)
	if err != nil {
		return nil, err
	}
	bits := make([]byte, bitutil.BytesForBits(int64(n)))
	for i, v := range values {
		if v {
			bitutil.SetBit(bits, i)
		}
	}
	return c.newArray(arrow.FixedWidthTypes.Boolean, n, memory.NewBufferBytes(bits)), nil
}

// encodeDictionary encodes an array as a dictionary array, values in the order of appearance.
func encodeDictionary(t *arrow.DictionaryType, plain arrow.Array) (arrow.Array, error) {
	b := array.NewDictionaryBuilder(memory.DefaultAllocator, t)
	defer b.Release()
	if err := b.AppendArray(plain); err != nil {
		return nil, err
	}
	return b.NewArray(), nil
}
