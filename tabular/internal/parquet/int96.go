package parquet

import (
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// errFineTime reports a timestamp that would lose digits.
var errFineTime = errors.New("INT96 timestamps finer than a microsecond are not supported")

// readInt96 reads n rows of Impala's timestamps: nanoseconds of the day and a Julian day; day
// 2,440,588 is 1970-01-01. They are represented in microseconds, which reach as far as the years
// that Spark writes. Arithmetic wraps around as in Spark.
func (c *columnReader) readInt96(r *file.Int96ColumnChunkReader, t arrow.DataType, n int) (
	arrow.Array, error,
) {
	const epoch, day = 2_440_588, 86_400_000_000
	raw, err := gather(c, r, n)
	if err != nil {
		return nil, err
	}
	values := make([]int64, n)
	for i, v := range raw {
		if c.nulls > 0 && !bitutil.BitIsSet(c.valid, i) {
			continue
		}
		nanos, days := int64FromLE(v[:8]), int64(int32FromLE(v[8:]))-epoch
		switch {
		case nanos <= -1000*day || nanos >= 1000*day:
			return nil, fmt.Errorf("row %d of the batch is not a timestamp", i+1)
		case nanos%1000 != 0:
			return nil, errFineTime
		}
		values[i] = days*day + nanos/1000
	}
	return c.newArray(t, n, memory.NewBufferBytes(arrow.GetBytes(values))), nil
}
