package tabular

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// int64FromLE reads a little-endian integer.
func int64FromLE(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b)) }

// int32FromLE reads a little-endian integer.
func int32FromLE(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) }

// readInt32 reads n rows of INT32 values as any of the types that they stand for.
func (c *parquetColumn) readInt32(r *file.Int32ColumnChunkReader, t arrow.DataType, n int) (
	arrow.Array, error,
) {
	values, err := gather(c, r, n)
	if err != nil {
		return nil, err
	}
	switch t.ID() {
	case arrow.INT8:
		return narrow[int8](c, t, values)
	case arrow.UINT8:
		return narrow[uint8](c, t, values)
	case arrow.INT16:
		return narrow[int16](c, t, values)
	case arrow.UINT16:
		return narrow[uint16](c, t, values)
	case arrow.DECIMAL128, arrow.DECIMAL256:
		return decimals(c, t, values)
	case arrow.DATE64: // stored in days
		long := make([]int64, n)
		for i, v := range values {
			long[i] = int64(v) * 86_400_000
		}
		return c.newArray(t, n, memory.NewBufferBytes(arrow.GetBytes(long))), nil
	case arrow.TIME32:
		if t.(*arrow.Time32Type).Unit == arrow.Second {
			err = toSeconds(values)
		}
	}
	if err != nil {
		return nil, err
	}
	return c.newArray(t, n, memory.NewBufferBytes(arrow.GetBytes(values))), nil
}

// readInt64 reads n rows of INT64 values as any of the types that they stand for.
func (c *parquetColumn) readInt64(r *file.Int64ColumnChunkReader, t arrow.DataType, n int) (
	arrow.Array, error,
) {
	values, err := gather(c, r, n)
	if err != nil {
		return nil, err
	}
	if t.ID() == arrow.DECIMAL128 || t.ID() == arrow.DECIMAL256 {
		return decimals(c, t, values)
	}
	if stamp, ok := t.(*arrow.TimestampType); ok && stamp.Unit == arrow.Second {
		if err := toSeconds(values); err != nil {
			return nil, err
		}
	}
	return c.newArray(t, n, memory.NewBufferBytes(arrow.GetBytes(values))), nil
}

// toSeconds converts milliseconds, which Parquet stores for want of seconds.
func toSeconds[T int32 | int64](values []T) error {
	for i, v := range values {
		if v%1000 != 0 {
			return fmt.Errorf("%d milliseconds in a column of seconds", v)
		}
		values[i] = v / 1000
	}
	return nil
}

// narrow converts values to a smaller integer type, and refuses those that do not fit.
func narrow[T int8 | uint8 | int16 | uint16](c *parquetColumn, t arrow.DataType, values []int32) (
	arrow.Array, error,
) {
	small := make([]T, len(values))
	for i, v := range values {
		if small[i] = T(v); int32(small[i]) != v {
			return nil, fmt.Errorf("%d does not fit %s", v, t)
		}
	}
	return c.newArray(t, len(values), memory.NewBufferBytes(arrow.GetBytes(small))), nil
}

// decimals converts unscaled integers to decimals.
func decimals[T int32 | int64](c *parquetColumn, t arrow.DataType, values []T) (arrow.Array, error) {
	width := t.(arrow.FixedWidthDataType).Bytes()
	out := make([]byte, width*len(values))
	for i, v := range values {
		cell := out[width*i : width*i+width]
		binary.LittleEndian.PutUint64(cell, uint64(int64(v)))
		if v < 0 {
			fill(cell[8:], 0xff)
		}
	}
	return c.newArray(t, len(values), memory.NewBufferBytes(out)), nil
}

// fill sets every byte.
func fill(b []byte, v byte) {
	for i := range b {
		b[i] = v
	}
}

