package parquet

import (
	"encoding/binary"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// int64FromLE reads a little-endian integer.
func int64FromLE(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b)) }

// int32FromLE reads a little-endian integer.
func int32FromLE(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) }

// readInt32 reads n rows of INT32 values as one of the types that they represent.
func (c *columnReader) readInt32(r *file.Int32ColumnChunkReader, t arrow.DataType, n int) (
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

// readInt64 reads n rows of INT64 values as one of the types that they represent.
func (c *columnReader) readInt64(r *file.Int64ColumnChunkReader, t arrow.DataType, n int) (
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

// toSeconds converts milliseconds, which Parquet stores because it has no seconds.
func toSeconds[T int32 | int64](values []T) error {
	for i, v := range values {
		if v%1000 != 0 {
			return fmt.Errorf("a column of seconds has the value %d milliseconds", v)
		}
		values[i] = v / 1000
	}
	return nil
}

// narrow converts values to a smaller integer type, and refuses those that do not fit.
func narrow[T int8 | uint8 | int16 | uint16](c *columnReader, t arrow.DataType, values []int32) (
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
