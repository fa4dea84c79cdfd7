package parquet

import (
	"encoding/binary"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet"
)

// TestPutInt32 writes INT32 values as the types that they stand for: what does not fit is refused.
func TestPutInt32(t *testing.T) {
	for _, c := range []struct {
		typ     arrow.DataType
		v, want int64 // 1<<62 for an error
	}{
		{arrow.PrimitiveTypes.Int8, -128, 0x80}, {arrow.PrimitiveTypes.Int8, 128, 1 << 62},
		{arrow.PrimitiveTypes.Uint8, 255, 255}, {arrow.PrimitiveTypes.Uint8, -1, 1 << 62},
		{arrow.PrimitiveTypes.Int16, -1, 0xffff}, {arrow.PrimitiveTypes.Int16, 32768, 1 << 62},
		{arrow.PrimitiveTypes.Uint16, 65535, 65535}, {arrow.PrimitiveTypes.Uint16, 65536, 1 << 62},
	} {
		cell := make([]byte, 8)
		width := c.typ.(arrow.FixedWidthDataType).Bytes()
		err := putInt32(c.typ)(cell[:width], int32(c.v))
		got := int64(binary.LittleEndian.Uint64(cell))
		if (err != nil) != (c.want == 1<<62) || err == nil && got != c.want {
			t.Errorf("%d as %s: %d, %v", c.v, c.typ, got, err)
		}
	}
	if putInt32(arrow.PrimitiveTypes.Int32) != nil || putInt32(arrow.PrimitiveTypes.Uint32) != nil {
		t.Error("a type that is stored as it is, is converted")
	}
}

// TestPutInt96 reads the timestamps of Impala and Spark to the microsecond.
func TestPutInt96(t *testing.T) {
	var cell [8]byte
	day := parquet.Int96{8: 0x8d, 9: 0x3d, 10: 0x25} // 1970-01-02
	if err := putInt96(cell[:], day); err != nil || binary.LittleEndian.Uint64(cell[:]) != 86_400e6 {
		t.Errorf("%v, error %v", cell, err)
	}
	day[0] = 1 // a nanosecond after midnight
	if err := putInt96(cell[:], day); err != errFineTime {
		t.Errorf("error %v", err)
	}
}
