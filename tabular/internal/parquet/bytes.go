package parquet

import (
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// errNotUTF8 reports a text that is not UTF-8: no reader of an output could show it.
var errNotUTF8 = errors.New("a text is not valid UTF-8")

// spend takes bytes from the budget of the batch.
func (c *columnReader) spend(n int) error {
	if *c.budget -= int64(n); *c.budget < 0 {
		return errBatchBytes
	}
	return nil
}

// readBytes reads n rows of BYTE_ARRAY values: strings, bytes or decimals.
func (c *columnReader) readBytes(r *file.ByteArrayColumnChunkReader, t arrow.DataType, n int) (
	arrow.Array, error,
) {
	if t.ID() == arrow.DECIMAL128 || t.ID() == arrow.DECIMAL256 {
		return readDecimals(c, r, t, n)
	}
	text := t.ID() == arrow.STRING || t.ID() == arrow.LARGE_STRING
	var data []byte
	lengths := make([]int64, 0, n)
	err := readDense(c, r, n, func(run []parquet.ByteArray) error {
		for _, v := range run {
			if err := c.spend(len(v)); err != nil {
				return err
			}
			if text && !utf8.Valid(v) {
				return errNotUTF8
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

// running returns the running sum of lengths, from 0.
func running[T int32 | int64](lengths []int64) []T {
	sums := make([]T, len(lengths)+1)
	for i, v := range lengths {
		sums[i+1] = sums[i] + T(v)
	}
	return sums
}

// readFixedBytes reads n rows of FIXED_LEN_BYTE_ARRAY values.
func (c *columnReader) readFixedBytes(r *file.FixedLenByteArrayColumnChunkReader,
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
				return fmt.Errorf("a value has %d bytes instead of %d", len(v), width)
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
