package parquet

import (
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// Limits of one decoding step.
const (
	maxStep     = 1 << 16  // values
	sharedBytes = 64 << 20 // bytes, of values that share prefixes with those before
)

// columnReader reads the values of one column of a row group. It replaces package pqarrow of the
// Parquet library, which makes up values if a page ends early (docs/evidence/parquet.md).
type columnReader struct {
	reader   file.ColumnChunkReader
	typ      arrow.DataType
	pages    int   // largest number of data pages not yet begun
	optional bool  // whether values may be null
	step     int64 // largest number of values decoded at a time
	budget   *int64

	levels []int16
	valid  []byte // bitmap of the rows of the batch
	nulls  int
}

// pageReader is the common interface of the readers of all physical types.
type pageReader[T any] interface {
	file.ColumnChunkReader
	ReadBatchInPage(n int64, values []T, def, rep []int16) (int64, int, error)
}

// readDense reads n rows and passes the values that are not null to take, a run at a time. They are
// only valid during the call. It leaves the validity of the rows in c.valid and c.nulls.
func readDense[T any](c *columnReader, r pageReader[T], n int, take func([]T) error) error {
	c.valid = make([]byte, bitutil.BytesForBits(int64(n)))
	c.nulls = 0
	values := make([]T, min(int64(n), c.step))
	for done := 0; done < n; {
		if !c.more(r) {
			if err := r.Err(); err != nil {
				return err
			}
			return fmt.Errorf("the values end %d rows early", n-done)
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
		if rows < 1 || rows > want {
			return errors.New("page ends before its values do")
		}
		if err := c.mark(done, int(rows), found); err != nil {
			return err
		}
		if err := take(values[:found]); err != nil {
			return err
		}
		done += int(rows)
	}
	return nil
}

// more reports whether there are values. It skips pages without any.
func (c *columnReader) more(r file.ColumnChunkReader) bool {
	for !r.HasNext() {
		if c.pages--; c.pages < 0 || r.Err() != nil {
			return false
		}
	}
	return true
}

// mark marks the rows at a position that are not null; there must be as many as values found.
func (c *columnReader) mark(at, rows, found int) error {
	set := rows
	if !c.optional {
		bitutil.SetBitsTo(c.valid, int64(at), int64(rows), true)
	} else {
		set = 0
		for i, level := range c.levels[:rows] {
			switch level {
			case 0:
			case 1:
				bitutil.SetBit(c.valid, at+i)
				set++
			default:
				return fmt.Errorf("a definition level is %d, at most 1 is possible", level)
			}
		}
	}
	c.nulls += rows - set
	if set != found {
		return errors.New("page ends before its values do")
	}
	return nil
}
