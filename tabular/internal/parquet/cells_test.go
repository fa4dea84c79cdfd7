package parquet

import (
	"encoding/binary"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
)

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
