package parquet

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/compute"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// What is wrong with values, not with pages.
var (
	errBatchBytes = fmt.Errorf("the strings of a batch have more than %d MiB", maxStringBytes>>20)
	errFineTime   = errors.New("INT96 timestamps finer than a microsecond are not supported")
	errNotUTF8    = errors.New("a text is not valid UTF-8") // no reader of an output could show it
)

// read reads the next n rows as an array of the column's type.
func (c *columnReader) read(n int) (arrow.Array, error) {
	t := c.typ
	switch r := c.reader.(type) {
	case *file.BooleanColumnChunkReader:
		return c.readBooleans(r, n)
	case *file.Int32ColumnChunkReader:
		return c.readInt32(r, t, n)
	case *file.Int64ColumnChunkReader:
		if arrow.IsDecimal(t.ID()) {
			return readCells(c, r, t, n, putWhole[int64])
		}
		return readFixed(c, r, t, n)
	case *file.Int96ColumnChunkReader:
		return readCells(c, r, t, n, putInt96)
	case *file.Float32ColumnChunkReader:
		return readFixed(c, r, t, n)
	case *file.Float64ColumnChunkReader:
		return readFixed(c, r, t, n)
	case *file.ByteArrayColumnChunkReader:
		if arrow.IsDecimal(t.ID()) {
			return readCells(c, r, t, n, putDecimal[parquet.ByteArray])
		}
		return c.readTexts(r, t, n)
	case *file.FixedLenByteArrayColumnChunkReader:
		if arrow.IsDecimal(t.ID()) {
			return readCells(c, r, t, n, putDecimal[parquet.FixedLenByteArray])
		}
		if err := c.spend(r.Descriptor().TypeLength() * n); err != nil {
			return nil, err
		}
		return readCells(c, r, t, n, putBytes)
	}
	return nil, fmt.Errorf("the physical type %s is unknown", c.reader.Type())
}