// decimalBytes writes an unscaled integer, big-endian in two's complement, as Arrow stores it:
// little-endian in the width of cell.
func decimalBytes(cell, value []byte) error {
	sign := byte(0)
	if len(value) > 0 && value[0]&0x80 != 0 {
		sign = 0xff
	}
	for len(value) > len(cell) {
		if value[0] != sign || value[1]&0x80 != sign&0x80 {
			return errors.New("decimal does not fit its precision")
		}
		value = value[1:]
	}
	fill(cell, sign)
	for i, b := range value {
		cell[len(value)-1-i] = b
	}
	return nil
}

// spreadCells moves cells of a fixed width to the places of their rows.
func (c *parquetColumn) spreadCells(dense []byte, width, n int) []byte {
	if c.nulls == 0 {
		return dense
	}
	out := make([]byte, width*n)
	at := 0
	for i := range n {
		if bitutil.BitIsSet(c.valid, i) {
			at += copy(out[width*i:width*i+width], dense[at:])
		}
	}
	return out
}

// spend takes bytes from the budget of the batch.
func (c *parquetColumn) spend(n int) error {
	if *c.budget -= int64(n); *c.budget < 0 {
		return errBatchBytes
	}
	return nil
}

// readBytes reads n rows of BYTE_ARRAY values: strings, bytes or decimals.
func (c *parquetColumn) readBytes(r *file.ByteArrayColumnChunkReader, t arrow.DataType, n int) (
	arrow.Array, error,
) {
	if t.ID() == arrow.DECIMAL128 || t.ID() == arrow.DECIMAL256 {
		return readDecimals(c, r, t, n)
	}
	var data []byte
	lengths := make([]int64, 0, n)
	err := readDense(c, r, n, func(run []parquet.ByteArray) error {
		for _, v := range run {
			if err := c.spend(len(v)); err != nil {
				return err
			}
			data = append(data, v...)
			lengths = append(lengths, int64(len(v)))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	lengths = spread(c, lengths, n)
	var offsets []byte
	if t.ID() == arrow.LARGE_STRING || t.ID() == arrow.LARGE_BINARY {
		offsets = arrow.GetBytes(running[int64](lengths))
	} else if len(data) <= math.MaxInt32 {
		offsets = arrow.GetBytes(running[int32](lengths))
	}
	return c.newArray(t, n, memory.NewBufferBytes(offsets), memory.NewBufferBytes(data)), nil
}

// running is the running sum of lengths, from 0.
func running[T int32 | int64](lengths []int64) []T {
	sums := make([]T, len(lengths)+1)
	for i, v := range lengths {
		sums[i+1] = sums[i] + T(v)
	}
	return sums
}

// readDecimals reads n rows of decimals that are stored as bytes.
func readDecimals[T ~[]byte](c *parquetColumn, r pageReader[T], t arrow.DataType, n int) (
	arrow.Array, error,
) {
	width := t.(arrow.FixedWidthDataType).Bytes()
	dense := make([]byte, 0, width*n)
	err := readDense(c, r, n, func(run []T) error {
		for _, v := range run {
			dense = append(dense, make([]byte, width)...)
			if err := decimalBytes(dense[len(dense)-width:], v); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c.newArray(t, n, memory.NewBufferBytes(c.spreadCells(dense, width, n))), nil
}

// readFixedBytes reads n rows of FIXED_LEN_BYTE_ARRAY values.
func (c *parquetColumn) readFixedBytes(r *file.FixedLenByteArrayColumnChunkReader,
	t arrow.DataType, n int,
) (arrow.Array, error) {
	if t.ID() == arrow.DECIMAL128 || t.ID() == arrow.DECIMAL256 {
		return readDecimals(c, r, t, n)
	}
	width := r.Descriptor().TypeLength()
	if err := c.spend(width * n); err != nil {
		return nil, err
	}
	dense := make([]byte, 0, width*n)
	err := readDense(c, r, n, func(run []parquet.FixedLenByteArray) error {
		for _, v := range run {
			if len(v) != width {
				return fmt.Errorf("value of %d bytes in place of %d", len(v), width)
			}
			dense = append(dense, v...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c.newArray(t, n, memory.NewBufferBytes(c.spreadCells(dense, width, n))), nil
}
