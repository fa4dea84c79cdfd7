package tabular

import (
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// Limits on what is decoded at a time.
const (
	maxStep     = 1 << 16  // values
	sharedBytes = 64 << 20 // bytes, of values that share prefixes with those before
)

// errBatchBytes reports strings that are too long for the number of rows asked for.
var errBatchBytes = fmt.Errorf("the strings of a batch take more than %d MiB", maxStringBytes>>20)

// A parquetColumn reads the values of one column of a row group.
type parquetColumn struct {
	reader   file.ColumnChunkReader
	typ      arrow.DataType
	pages    int   // data pages not yet begun, at most
	optional bool  // whether values may be null
	step     int64 // values decoded at a time, at most
	budget   *int64

	levels []int16
	valid  []byte // bitmap of the rows of the batch
	nulls  int
}

// pageReader is what the readers of all physical types have in common.
type pageReader[T any] interface {
	file.ColumnChunkReader
	ReadBatchInPage(n int64, values []T, def, rep []int16) (int64, int, error)
}

// readDense reads n rows and hands the values that are not null to take, a run at a time; they
// are only valid during the call. The validity of the rows is left in c.valid and c.nulls.
func readDense[T any](c *parquetColumn, r pageReader[T], n int, take func([]T) error) error {
	c.valid = make([]byte, bitutil.BytesForBits(int64(n)))
	c.nulls = 0
	values := make([]T, min(int64(n), c.step))
	for done := 0; done < n; {
		if !c.more(r) {
			if err := r.Err(); err != nil {
				return err
			}
			return fmt.Errorf("values end %d rows early", n-done)
		}
		want := min(int64(n-done), c.step)
		var levels []int16
		if c.optional {
			c.levels = slices.Grow(c.levels[:0], int(want))[:want]
			levels = c.levels
		}
		rows, found, err := r.ReadBatchInPage(want, values, levels, nil)
		if err != nil {
			return err
		}
		if rows < 1 || rows > want || c.mark(done, int(rows)) != found {
			return errors.New("page ends before its values do")
		}
		if err := take(values[:found]); err != nil {
			return err
		}
		done += int(rows)
	}
	return nil
}

// more tells whether there are values, and passes over pages without any.
func (c *parquetColumn) more(r file.ColumnChunkReader) bool {
	for !r.HasNext() {
		if c.pages--; c.pages < 0 || r.Err() != nil {
			return false
		}
	}
	return true
}

// mark notes which of the rows at a position are not null, and returns how many.
func (c *parquetColumn) mark(at, rows int) int {
	if !c.optional {
		bitutil.SetBitsTo(c.valid, int64(at), int64(rows), true)
		return rows
	}
	set := 0
	for i, level := range c.levels[:rows] {
		if level == 1 {
			bitutil.SetBit(c.valid, at+i)
			set++
		}
	}
	c.nulls += rows - set
	return set
}

// validity is the validity bitmap of the batch, nil without nulls.
func (c *parquetColumn) validity() *memory.Buffer {
	if c.nulls == 0 {
		return nil
	}
	return memory.NewBufferBytes(c.valid)
}

// read reads the next n rows as an array of the column's type.
func (c *parquetColumn) read(n int) (arrow.Array, error) {
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
func (c *parquetColumn) readAs(t arrow.DataType, n int) (arrow.Array, error) {
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
	return nil, fmt.Errorf("unknown physical type %s", c.reader.Type())
}

// newArray makes an array of the batch's validity and the given buffers.
func (c *parquetColumn) newArray(t arrow.DataType, n int, buffers ...*memory.Buffer) arrow.Array {
	if t.ID() == arrow.NULL {
		return array.NewNull(n)
	}
	buffers = append([]*memory.Buffer{c.validity()}, buffers...)
	data := array.NewData(t, n, buffers, nil, c.nulls, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// spread moves the values of the rows that are not null to the places of their rows.
func spread[T any](c *parquetColumn, dense []T, n int) []T {
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
func gather[T any](c *parquetColumn, r pageReader[T], n int) ([]T, error) {
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
func readFixed[T arrow.FixedWidthType](c *parquetColumn, r pageReader[T], t arrow.DataType,
	n int,
) (arrow.Array, error) {
	values, err := gather(c, r, n)
	if err != nil {
		return nil, err
	}
	return c.newArray(t, n, memory.NewBufferBytes(arrow.GetBytes(values))), nil
}

// readBooleans reads n rows of truth values.
func (c *parquetColumn) readBooleans(r *file.BooleanColumnChunkReader, n int) (arrow.Array, error) {
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

// readInt96 reads n rows of Impala's timestamps: nanoseconds of the day and a Julian day, of
// which 2,440,588 is 1970-01-01. They are represented in microseconds, which reach as far as
// the years that Spark writes. Arithmetic wraps around as it does where Spark writes them.
func (c *parquetColumn) readInt96(r *file.Int96ColumnChunkReader, t arrow.DataType, n int) (
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
			return nil, fmt.Errorf("row %d of the batch is no timestamp", i+1)
		case nanos%1000 != 0:
			return nil, errors.New("INT96 timestamps finer than a microsecond are not supported")
		}
		values[i] = days*day + nanos/1000
	}
	return c.newArray(t, n, memory.NewBufferBytes(arrow.GetBytes(values))), nil
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

var (
	_ pageReader[int32]                     = (*file.Int32ColumnChunkReader)(nil)
	_ pageReader[parquet.Int96]             = (*file.Int96ColumnChunkReader)(nil)
	_ pageReader[parquet.FixedLenByteArray] = (*file.FixedLenByteArrayColumnChunkReader)(nil)
)