// newArray makes an array of the batch's validity and the given buffers.
func (c *columnReader) newArray(t arrow.DataType, n int, buffers ...[]byte) arrow.Array {
	if t.ID() == arrow.NULL {
		return array.NewNull(n)
	}
	all := []*memory.Buffer{nil}
	if c.nulls > 0 {
		all[0] = memory.NewBufferBytes(c.valid)
	}
	for _, b := range buffers {
		all = append(all, memory.NewBufferBytes(b))
	}
	data := array.NewData(t, n, all, nil, c.nulls, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// spread moves the values that are not null, of a width, to the positions of their rows.
func spread[T any](c *columnReader, dense []T, width, n int) []T {
	if c.nulls == 0 {
		return dense
	}
	out, at := make([]T, width*n), 0
	for i := range n {
		if bitutil.BitIsSet(c.valid, i) {
			at += copy(out[width*i:width*i+width], dense[at:])
		}
	}
	return out
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
	return spread(c, dense, 1, n), nil
}

// readFixed reads n rows of a type whose values are stored as Arrow stores them.
func readFixed[T arrow.FixedWidthType](c *columnReader, r pageReader[T], t arrow.DataType,
	n int,
) (arrow.Array, error) {
	values, err := gather(c, r, n)
	if err != nil {
		return nil, err
	}
	return c.newArray(t, n, arrow.GetBytes(values)), nil
}

// readCells reads n rows of a type of fixed width; put writes a value in Arrow's form.
func readCells[T any](c *columnReader, r pageReader[T], t arrow.DataType, n int,
	put func(cell []byte, v T) error,
) (arrow.Array, error) {
	width := t.(arrow.FixedWidthDataType).Bytes()
	dense := make([]byte, 0, width*n)
	err := readDense(c, r, n, func(run []T) error {
		for _, v := range run {
			dense = append(dense, make([]byte, width)...)
			if err := put(dense[len(dense)-width:], v); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c.newArray(t, n, spread(c, dense, width, n)), nil
}

// readInt32 reads n rows of numbers that are stored in 32 bits.
func (c *columnReader) readInt32(r *file.Int32ColumnChunkReader, t arrow.DataType, n int) (
	arrow.Array, error,
) {
	switch t.(type) {
	case arrow.DecimalType:
		return readCells(c, r, t, n, putWhole[int32])
	case *arrow.Int8Type, *arrow.Uint8Type, *arrow.Int16Type, *arrow.Uint16Type:
		wide, err := readFixed(c, r, arrow.PrimitiveTypes.Int32, n)
		if err != nil {
			return nil, err
		}
		return compute.CastArray(context.Background(), wide, compute.SafeCastOptions(t))
	}
	return readFixed(c, r, t, n)
}

// putWhole writes the unscaled integer of a decimal, little-endian in two's complement, as wide as
// the cell.
func putWhole[T int32 | int64](cell []byte, v T) error {
	for i := range cell {
		cell[i] = byte(v >> min(8*i, 63))
	}
	return nil
}

// putInt96 writes one of Impala's timestamps: nanoseconds of the day and a Julian day; day
// 2,440,588 is 1970-01-01. They are represented in microseconds, which reach as far as the years
// that Spark writes. Arithmetic wraps around as in Spark.
func putInt96(cell []byte, v parquet.Int96) error {
	const epoch, day = 2_440_588, 86_400_000_000
	nanos := int64(binary.LittleEndian.Uint64(v[:8]))
	days := int64(int32(binary.LittleEndian.Uint32(v[8:]))) - epoch
	switch {
	case nanos <= -1000*day || nanos >= 1000*day:
		return fmt.Errorf("%d nanoseconds are not a time of a day", nanos)
	case nanos%1000 != 0:
		return errFineTime
	}
	return putWhole(cell, days*day+nanos/1000)
}

// putDecimal writes an unscaled integer, big-endian in two's complement, as Arrow stores it.
func putDecimal[T ~[]byte](cell []byte, v T) error {
	sign := byte(0)
	if len(v) > 0 && v[0]&0x80 != 0 {
		sign = 0xff
	}
	for len(v) > len(cell) {
		if v[0] != sign || v[1]&0x80 != sign&0x80 {
			return errors.New("a decimal does not fit its precision")
		}
		v = v[1:]
	}
	for i := range cell {
		cell[i] = sign
		if i < len(v) {
			cell[i] = v[len(v)-1-i]
		}
	}
	return nil
}

// putBytes writes bytes of the type's width.
func putBytes(cell []byte, v parquet.FixedLenByteArray) error {
	if len(v) != len(cell) {
		return fmt.Errorf("a value has %d bytes instead of %d", len(v), len(cell))
	}
	copy(cell, v)
	return nil
}

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
	return c.newArray(arrow.FixedWidthTypes.Boolean, n, bits), nil
}

// readTexts reads n rows of texts or bytes.
func (c *columnReader) readTexts(r *file.ByteArrayColumnChunkReader, t arrow.DataType, n int) (
	arrow.Array, error,
) {
	var data []byte
	lengths := make([]int32, 0, n)
	err := readDense(c, r, n, func(run []parquet.ByteArray) error {
		for _, v := range run {
			if err := c.spend(len(v)); err != nil {
				return err
			}
			if t.ID() == arrow.STRING && !utf8.Valid(v) {
				return errNotUTF8
			}
			data = append(data, v...)
			lengths = append(lengths, int32(len(v))) // maxStringBytes fit
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	offsets := make([]int32, n+1)
	for i, length := range spread(c, lengths, 1, n) {
		offsets[i+1] = offsets[i] + length
	}
	return c.newArray(t, n, arrow.GetBytes(offsets), data), nil
}

// spend takes bytes from the budget of the batch.
func (c *columnReader) spend(n int) error {
	if *c.budget -= int64(n); *c.budget < 0 {
		return errBatchBytes
	}
	return nil
}
