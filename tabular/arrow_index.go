package tabular

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// checkIndices checks that the indices into a dictionary of n values are among them.
func checkIndices(indices arrow.Array, n int) error {
	for i := range indices.Len() {
		if indices.IsNull(i) {
			continue
		}
		at := indexAt(indices, i)
		if at < 0 || at >= int64(n) {
			return fmt.Errorf("row %d refers to value %d of a dictionary of %d", i+1, at, n)
		}
	}
	return nil
}

// indexAt returns value i of an integer array; an unsigned value beyond 2^63 is negative.
func indexAt(indices arrow.Array, i int) int64 {
	switch a := indices.(type) {
	case *array.Int8:
		return int64(a.Value(i))
	case *array.Int16:
		return int64(a.Value(i))
	case *array.Int32:
		return int64(a.Value(i))
	case *array.Int64:
		return a.Value(i)
	case *array.Uint8:
		return int64(a.Value(i))
	case *array.Uint16:
		return int64(a.Value(i))
	case *array.Uint32:
		return int64(a.Value(i))
	case *array.Uint64:
		return int64(a.Value(i))
	}
	return -1
}
