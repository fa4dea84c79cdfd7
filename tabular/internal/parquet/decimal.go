package parquet

import (
	"encoding/binary"
	"errors"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// decimals converts unscaled integers to decimals.
func decimals[T int32 | int64](c *columnReader, t arrow.DataType, values []T) (
	arrow.Array, error,
) {
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
			return errors.New("a decimal does not fit its precision")
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
func (c *columnReader) spreadCells(dense []byte, width, n int) []byte {
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

// readDecimals reads n rows of decimals that are stored as bytes.
func readDecimals[T ~[]byte](c *columnReader, r pageReader[T], t arrow.DataType, n int) (
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
