// Package columns makes Arrow arrays of numbers, labels and sets of labels.
package columns

import (
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/conformal"
	"github.com/pfnamp/pfnamp/tabular"
)

// Numbers is a column of numbers.
func Numbers(rows int, value func(row int) float64) arrow.Array {
	builder := array.NewFloat64Builder(memory.DefaultAllocator)
	defer builder.Release()
	builder.Reserve(rows)
	for i := range rows {
		builder.UnsafeAppend(value(i))
	}
	return builder.NewArray()
}

// LabelType is the type of the column of classes: that of the labels.
func LabelType(labels *tabular.Labels) arrow.DataType {
	switch labels.Kind {
	case tabular.Numeric:
		return arrow.PrimitiveTypes.Int64
	case tabular.Boolean:
		return arrow.FixedWidthTypes.Boolean
	}
	return arrow.BinaryTypes.String
}

// Labels is a column of classes. The error is that of a label that is no number in a column of
// whole numbers.
func Labels(labels *tabular.Labels, classes []int) (arrow.Array, error) {
	builder := array.NewBuilder(memory.DefaultAllocator, LabelType(labels))
	defer builder.Release()
	for _, k := range classes {
		switch b := builder.(type) {
		case *array.Int64Builder:
			v, err := strconv.ParseInt(labels.Texts[k], 10, 64)
			if err != nil {
				return nil, err
			}
			b.Append(v)
		case *array.BooleanBuilder:
			b.Append(labels.Texts[k] == "true")
		case *array.StringBuilder:
			b.Append(labels.Texts[k])
		}
	}
	return builder.NewArray(), nil
}

// Sets is the column of sets of classes, as conformal.SetText joins their labels.
func Sets(labels *tabular.Labels, sets [][]int) arrow.Array {
	texts := array.NewStringBuilder(memory.DefaultAllocator)
	defer texts.Release()
	for _, set := range sets {
		of := make([]string, len(set))
		for i, class := range set {
			of[i] = labels.Texts[class]
		}
		texts.Append(conformal.SetText(of))
	}
	return texts.NewArray()
}

// Sizes is the column of the sizes of sets.
func Sizes(sets [][]int) arrow.Array {
	sizes := array.NewInt64Builder(memory.DefaultAllocator)
	defer sizes.Release()
	for _, set := range sets {
		sizes.Append(int64(len(set)))
	}
	return sizes.NewArray()
}
