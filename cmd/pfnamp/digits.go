package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/amp"
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
func (j *predictJob) screenColumns() (names []string, scales []scale) {
	for i, field := range j.columns {
		kind := asItIs
		if i >= len(j.opt.fit.Keep) && field.Type.ID() == arrow.FLOAT64 {
			kind = j.scaleOf(field.Name)
		}
		names, scales = append(names, field.Name), append(scales, kind)
	}
	return names, scales
}

// scaleOf is the scale of a computed column of numbers.
func (j *predictJob) scaleOf(column string) scale {
	if j.schema.Labels != nil {
		return ofProbability
	}
	event := slices.ContainsFunc(j.opt.question.Functionals, func(f amp.Functional) bool {
		name := j.layout.Prefix + f.String()
		return f.Unit() == amp.ProbabilityUnit && (column == name || strings.HasPrefix(column, name+"_"))
	})
	of, label := strings.CutPrefix(column, j.layout.Prefix+"ppd_")
	switch {
	case event || label && strings.HasPrefix(of, "p"):
		return ofProbability
	case label && strings.HasPrefix(of, "density"):
		return asItIs
	}
	return ofTarget
}
