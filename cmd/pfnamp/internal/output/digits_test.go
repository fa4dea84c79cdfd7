package output

import (
	"math"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// --digits keeps so many significant digits, and neither one more nor one fewer; 0 keeps all.
func TestDigits(t *testing.T) {
	for _, c := range []struct {
		digits     int
		from, want float64
	}{
		{0, 2.0 / 3, 2.0 / 3}, {1, 2.0 / 3, 0.7}, {2, 2.0 / 3, 0.67}, {3, 2.0 / 3, 0.667},
		{3, -1234.5, -1230}, {4, -1234.5, -1234}, {5, -1234.56, -1234.6}, {2, 0.00012345, 0.00012},
		{17, 2.0 / 3, 2.0 / 3}, {2, math.Inf(1), math.Inf(1)}, {3, 0, 0}, {1, 9.6, 10},
	} {
		b := array.NewFloat64Builder(memory.DefaultAllocator)
		b.AppendValues([]float64{c.from, 0}, []bool{true, false})
		columns := Rounded([]arrow.Array{b.NewArray()}, c.digits)
		if got := columns[0].(*array.Float64); got.Value(0) != c.want || !got.IsNull(1) {
			t.Errorf("%v to %d digits: %v, want %v", c.from, c.digits, got.Value(0), c.want)
		}
	}
}
