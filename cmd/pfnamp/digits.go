package main

import (
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// maxDigits is how many significant digits tell every float64 from all others.
const maxDigits = 17

// rounded replaces columns of numbers by columns rounded to so many significant digits; 0 leaves
// them. Rounding keeps the order of numbers, so that intervals hold their points as before.
func rounded(columns []arrow.Array, digits int) {
	if digits == 0 {
		return
	}
	for k, column := range columns {
		floats, ok := column.(*array.Float64)
		if !ok {
			continue
		}
		b := array.NewFloat64Builder(memory.DefaultAllocator)
		for i := range floats.Len() {
			if floats.IsNull(i) {
				b.AppendNull()
				continue
			}
			text := strconv.FormatFloat(floats.Value(i), 'e', digits-1, 64)
			v, _ := strconv.ParseFloat(text, 64) // beyond the largest number, infinity, as it should
			b.Append(v)
		}
		columns[k] = b.NewArray()
		b.Release()
	}
}

// screenColumns lists the columns of the output and which of them have their decimals in common.
func (j opening) screenColumns(fields []arrow.Field) (names []string, scales []scale) {
	plain, _ := j.layout.Columns() // which --names may change
	for i, field := range fields {
		kind := asItIs
		if k := i - len(j.opt.fit.Keep); k >= 0 && field.Type.ID() == arrow.FLOAT64 {
			kind = j.words().scale(plain[k], j.opt.question, j.layout)
		}
		names, scales = append(names, field.Name), append(scales, kind)
	}
	return names, scales
}
